#include "referee/daemon/service.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <cstring>

namespace referee::daemon {

namespace {

constexpr int first_descriptor = 3;
constexpr long most_descriptors = 64;

std::string take(const char* name) {
  const char* value = std::getenv(name);
  std::string text = value == nullptr ? "" : value;
  unsetenv(name);
  return text;
}

std::optional<long> number(const std::string& text) {
  long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool is_for_us(const std::string& pid) { return pid.empty() || number(pid) == static_cast<long>(getpid()); }

}  // namespace

ServiceManager::ServiceManager() {
  notify_socket_ = take("NOTIFY_SOCKET");
  const std::string watchdog_pid = take("WATCHDOG_PID");
  const std::string watchdog = take("WATCHDOG_USEC");
  if (const auto allowed = number(watchdog); allowed && *allowed > 0 && is_for_us(watchdog_pid))
    watchdog_ = std::chrono::microseconds(*allowed / 2);
  const std::string listen_pid = take("LISTEN_PID");
  const std::string listen = take("LISTEN_FDS");
  (void)take("LISTEN_FDNAMES");
  if (listen_pid.empty() || !is_for_us(listen_pid)) return;
  const long count = number(listen).value_or(0);
  for (long i = 0; i < count && i < most_descriptors; ++i) {
    const int descriptor = first_descriptor + static_cast<int>(i);
    ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    sockets_.push_back(descriptor);
  }
}

void ServiceManager::tell(std::string_view state) const {
  sockaddr_un address{};
  if (notify_socket_.empty() || notify_socket_.size() >= sizeof address.sun_path) return;
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, notify_socket_.data(), notify_socket_.size());
  if (notify_socket_.front() == '@') address.sun_path[0] = '\0';  // the abstract namespace
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + notify_socket_.size());
  const int descriptor = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return;
  (void)::sendto(descriptor, state.data(), state.size(), MSG_NOSIGNAL, reinterpret_cast<const sockaddr*>(&address), size);
  ::close(descriptor);
}

}  // namespace referee::daemon
