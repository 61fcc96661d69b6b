// /api/v1: requests to answers. On the office's thread; what the daemon is and how it is doing comes in by value.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "referee/daemon/access.hpp"
#include "referee/daemon/http.hpp"
#include "referee/daemon/office.hpp"
#include "referee/daemon/rating_desk.hpp"

namespace referee::daemon {

struct ServerState {
  std::string version;
  std::chrono::steady_clock::time_point since;
  std::size_t connections = 0, viewers = 0;
  std::uint64_t requests = 0, cut_off = 0;
};

class Api {
 public:
  explicit Api(Office& office) : office_(office) {}

  /// Which right a request needs; nullopt if there is nothing of that name.
  [[nodiscard]] static std::optional<Right> right_for(const Request& request);
  /// `request.segments` begin with "api", "v1". Never throws; `reply` is called once, perhaps later.
  void handle(const Request& request, const Caller& caller, const ServerState& state, const Reply& reply);
  /// Prometheus text.
  [[nodiscard]] std::string metrics(const ServerState& state);

 private:
  using Words = const std::vector<std::string>&;
  Response info(const ServerState& state, const Caller& caller);
  Response matches(const Request& request, const Caller& caller);
  Response match(const Request& request, int id, const Caller& caller);
  Response games(const Request& request, int id);
  Response game(const Request& request, int id, int number);
  Response faults(const Request& request, int id);
  Response events(const Request& request, int id);
  Response desk();
  void order(const Request& request, int id, int game, const Caller& caller, const Reply& reply);
  Response engines(const Request& request, const Caller& caller);
  Response tokens(const Request& request, const Caller& caller);
  Response audit(const Request& request);
  enum class Form { json, page };
  void ratings(const Request& request, Form form, const Reply& reply);

  Office& office_;
  RatingDesk ratings_{{}};
};

}  // namespace referee::daemon
