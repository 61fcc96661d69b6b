#include "referee/daemon/daemon.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <boost/json.hpp>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <set>

#include "engine_iface/launcher.hpp"
#include "referee/daemon/access.hpp"
#include "referee/daemon/api.hpp"
#include "referee/daemon/http_server.hpp"
#include "referee/daemon/live_hub.hpp"
#include "referee/daemon/office.hpp"
#include "referee/daemon/page_files.hpp"
#include "referee/daemon/parameters.hpp"
#include "referee/daemon/service.hpp"
#include "referee/match/fingerprints.hpp"
#include "referee/match/host.hpp"
#include "referee/record/owner_lock.hpp"

namespace referee::daemon {

namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

constexpr std::size_t longest_socket_path = 100;
constexpr std::string_view description_path = "/api/v1/openapi.yaml";
constexpr std::string_view token_is_gone = "the token is not known any more";
constexpr std::string_view session_path = "/api/v1/session";
constexpr std::string_view live_path = "/api/v1/live";
// Bodies: of a match file (1 MiB) every byte may take six in JSON; tokens are short; what remains are orders and keys of engines.
constexpr std::size_t longest_submission = 8 * 1024 * 1024;
constexpr std::size_t longest_login = 4 * 1024;
constexpr std::size_t longest_order = 256 * 1024;
constexpr std::string_view content_policy =
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'";

void harden(Response& response) {
  response.headers.emplace_back("X-Content-Type-Options", "nosniff");
  response.headers.emplace_back("Referrer-Policy", "no-referrer");
}

const PageFile* page_file(std::string_view path) {
  const auto& files = page_files();
  const auto found = std::ranges::find(files, path, &PageFile::path);
  return found == files.end() ? nullptr : &*found;
}

using Say = std::function<void(const std::string&)>;

/// All addresses, bound: who finds one taken learns of it before anything else begins.
struct Ears {
  Ears(HttpServer& server, const DaemonSettings& settings, const ServiceManager& manager, const Say& say) {
    for (const int descriptor : manager.sockets()) server.adopt(descriptor);
    if (!settings.socket.empty() && manager.sockets().empty()) {
      server.listen_unix(settings.socket);
      say("listening on " + settings.socket);
    }
    for (const std::string& address : settings.listen) {
      const std::uint16_t port = server.listen_tcp(address);
      say("listening on http://" + address.substr(0, address.rfind(':')) + ":" + std::to_string(port));
    }
  }
};

class Daemon : public HttpHandler {
 public:
  Daemon(const DaemonSettings& settings, const ServiceManager& manager, int cores, Say say)
      : settings_(settings),
        say_(std::move(say)),
        access_({.public_view = settings.public_view ? AccessSettings::PublicView::yes : AccessSettings::PublicView::no,
                 .hosts = settings.hosts,
                 .proxies = settings.proxies}),
        server_(*this, {}),
        ears_(server_, settings, manager, say_),
        hub_({.log_of = [this](int match) { return office_.log_of(match); },
              .knows = [this](int match) { return office_.knows(match); },
              .open_log = [this](int match) { office_.open_log(match); },
              .elsewhere =
                  [this](std::function<void()> job, std::function<void()> done) {
                    office_.post([this, job = std::move(job), done = std::move(done)] {
                      job();
                      server_.post(done);
                    });
                  }}),
        api_(office_),
        office_({.data = settings.data, .cores = cores, .socket = settings.socket}, hooks()) {}

  HttpServer& server() noexcept { return server_; }

  void reload() {
    office_.post([this] { office_.reload(); });
  }
  void stop() {
    server_.post([this] { hub_.close_all("the daemon stops"); });
    office_.stop();
    server_.stop();
  }
  /// True if both threads have done something since the last call.
  [[nodiscard]] bool is_alive() {
    const bool alive = server_beats_ != told_server_beats_ && office_beats_ != told_office_beats_;
    told_server_beats_ = server_beats_;
    told_office_beats_ = office_beats_;
    server_.post([this] { ++server_beats_; });
    office_.post([this] { ++office_beats_; });
    return alive;
  }

  // HttpHandler, on the server's thread ------------------------------------------------------------------------------------

  Admission admit(const Request& head) override {
    Admission admission;
    const bool service = head.path.starts_with("/api/") || head.path == "/metrics";
    const bool open = !service || head.path == description_path || head.path == session_path;
    Access::Verdict verdict = access_.check(head, open ? Access::Asked::page : Access::Asked::service, std::chrono::steady_clock::now());
    admission.refused = verdict.refused ? std::move(verdict.refused) : refused_by_head(head, verdict.caller);
    if (admission.refused) harden(*admission.refused);
    const bool submits = head.method == "POST" && head.segments == std::vector<std::string>{"api", "v1", "matches"};
    admission.longest_body = submits ? longest_submission : open ? longest_login : longest_order;
    admission.pass = std::move(verdict.caller);
    return admission;
  }

  void handle(Request request, std::any pass, Reply reply) override {
    const Reply hardened = [reply = std::move(reply)](Response response) {
      harden(response);
      reply(std::move(response));
    };
    if (request.path == session_path) return hardened(session(request, std::chrono::steady_clock::now()));
    if (request.path == live_path) return hardened(no_web_socket(request));
    const bool service = request.path.starts_with("/api/") || request.path == "/metrics";
    if (!service || request.path == description_path) return hardened(page(request));
    if (request.path == "/metrics" && request.method != "GET") return hardened(wrong_method(request, {"GET"}));
    office_.post([this, request = std::move(request), caller = std::any_cast<Caller>(std::move(pass)), state = state(), hardened] {
      if (request.path == "/metrics") {
        Response response;
        response.content_type = "text/plain; version=0.0.4; charset=utf-8";
        response.body = api_.metrics(state);
        return hardened(std::move(response));
      }
      api_.handle(request, caller, state, hardened);
    });
  }

  std::optional<Response> upgrade(const Request& request) override {
    if (request.path != live_path) return error_response(404, "there is no WebSocket at " + request.path);
    return std::nullopt;
  }

  void connected(std::shared_ptr<LiveConnection> connection, const Request& request) override {
    const auto key = access_.key(request);
    if (!key) return connection->close(token_is_gone);
    hub_.join(connection, subscriptions_of(request), *key);
  }

  std::chrono::milliseconds pause_after_message(const Request& request) override {
    return access_.take_message(request, std::chrono::steady_clock::now());
  }

  void failed(std::string_view what) override { say_("error: " + std::string(what)); }

 private:
  Office::Hooks hooks() {
    Office::Hooks hooks;
    hooks.on_batch = [this](LiveBatch batch) { server_.post([this, batch = std::move(batch)] { hub_.publish(batch); }); };
    hooks.on_news = [this](std::string_view what) { tell_news(std::string(what)); };
    hooks.on_tokens = [this](std::vector<TokenRecord> tokens) {
      server_.post([this, tokens = std::move(tokens)]() mutable {
        std::set<std::string> keys;
        for (const TokenRecord& token : tokens) keys.insert(token.sha256);
        access_.set_tokens(std::move(tokens));
        hub_.close_others(keys, token_is_gone);
      });
    };
    hooks.log = say_;
    return hooks;
  }

  /// Any thread. However often the same is told, viewers hear it once until they have been told.
  void tell_news(const std::string& what) {
    {
      const std::lock_guard lock(news_mutex_);
      if (!news_.insert(what).second) return;
    }
    server_.post([this, what] {
      {
        const std::lock_guard lock(news_mutex_);
        news_.erase(what);
      }
      hub_.news(what);
    });
  }

  /// There is no such thing, the caller's role does not allow it, or its parameters are not known.
  std::optional<Response> refused_by_head(const Request& head, const Caller& caller) const {
    const bool service = head.path.starts_with("/api/") || head.path == "/metrics";
    if (!service) return std::nullopt;
    if (head.path != description_path && head.path != session_path && head.path != live_path) {
      const auto right = right_for(head);
      if (!right) return error_response(404, "there is nothing at " + head.path);
      if (!caller.may(*right)) return Access::forbidden(*right);
    }
    if (const auto fault = fault_of_parameters(head)) return error_response(400, *fault);
    try {
      if (head.path == live_path) {
        for (const Subscription& wanted : subscriptions_of(head)) {
          if (!office_.knows(wanted.match)) return error_response(404, "there is no match " + std::to_string(wanted.match));
        }
      }
    } catch (const Refusal& why) { return error_response(why.status(), why.what()); }
    return std::nullopt;
  }

  static std::optional<Right> right_for(const Request& request) {
    if (request.path == "/metrics") return Right::look;
    const auto& words = request.segments;
    if (words.size() < 2 || words[0] != "api" || words[1] != "v1") return std::nullopt;
    return Api::right_for(request);
  }

  [[nodiscard]] ServerState state() const {
    ServerState state;
    state.version = settings_.version;
    state.since = since_;
    state.connections = server_.connections();
    state.viewers = hub_.clients();
    state.requests = server_.requests();
    state.cut_off = server_.cut_off();
    return state;
  }

  /// The page's login: a token becomes a cookie that scripts cannot read.
  Response session(const Request& request, std::chrono::steady_clock::time_point now) {
    Response response;
    const std::string cookie = std::string(token_cookie) + "=";
    const std::string attributes = "; Path=/; HttpOnly; SameSite=Strict";
    if (request.method == "DELETE") {
      response.body = "{}";
      response.headers.emplace_back("Set-Cookie", cookie + attributes + "; Max-Age=0");
      return response;
    }
    if (request.method != "POST") return wrong_method(request, {"POST", "DELETE"});
    if (!request.content_type.starts_with("application/json"))
      return error_response(415, "the body is no JSON (expected Content-Type: application/json)");
    json::error_code error;
    const json::value body = json::parse(request.body, error);
    const json::value* token = error || !body.is_object() ? nullptr : body.as_object().if_contains("token");
    if (token == nullptr || !token->is_string()) return error_response(400, "no token is given (expected token: a text)");
    const std::string text(token->as_string().data(), token->as_string().size());
    const bool plain = std::ranges::all_of(text, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; });
    if (!plain) return unauthorized(Token::unknown);
    Request with_token = request;
    with_token.cookie.clear();
    with_token.authorization = "Bearer " + text;
    Access::Verdict verdict = access_.check(with_token, Access::Asked::service, now);
    if (verdict.refused) return std::move(*verdict.refused);
    response.body = "{}";
    response.headers.emplace_back("Set-Cookie", cookie + text + attributes + "; Max-Age=31536000");
    return response;
  }

  static Response no_web_socket(const Request& request) {
    if (request.method != "GET") return wrong_method(request, {"GET"});
    Response response = error_response(426, "here is a WebSocket (expected: Upgrade: websocket)");
    response.headers.emplace_back("Upgrade", "websocket");
    return response;
  }

  static Response page(const Request& request) {
    if (request.method != "GET") return wrong_method(request, {"GET"});
    std::string path = request.path == description_path ? "openapi.yaml" : request.path.substr(1);
    if (path.empty()) path = "index.html";
    const PageFile* file = page_file(path);
    if (file == nullptr) return error_response(404, "there is nothing at " + request.path);
    Response response;
    const std::string tag = "\"" + std::string(file->tag) + "\"";
    response.headers.emplace_back("ETag", tag);
    response.headers.emplace_back("Cache-Control", "no-cache");
    response.headers.emplace_back("Content-Security-Policy", std::string(content_policy));
    if (request.if_none_match == tag) {
      response.status = 304;
      response.content_type.clear();
      return response;
    }
    response.content_type = file->type;
    response.body = file->bytes;
    return response;
  }

  const DaemonSettings& settings_;
  Say say_;
  std::chrono::steady_clock::time_point since_ = std::chrono::steady_clock::now();
  Access access_;  // the server's thread
  HttpServer server_;
  Ears ears_;    // before the office takes up its matches
  LiveHub hub_;  // the server's thread
  std::mutex news_mutex_;
  std::set<std::string> news_;  // that viewers have yet to be told
  std::atomic<unsigned> server_beats_{1}, office_beats_{1};
  unsigned told_server_beats_ = 0, told_office_beats_ = 0;
  Api api_;        // the office's thread
  Office office_;  // last: when it goes, requests that were put to it are answered first, and they use all the rest
};

sigset_t signals_of_ours() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&set, signal);
  return set;
}

/// Until it is time to stop; the signal that said so.
int attend(Daemon& daemon, const ServiceManager& manager, const std::function<void(const std::string&)>& say) {
  const sigset_t signals = signals_of_ours();
  using std::chrono::microseconds;
  const microseconds interval =
      std::clamp(manager.watchdog_interval().value_or(microseconds(5'000'000)), microseconds(100'000), microseconds(5'000'000));
  const timespec wait{.tv_sec = interval.count() / 1'000'000, .tv_nsec = interval.count() % 1'000'000 * 1000};
  for (;;) {
    const int signal = sigtimedwait(&signals, nullptr, &wait);
    if (signal == SIGHUP) {
      timespec now{};
      clock_gettime(CLOCK_MONOTONIC, &now);
      manager.tell("RELOADING=1\nMONOTONIC_USEC=" + std::to_string(now.tv_sec * 1'000'000LL + now.tv_nsec / 1000));
      daemon.reload();
      say("the tokens are read again");
      manager.tell("READY=1");
    } else if (signal > 0) {
      return signal;
    }
    if (daemon.is_alive()) manager.tell("WATCHDOG=1");
  }
}

}  // namespace

int serve(const DaemonSettings& settings, const std::function<void(const std::string&)>& say) {
  const ServiceManager manager;
  (void)std::signal(SIGPIPE, SIG_IGN);
  const sigset_t signals = signals_of_ours();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);  // threads made from here on inherit it; engines do not
  std::error_code error;
  for (const char* name : {"matches", "openings"}) {
    fs::create_directories(fs::path(settings.data) / name, error);
    if (error) throw record::JournalError(settings.data + ": the data folder cannot be made: " + error.message());
  }
  const record::OwnerLock lock((fs::path(settings.data) / "referee.sqlite").string());
  (void)engine::raise_open_files_limit();
  const int cores = settings.cores.value_or(std::max(1, match::physical_cores() - 1));

  Daemon daemon(settings, manager, cores, say);
  daemon.server().start();
  manager.tell("READY=1\nSTATUS=" + std::to_string(cores) + " cores for games");
  say("ready: data in " + settings.data + ", " + std::to_string(cores) + (cores == 1 ? " core" : " cores") + " for games");

  const int signal = attend(daemon, manager, say);
  manager.tell("STOPPING=1");
  say("stopping");
  daemon.stop();
  say("stopped");
  return signal == SIGINT ? 130 : 0;
}

std::string default_data_folder() {
  for (const char* name : {"REFEREE_DATA_FOLDER", "STATE_DIRECTORY"}) {
    if (const char* folder = std::getenv(name); folder != nullptr && *folder != '\0') return folder;
  }
  if (const char* state = std::getenv("XDG_STATE_HOME"); state != nullptr && *state == '/') return (fs::path(state) / "referee").string();
  const char* home = std::getenv("HOME");
  return (fs::path(home != nullptr ? home : "/var/lib") / ".local/state/referee").string();
}

std::string default_socket(const std::string& data) {
  if (const char* folder = std::getenv("RUNTIME_DIRECTORY"); folder != nullptr && *folder != '\0')
    return (fs::path(folder) / "socket").string();
  std::error_code error;
  const fs::path absolute = fs::weakly_canonical(data, error);
  std::string path = ((error ? fs::path(data) : absolute) / "socket").string();
  if (path.size() < longest_socket_path) return path;
  const char* runtime = std::getenv("XDG_RUNTIME_DIR");
  return (fs::path(runtime != nullptr ? runtime : "/tmp") / ("referee-" + match::sha256(path).substr(0, 12) + ".socket")).string();
}

}  // namespace referee::daemon
