// Who may do what. On the Unix socket the file's rights decide, and whoever may open it may do everything. On TCP a token decides, carried
// as "Authorization: Bearer TOKEN" or in the cookie that the page gets for it. On the server's thread.
#pragma once

#include <chrono>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "referee/daemon/http.hpp"
#include "referee/daemon/ip_address.hpp"
#include "referee/daemon/registry.hpp"

namespace referee::daemon {

/// What a request asks for.
enum class Right {
  look,     // viewer, operator, arbiter
  operate,  // operator: submit, pause, resume, stop, priorities
  rule,     // arbiter: orders
  own,      // this machine's user alone, by the Unix socket: engines, tokens
};

struct Caller {
  std::string who;  // for the audit: "alice (local)", "token desk"
  bool local = false;
  std::set<Role> roles;
  [[nodiscard]] bool may(Right right) const noexcept;
};

struct AccessSettings {
  enum class PublicView { no, yes };
  PublicView public_view = PublicView::no;  // looking needs no token on TCP
  std::vector<std::string> hosts;           // names under which the service is reached, besides addresses and localhost
  double requests_a_second = 20;            // of one address on TCP; ten times as many at once
  int failures_a_minute = 20;               // wrong tokens of one address
  std::vector<Network> proxies{};           // whose X-Forwarded-For says which address a request is of
};

class Access {
 public:
  explicit Access(AccessSettings settings) : settings_(std::move(settings)) {}

  void set_tokens(std::vector<TokenRecord> tokens) { tokens_ = std::move(tokens); }
  void set_hosts(std::vector<std::string> hosts) { settings_.hosts = std::move(hosts); }

  using Now = std::chrono::steady_clock::time_point;
  /// Host, Origin, rate and token of a request; a refusal (400, 401, 403, 429) or who it is. Asking for the page itself needs no token:
  /// `page` says that it is that.
  enum class Asked { page, service };
  struct Verdict {
    std::optional<Response> refused;
    Caller caller;
  };
  [[nodiscard]] Verdict check(const Request& request, Asked asked, Now now);
  /// A message on a connection that came by this request is taken from its visitor's allowance, as a request is: after how long the next
  /// may be read. Nothing is refused; who says more than may be waits.
  [[nodiscard]] std::chrono::milliseconds take_message(const Request& request, Now now);
  /// By what a request that was let in may look: the hash of its token, "" if it needs none, nullopt if its token has gone meanwhile.
  [[nodiscard]] std::optional<std::string> key(const Request& request) const;
  /// The refusal for who may not.
  [[nodiscard]] static Response forbidden(Right right);

 private:
  struct Visitor {
    double allowance = 0;
    Now last{};
    int failures = 0;
    Now failing_since{};
  };
  [[nodiscard]] bool host_is_ours(std::string_view host) const;
  /// What counts as one visitor; behind a trusted proxy, whom it was asked by.
  [[nodiscard]] std::string visitor_of(const Request& request) const;
  Visitor& visitor(const std::string& who, Now now);

  AccessSettings settings_;
  std::vector<TokenRecord> tokens_;
  std::map<std::string, Visitor> visitors_;  // by what visitor_of says
};

/// 256 random bits as text, with a prefix that secret scanners can know. Throws std::runtime_error if the system has none.
[[nodiscard]] std::string new_token();
[[nodiscard]] std::string hash_of_token(std::string_view token);

/// A plain error as every refusal of the service looks: {"error": "..."}.
[[nodiscard]] Response error_response(int status, std::string_view text);
/// 401 with the challenge that it must carry (RFC 9110, 15.5.2, in the form of RFC 6750, section 3).
enum class Token { missing, unknown };
[[nodiscard]] Response unauthorized(Token token);
/// 405; what may be done there stands in its words and in the field Allow (RFC 9110, 15.5.6), HEAD wherever GET does.
[[nodiscard]] Response wrong_method(const Request& request, std::initializer_list<std::string_view> allowed);

inline constexpr std::string_view token_cookie = "referee_token";

}  // namespace referee::daemon
