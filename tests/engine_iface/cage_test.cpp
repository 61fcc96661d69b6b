// What an engine under `isolation: strict` sees and reaches. What this host cannot give has to have been said; then that much is not asked
// for.
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

#include "process_harness.hpp"
#include "process_survey.hpp"

using namespace referee::engine;
using namespace referee::engine::test;

namespace {

namespace fs = std::filesystem;

/// A match's folder: records in results/, an engine's folder beside it, a net elsewhere in it.
struct Scene {
  Scene() {
    std::string name = (fs::temp_directory_path() / "referee-test-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    folder = name;
    for (const char* part : {"results", "engine", "nets", "nets/deep", "work"}) fs::create_directory(folder / part);
    for (const char* file : {"results/match.sqlite", "nets/big.nnue", "nets/deep/table.rtbw", "engine/book.bin", "engine/match.sqlite"})
      std::ofstream(folder / file) << "content of " << file << "\n";
    std::ofstream(folder / "engine/run") << "#!/bin/sh\neval \"$1\"\n";
    fs::permissions(folder / "engine/run", fs::perms::owner_all | fs::perms::group_exec | fs::perms::others_exec);
  }
  ~Scene() { fs::remove_all(folder); }
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;

  [[nodiscard]] std::string path(const std::string& part) const { return (folder / part).string(); }
  /// The engine runs this script, with no word from the programs in it.
  [[nodiscard]] EngineCommand engine(const std::string& script) const {
    EngineCommand command;
    command.command = path("engine/run");
    command.arguments = {"exec 2>/dev/null; " + script};
    command.folder = path("work");
    command.isolation = Isolation::strict;
    return command;
  }
  fs::path folder;
};

using Lines = std::vector<std::string>;

/// An engine was started in a view of its own, or the launcher said that the host has none.
bool has_own_view(Host& host) {
  (void)lines_of(host, shell("exit 0", Isolation::strict));
  return !said(host, "a view of the files of their own") && !said(host, "without a pid namespace");
}

}  // namespace

TEST_CASE("strict: an engine sees neither records nor home folders nor what other programs run on", "[cage]") {
  Host host("unseen");
  if (!has_own_view(host)) return;
  const Scene scene;
  CHECK(lines_of(
            host,
            scene.engine("cat " + scene.path("results/match.sqlite") + "; cat " + scene.path("nets/big.nnue") +
                         "; ls -A /home /root /run | grep -v :$ | grep .; ls /var/lib /var/log; ls /mnt /srv /media /boot; echo tried")) ==
        Lines{"tried"});
}

TEST_CASE("strict: an engine sees its working folder, its binary's, and the files and folders it was told of", "[cage]") {
  Host host("seen");
  if (!has_own_view(host)) return;
  const Scene scene;
  fs::create_directory_symlink(scene.folder / "nets", scene.folder / "latest");

  CHECK(lines_of(host, scene.engine("pwd; cat " + scene.path("engine/book.bin") + "; echo y >made && cat made")) ==
        Lines{scene.path("work"), "content of engine/book.bin", "y"});
  CHECK(read_whole(scene.folder / "work/made") == "y\n");

  EngineCommand told = scene.engine("shift; cat $1 ${2#--tables=}; cat ../nets/deep/table.rtbw && echo too much");
  told.arguments.insert(told.arguments.end(), {scene.path("nets/big.nnue"), "--tables=" + scene.path("latest/big.nnue")});
  CHECK(lines_of(host, told) == Lines{"content of nets/big.nnue", "content of nets/big.nnue"});

  EngineCommand shown = scene.engine("cat " + scene.path("latest/deep/table.rtbw") + " " + scene.path("nets/deep/table.rtbw"));
  shown.readable = {scene.path("latest"), scene.path("not/there")};
  CHECK(lines_of(host, shown) == Lines{"content of nets/deep/table.rtbw", "content of nets/deep/table.rtbw"});
}

TEST_CASE("strict: records that lie in a folder an engine sees are covered", "[cage]") {
  Host host("covered");
  if (!has_own_view(host)) return;
  const Scene scene;
  const std::string tries =
      "cat match.sqlite && echo read; (echo x >>match.sqlite) && echo written; rm -f match.sqlite; mv match.sqlite away && echo moved; cat "
      "book.bin; cat ../results/match.sqlite && echo read; echo tried";
  EngineCommand inside = scene.engine(tries);
  inside.folder = scene.path("engine");
  inside.readable = {scene.folder.string()};
  inside.hidden = {scene.path("results"), scene.path("engine"), scene.path("engine/match.sqlite"), scene.path("engine/match.sqlite-wal")};
  CHECK(lines_of(host, inside) == Lines{"content of engine/book.bin", "tried"});
  CHECK(read_whole(scene.folder / "engine/match.sqlite") == "content of engine/match.sqlite\n");
  // The referee itself goes on with the file while the engine has it covered.
  Recorder running(host, [&] {
    EngineCommand waits = inside;
    waits.arguments = {"echo here; read line"};
    return waits;
  }());
  REQUIRE(host.run_until([&] { return !running.lines.empty(); }));
  fs::rename(scene.folder / "engine/match.sqlite", scene.folder / "engine/kept.sqlite");
  CHECK(read_whole(scene.folder / "engine/kept.sqlite") == "content of engine/match.sqlite\n");
}

TEST_CASE("strict: records are covered by whatever name an engine reaches them", "[cage]") {
  Host host("aliases");
  if (!has_own_view(host)) return;
  const Scene scene;
  const std::string tries =
      "for f in named/results named bound; do cat ../$f/match.sqlite && echo read through $f; done; cat ../bound/book; "
      "cat ../named/nets/big.nnue; echo tried";
  EngineCommand command = scene.engine(tries);
  command.hidden = {scene.path("results"), scene.path("results/match.sqlite")};
  // A folder above them is shown by a link.
  fs::create_directory_symlink(scene.folder, scene.folder / "named");
  command.readable = {scene.path("named")};
  CHECK(lines_of(host, command) == Lines{"content of nets/big.nnue", "tried"});

  // And they are mounted a second time, in a folder that the engine is shown.
  std::ofstream(scene.folder / "nets/book") << "a book\n";
  fs::create_directory(scene.folder / "bound");
  if (mount(scene.path("results").c_str(), scene.path("bound").c_str(), nullptr, MS_BIND, nullptr) != 0) return;  // not for this user
  command.readable.push_back(scene.folder.string());
  CHECK(lines_of(host, command) == Lines{"content of nets/big.nnue", "tried"});
  EngineCommand free = command;  // outside all of it is there
  free.isolation = Isolation::none;
  CHECK(lines_of(host, free).size() > 2);
  CHECK(umount2(scene.path("bound").c_str(), MNT_DETACH) == 0);
}

TEST_CASE("strict: of a folder that is hidden only what the engine needs is seen, and the folder can not be moved or filled", "[cage]") {
  Host host("needed");
  if (!has_own_view(host)) return;
  const Scene scene;
  for (const char* part : {"engine/out", "engine/out/books", "engine/out/home"}) fs::create_directory(scene.folder / part);
  for (const char* file : {"engine/out/match.sqlite", "engine/out/registry", "engine/out/books/best.bin", "engine/out/home/notes"})
    std::ofstream(scene.folder / file) << "content of " << file << "\n";
  // The folder lies in the one that the engine may write.
  EngineCommand command = scene.engine(
      "cat out/match.sqlite && echo read; cat out/registry && echo read; cat out/books/best.bin; (echo x >out/evil) && echo filled; "
      "(echo x >out/books/evil) && echo filled; mv out away && echo moved; ls out; echo tried");
  command.folder = scene.path("engine");
  command.readable = {scene.path("engine/out/books")};
  command.hidden = {scene.path("engine/out"), scene.path("engine/out/match.sqlite")};
  CHECK(lines_of(host, command) == Lines{"content of engine/out/books/best.bin", "books", "tried"});
  CHECK(fs::exists(scene.folder / "engine/out/match.sqlite"));
  // A working folder within it can be written, and nothing beside it is seen.
  EngineCommand inside =
      scene.engine("echo x >made && cat made; cat notes; cat ../registry && echo read; cat ../match.sqlite && echo read; ls ..");
  inside.folder = scene.path("engine/out/home");
  inside.readable = {scene.path("engine")};
  inside.hidden = command.hidden;
  CHECK(lines_of(host, inside) == Lines{"x", "content of engine/out/home/notes", "home"});
}

TEST_CASE("strict: every path of a long list is shown, and every one of another is hidden", "[cage]") {
  Host host("many");
  if (!has_own_view(host)) return;
  const Scene scene;
  EngineCommand command = scene.engine("cd ../many; cat shown* | wc -l; cat hidden* | wc -l");
  fs::create_directory(scene.folder / "many");
  for (int i = 0; i < 300; ++i) {
    const std::string shown = scene.path("many/shown" + std::to_string(i)), hidden = scene.path("nets/hidden" + std::to_string(i));
    std::ofstream(shown) << "x\n";
    std::ofstream(hidden) << "x\n";
    command.readable.push_back(shown);
    command.hidden.push_back(hidden);
  }
  command.arguments = {"exec 2>/dev/null; cat ../many/shown* | wc -l; ls ../nets | grep -c hidden; cat ../nets/hidden* | wc -l"};
  command.readable.push_back(scene.path("nets"));
  CHECK(lines_of(host, command) == Lines{"300", "300", "0"});
}

TEST_CASE("strict: an engine may write its working folder wherever that lies", "[cage]") {
  Host host("places");
  if (!has_own_view(host)) return;
  std::string folder = "/opt/referee-test-XXXXXX";
  if (mkdtemp(folder.data()) == nullptr) return;  // not for this user
  const std::string program = folder + "/run";
  std::ofstream(program) << "#!/bin/sh\necho x >made && cat made; cat match.sqlite; echo tried\n";
  fs::permissions(program, fs::perms::owner_all);
  std::ofstream(folder + "/match.sqlite") << "records\n";
  EngineCommand command;
  command.command = program;
  command.folder = folder;
  command.isolation = Isolation::strict;
  // The folder is needed: of the records in it those that are there are covered.
  command.hidden = {folder, folder + "/match.sqlite"};
  const Lines lines = lines_of(host, command);
  fs::remove_all(folder);
  CHECK(lines == Lines{"x", "tried"});
}

TEST_CASE("strict: a program in the root folder is seen, and what lies beside it is not", "[cage]") {
  Host host("root");
  if (!has_own_view(host)) return;
  const Scene scene;
  const std::string name = "/" + unique_run_id("program"), beside = name + "-beside";
  std::ofstream(name) << "#!/bin/sh\ncat " << beside << " 2>/dev/null; echo runs\n";
  if (!fs::exists(name)) return;  // not for this user
  std::ofstream(beside) << "secret\n";
  fs::permissions(name, fs::perms::owner_all);
  EngineCommand command = scene.engine("");
  command.command = name;
  const Lines lines = lines_of(host, command);
  fs::remove(name);
  fs::remove(beside);
  CHECK(lines == Lines{"runs"});
}

TEST_CASE("strict: a view that cannot be made is told in one sense", "[cage]") {
  Host host("torn");
  if (!has_own_view(host) || !fs::exists("/dev/tty")) return;
  EngineCommand command = shell("echo runs", Isolation::strict);
  command.readable = {"/dev/tty"};  // /dev is the engine's own, and has no room for it
  Recorder seen(host, command);
  REQUIRE(seen.run_until_exit());
  CHECK(seen.failure == "cannot start /bin/sh: a view of the files of their own: Read-only file system");
}

TEST_CASE("strict: the system is read-only, /tmp is private, /dev holds what engines need", "[cage]") {
  Host host("system");
  if (!has_own_view(host)) return;
  const Scene scene;
  CHECK(lines_of(
            host,
            scene.engine("for f in /usr /etc /usr/bin/env / /dev /proc/sys/kernel/core_pattern /sys/devices/system; do test -w $f && echo "
                         "writes $f; done; test -r /etc/passwd && test -x /usr/bin/env && echo reads")) == Lines{"reads"});
  CHECK(lines_of(host, scene.engine("ls /dev; head -c 4 /dev/zero | wc -c; head -c 4 /dev/urandom | wc -c; echo x >/dev/null && echo "
                                    "null; echo x >/dev/shm/x && cat /dev/shm/x")) ==
        Lines{"fd", "full", "null", "random", "shm", "stderr", "stdin", "stdout", "urandom", "zero", "4", "4", "null", "x"});
  const std::string name = "/tmp/" + unique_run_id("private");
  CHECK(lines_of(host, scene.engine("echo secret >" + name + " && cat " + name + "; echo $TMPDIR")) == Lines{"secret", "/tmp"});
  CHECK_FALSE(fs::exists(name));
  CHECK(lines_of(host, scene.engine("cat " + name + "; echo tried")) == Lines{"tried"});
}

TEST_CASE("strict: what in /etc is not for everyone is not for an engine of root's", "[cage]") {
  Host host("secrets");
  if (!has_own_view(host) || !fs::exists("/etc/shadow")) return;
  CHECK(lines_of(host, Scene().engine("cat /etc/shadow /etc/gshadow; echo tried")) == Lines{"tried"});
}

TEST_CASE("strict: neither TCP nor a Unix socket leads out", "[cage]") {
  Host host("sockets");
  if (!has_own_view(host)) return;
  const Scene scene;
  // What listens: one name in the record's folder, one abstract.
  const auto listen_at = [](const std::string& name) {
    const int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, name.data(), name.size());
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size());
    REQUIRE(bind(descriptor, reinterpret_cast<const sockaddr*>(&address), size) == 0);
    REQUIRE(listen(descriptor, 1) == 0);
    return descriptor;
  };
  const std::string abstract = unique_run_id("abstract");
  const int by_path = listen_at(scene.path("results/socket")), by_name = listen_at(std::string(1, '\0') + abstract);
  const std::string script =
      "perl -e 'use Socket; print \"tcp\\n\" if socket(T, PF_INET, SOCK_STREAM, 0); print \"udp\\n\" if socket(U, PF_INET6, SOCK_DGRAM, "
      "0); "
      "socket(P, PF_UNIX, SOCK_STREAM, 0); print \"path\\n\" if connect(P, sockaddr_un(\"" +
      scene.path("results/socket") +
      "\")); socket(A, PF_UNIX, SOCK_STREAM, 0); print \"abstract\\n\" if connect(A, pack(\"S a*\", AF_UNIX, \"\\0" + abstract +
      "\")); print \"tried\\n\"'";
  Lines reached = lines_of(host, scene.engine(script));
  if (said(host, "the bar on network access")) std::erase_if(reached, [](const auto& line) { return line == "tcp" || line == "udp"; });
  if (said(host, "a network of their own")) std::erase(reached, "abstract");
  CHECK(reached == Lines{"tried"});
  // The same script reaches both from outside, so that a refusal above is one.
  EngineCommand free = scene.engine(script);
  free.isolation = Isolation::none;
  const Lines outside = lines_of(host, free);
  CHECK(std::ranges::count(outside, "path") == 1);
  CHECK(std::ranges::count(outside, "abstract") == 1);
  close(by_path);
  close(by_name);
}

TEST_CASE("strict: a link in the engine's own folder neither stops it nor leads it out", "[cage]") {
  Host host("links");
  if (!has_own_view(host)) return;
  const Scene scene;
  EngineCommand command = scene.engine("cat big.nnue; cat planted/big.nnue; echo tried");
  // A net by a link, as people have them: both names are told.
  fs::create_symlink(scene.path("nets/deep/table.rtbw"), scene.folder / "work/big.nnue");
  command.readable = {scene.path("work/big.nnue"), fs::canonical(scene.folder / "nets/deep/table.rtbw").string()};
  // And a link of the engine's own making, to what it was not told of.
  fs::create_symlink(scene.path("nets"), scene.folder / "work/planted");
  command.readable.push_back(scene.path("work/planted"));
  const Lines lines = lines_of(host, command);
  CHECK(lines == Lines{"content of nets/deep/table.rtbw", "tried"});
}

TEST_CASE("an engine can neither trace the referee nor read its memory", "[cage]") {
  Host host("trace");
  const auto isolation = GENERATE(Isolation::basic, Isolation::strict);
  const std::string us = std::to_string(getpid());
  constexpr int attach = 16;  // PTRACE_ATTACH
  const std::string script = "exec 2>/dev/null; perl -e 'print \"traced\\n\" if syscall(" + std::to_string(SYS_ptrace) + ", " +
                             std::to_string(attach) + ", " + us + ", 0, 0) == 0; print \"read\\n\" if open(M, \"<\", \"/proc/" + us +
                             "/mem\"); print \"tried\\n\"'";
  const Lines lines = lines_of(host, shell(script, isolation));
  if (host.launcher.namespaces() == NamespaceSupport::none || said(host, "/proc of their own")) return;
  CHECK(lines == Lines{"tried"});
}

TEST_CASE("an engine of root's keeps none of its power over the host", "[cage]") {
  Host host("power");
  if (host.launcher.namespaces() == NamespaceSupport::none) return;
  const auto isolation = GENERATE(Isolation::basic, Isolation::strict);
  // CAP_SYS_MODULE 16, CAP_SYS_RAWIO 17, CAP_SYS_PTRACE 19, CAP_SYS_ADMIN 21, CAP_SYS_BOOT 22, CAP_SYS_RESOURCE 24, CAP_SYS_TIME 25,
  // CAP_MKNOD 27
  constexpr unsigned long long power =
      1ULL << 16 | 1ULL << 17 | 1ULL << 19 | 1ULL << 21 | 1ULL << 22 | 1ULL << 24 | 1ULL << 25 | 1ULL << 27;
  Lines lines = lines_of(host, shell("grep -E 'Cap(Prm|Eff|Bnd)' /proc/self/status | cut -f2; test -w /proc/sys/kernel/core_pattern && "
                                     "echo writes; umount /proc 2>/dev/null && echo unmounts; echo tried",
                                     isolation));
  // In a chroot nothing can be mounted: the kernel's settings stay as they are shown, and that was said.
  if (said(host, "/proc of their own")) std::erase(lines, "writes");
  REQUIRE(lines.size() == 4);
  for (std::size_t i = 0; i < 2; ++i) CHECK((std::stoull(lines.at(i), nullptr, 16) & power) == 0);
  if (geteuid() == 0) CHECK((std::stoull(lines.at(2), nullptr, 16) & power) == 0);
  CHECK(lines.back() == "tried");
}
