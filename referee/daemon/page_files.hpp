// The files of the page, as the build put them into the binary (scripts/embed_page.cmake).
#pragma once

#include <string_view>
#include <vector>

namespace referee::daemon {

struct PageFile {
  std::string_view path;  // "index.html", "vendor/chessground/chessground.min.js"
  std::string_view type;  // of its content
  std::string_view bytes;
  std::string_view tag;  // changes with the bytes
};
[[nodiscard]] const std::vector<PageFile>& page_files();

}  // namespace referee::daemon
