#include "referee/match/text_input.hpp"

#include <sys/stat.h>
#include <zlib.h>

#include <array>
#include <cerrno>
#include <stdexcept>
#include <streambuf>
#include <system_error>

namespace referee::match {

namespace {
constexpr std::size_t longest_line = std::size_t{1} << 20U;
}

bool is_utf16(std::string_view beginning) noexcept {
  for (const std::string_view known :
       {std::string_view("\xFF\xFE", 2), std::string_view("\xFE\xFF", 2), std::string_view("[\0", 2), std::string_view("\0[", 2)})
    if (beginning.starts_with(known)) return true;
  return false;
}

class TextInput::Buffer : public std::streambuf {
 public:
  explicit Buffer(const std::string& path) : file_(gzopen(path.c_str(), "rb")) {
    if (file_ == nullptr) throw std::runtime_error("cannot be read: " + std::generic_category().message(errno));
    gzbuffer(file_, 128U * 1024U);
  }
  ~Buffer() override { gzclose(file_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  [[nodiscard]] const std::string& failure() const noexcept { return failure_; }
  /// Its byte-order mark, or what a tag in brackets begins with there.
  [[nodiscard]] bool begins_as_utf16() {
    if (traits_type::eq_int_type(sgetc(), traits_type::eof()) || egptr() - gptr() < 2) return false;
    return is_utf16({gptr(), 2});
  }

 protected:
  int_type underflow() override {
    const int count = gzread(file_, bytes_.data(), static_cast<unsigned>(bytes_.size()));
    if (count <= 0) {
      int code = Z_OK;
      const char* text = gzerror(file_, &code);
      if (code == Z_ERRNO)
        failure_ = std::generic_category().message(errno);
      else if (code == Z_BUF_ERROR)
        failure_ = "the compressed data ends too early";
      else if (code != Z_OK)
        failure_ = std::string("the compressed data is damaged (") + text + ")";
      return traits_type::eof();
    }
    setg(bytes_.data(), bytes_.data(), bytes_.data() + count);
    return traits_type::to_int_type(*gptr());
  }

 private:
  gzFile file_;
  std::array<char, 64 * 1024> bytes_{};
  std::string failure_;
};

TextInput::TextInput(const std::string& path) : stream_(nullptr) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) throw std::runtime_error("cannot be read: " + std::generic_category().message(errno));
  if (!S_ISREG(status.st_mode)) throw std::runtime_error("is no regular file");
  buffer_ = std::make_unique<Buffer>(path);
  stream_.rdbuf(buffer_.get());
  if (buffer_->begins_as_utf16()) throw std::runtime_error("is UTF-16 (expected UTF-8 or Latin-1)");
}

TextInput::~TextInput() = default;

std::istream& TextInput::stream() noexcept { return stream_; }

std::string TextInput::failure() const { return buffer_->failure(); }

bool TextInput::next_line(std::string& line) {
  line.clear();
  bool any = false;
  for (int c = buffer_->sbumpc(); c != std::char_traits<char>::eof(); c = buffer_->sbumpc()) {
    any = true;
    if (c == '\n') break;
    if (line.size() < longest_line) line.push_back(static_cast<char>(c));
  }
  if (!any) return false;
  ++line_number_;
  if (!line.empty() && line.back() == '\r') line.pop_back();
  if (line_number_ == 1 && line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);
  return true;
}

}  // namespace referee::match
