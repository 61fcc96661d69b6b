#include "referee/daemon/http_server.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <charconv>
#include <cstring>
#include <iterator>
#include <list>
#include <thread>

#include "referee/daemon/connection.hpp"
#include "referee/daemon/websocket_session.hpp"

namespace referee::daemon {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;

using Socket = asio::generic::stream_protocol::socket;

constexpr std::chrono::milliseconds after_accept_error{100};
constexpr std::size_t read_at_once = 32 * 1024;  // Beast throws at a field of 64 KiB: none comes so far
constexpr unsigned http_1_1 = 11;                // as Beast counts

/// A program that is started from here must not hold a port or a viewer after this one is gone.
void keep_from_children(int descriptor) { ::fcntl(descriptor, F_SETFD, FD_CLOEXEC); }

Peer peer_of(Socket& socket) {
  Peer peer;
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (getpeername(socket.native_handle(), reinterpret_cast<sockaddr*>(&address), &size) == 0 &&
      (address.ss_family == AF_INET || address.ss_family == AF_INET6)) {
    peer.transport = Peer::Transport::tcp;
    if (address.ss_family == AF_INET) {
      const auto* v4 = reinterpret_cast<const sockaddr_in*>(&address);
      peer.address = asio::ip::address_v4(ntohl(v4->sin_addr.s_addr)).to_string();
    } else {
      const auto* v6 = reinterpret_cast<const sockaddr_in6*>(&address);
      asio::ip::address_v6::bytes_type bytes{};
      std::memcpy(bytes.data(), v6->sin6_addr.s6_addr, bytes.size());
      const asio::ip::address_v6 full(bytes);
      peer.address = full.is_v4_mapped() ? asio::ip::make_address_v4(asio::ip::v4_mapped, full).to_string() : full.to_string();
    }
    return peer;
  }
  ucred credentials{};
  size = sizeof credentials;
  if (getsockopt(socket.native_handle(), SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0) peer.uid = credentials.uid;
  return peer;
}

std::string text_of(beast::string_view view) { return {view.data(), view.size()}; }

http::status status_of(int code) { return http::int_to_status(static_cast<unsigned>(code)); }

Response failure(int status, std::string_view text) {
  Response response;
  response.status = status;
  response.body = R"({"error":")" + std::string(text) + "\"}";
  return response;
}

/// RFC 9110, 5.6.1: what stands between the commas of a list, the empty ones too.
std::vector<std::string> members_of(const std::string& list) {
  std::vector<std::string> members;
  for (std::size_t start = 0; start <= list.size();) {
    const std::size_t end = std::min(list.find(',', start), list.size());
    const std::size_t first = std::min(list.find_first_not_of(" \t", start), end);
    const std::size_t last = list.find_last_not_of(" \t", end == 0 ? 0 : end - 1);
    members.push_back(first == end ? "" : list.substr(first, last + 1 - first));
    start = end + 1;
  }
  return members;
}

class HttpSession : public std::enable_shared_from_this<HttpSession> {
 public:
  HttpSession(std::shared_ptr<ServerShared> shared, Socket socket)
      : shared_(std::move(shared)), seat_(std::make_shared<ConnectionSeat>(shared_)), peer_(peer_of(socket)), stream_(std::move(socket)) {}

  void read() {
    parser_.emplace();
    parser_->header_limit(static_cast<std::uint32_t>(shared_->limits.header_bytes));
    taken_ = 0;
    parser_->body_limit(boost::none);  // until the header has told whose request it is
    // The wait for a request is longer than the time it may take once it has begun.
    stream_.expires_after(first_ ? shared_->limits.request : shared_->limits.idle);
    first_ = false;
    http::async_read_header(stream_, buffer_, *parser_, [self = shared_from_this()](beast::error_code error, std::size_t /*bytes*/) {
      if (error) return self->read_failed(error);
      self->stream_.expires_after(self->shared_->limits.request);
      self->judge_header();
    });
  }

 private:
  void read_failed(const beast::error_code& error) {
    keep_alive_ = false;
    unread_ = true;
    if (error == http::error::body_limit) return refuse(too_large());
    if (error == http::error::header_limit) return respond(failure(431, "the request's header is too large"));
    if (error.category() == http::make_error_code(http::error::bad_method).category() && error != http::error::end_of_stream &&
        error != http::error::partial_message)
      return respond(failure(400, "not an HTTP request"));
    unread_ = false;
    shut();
  }

  /// Whose request is it, and may he? Before anything of its body is kept.
  void judge_header() {
    ++shared_->requests;
    const auto& message = parser_->get();
    keep_alive_ = message.keep_alive();
    version_ = message.version();
    request_ = {};
    request_.method = text_of(message.method_string());
    head_ = message.method() == http::verb::head;
    if (head_) request_.method = "GET";
    request_.peer = peer_;
    request_.host = text_of(message[http::field::host]);
    const std::size_t hosts = message.count(http::field::host);
    request_.origin = text_of(message[http::field::origin]);
    request_.authorization = text_of(message[http::field::authorization]);
    request_.cookie = text_of(message[http::field::cookie]);
    request_.content_type = text_of(message[http::field::content_type]);
    request_.if_none_match = text_of(message[http::field::if_none_match]);
    const auto [from, to] = message.equal_range("X-Forwarded-For");
    for (auto field = from; field != to; ++field)
      request_.forwarded_for += (request_.forwarded_for.empty() ? "" : ",") + text_of(field->value());
    if (auto refused = fault_of_framing()) {  // where the request ends is not known: nothing behind it can be one
      keep_alive_ = false;
      unread_ = true;
      return respond(std::move(*refused));
    }
    // RFC 9112, 3.2. What came before HTTP/1.1 knows no Host field.
    if (hosts > 1) return refuse(failure(400, "the request has more than one Host field (expected one)"));
    if (hosts == 0 && version_ >= http_1_1) return refuse(failure(400, "the request has no Host field (expected one)"));
    if (!is_host(request_.host)) return refuse(failure(400, "the Host field does not read (expected HOST or HOST:PORT)"));
    if (!read_target(std::string_view(message.target().data(), message.target().size()), request_))
      return refuse(failure(400, "the request's target does not read"));
    Admission admission = shared_->handler.admit(request_);
    if (admission.refused) return refuse(std::move(*admission.refused));
    pass_ = std::move(admission.pass);
    if (beast::websocket::is_upgrade(message)) return upgrade();
    const std::uint64_t most = std::min(shared_->limits.body_bytes, admission.longest_body);
    if (parser_->content_length().value_or(0) > most) return refuse(too_large());
    parser_->body_limit(most);
    if (parser_->is_done()) return serve();
    if (version_ >= http_1_1 && beast::iequals(message[http::field::expect], "100-continue")) return ask_for_body();
    read_body();
  }

  /// RFC 9112, 6.1 and 6.3: a body comes in chunks and in no other coding, or has its length, or there is none.
  [[nodiscard]] std::optional<Response> fault_of_framing() const {
    const auto& message = parser_->get();
    const auto [first, last] = message.equal_range(http::field::transfer_encoding);
    if (first == last) return std::nullopt;
    if (version_ < http_1_1) return failure(400, "HTTP/1.0 knows no Transfer-Encoding (expected Content-Length)");
    if (message.count(http::field::content_length) > 0)
      return failure(400, "the request has Transfer-Encoding and Content-Length (expected one of them)");
    const auto is_chunked = [](beast::string_view coding) { return beast::iequals(coding, "chunked"); };
    if (std::next(first) == last && is_chunked(first->value())) return std::nullopt;
    std::vector<std::string> codings;
    for (auto field = first; field != last; ++field) std::ranges::copy(members_of(text_of(field->value())), std::back_inserter(codings));
    const auto chunked = std::ranges::count_if(codings, is_chunked);
    if (chunked != 1 || !is_chunked(codings.back()))
      return failure(400, "where the request's body ends is not known (expected Transfer-Encoding: chunked)");
    return failure(501, "the request's body is coded (expected Transfer-Encoding: chunked, and no other coding)");
  }

  void upgrade() {
    if (auto refused = shared_->handler.upgrade(request_)) return refuse(std::move(*refused));
    const auto live = std::make_shared<WebSocketSession>(shared_, std::move(seat_), std::move(stream_));
    live->accept(parser_->release(), std::move(request_));
  }

  /// RFC 9110, 10.1.1: a client that asks first is told to go on, unless it speaks HTTP/1.0, where there is no such answer.
  void ask_for_body() {
    auto message = std::make_shared<http::response<http::empty_body>>(http::status::continue_, version_);
    http::async_write(stream_, *message, [self = shared_from_this(), message](beast::error_code error, std::size_t /*bytes*/) {
      if (!error) self->read_body();
    });
  }

  /// Piece by piece, so that what is no body can be counted.
  void read_body() {
    parser_->eager(true);
    beast::error_code error;
    while (buffer_.size() > 0 && error != http::error::need_more) {
      const std::size_t used = parser_->put(buffer_.data(), error);
      buffer_.consume(used);
      taken_ += used;
      if (error && error != http::error::need_more) return read_failed(error);
      if (parser_->is_done()) return serve();
    }
    const std::size_t framing = taken_ - parser_->get().body().size();
    const std::size_t room = read_at_once - buffer_.size();
    if (framing > shared_->limits.framing_bytes || room == 0) return refuse(too_much_framing());
    stream_.async_read_some(buffer_.prepare(room), [self = shared_from_this()](beast::error_code failed, std::size_t bytes) {
      if (failed) return self->read_failed(failed);
      self->buffer_.commit(bytes);
      self->read_body();
    });
  }

  void serve() {
    request_.body = std::move(parser_->get().body());
    stream_.expires_never();
    shared_->handler.handle(std::move(request_), std::move(pass_), [self = shared_from_this()](Response response) {
      asio::post(self->stream_.get_executor(), [self, response = std::move(response)]() mutable { self->respond(std::move(response)); });
    });
  }

  static Response too_large() { return failure(413, "the request is too large"); }
  /// RFC 9112, 7.1.1: extensions ought to be limited, with a 4xx for who exceeds it.
  static Response too_much_framing() { return failure(413, "the chunks' extensions or the trailer are too large"); }

  /// What is left of the request is not wanted: after the answer the connection ends.
  void refuse(Response response) {
    if (!parser_->is_done()) {
      keep_alive_ = false;
      unread_ = true;
    }
    respond(std::move(response));
  }

  template <class Message>
  void set_fields(Message& message, const Response& response) const {
    message.set(http::field::server, beast::string_view(server_name.data(), server_name.size()));
    if (!response.content_type.empty()) message.set(http::field::content_type, response.content_type);
    for (const auto& [name, value] : response.headers) message.set(name, value);
    message.keep_alive(keep_alive_);
  }

  void respond(Response response) {
    if (!response.file.empty()) return respond_file(response);
    auto message = std::make_shared<http::response<http::string_body>>(status_of(response.status), version_);
    set_fields(*message, response);
    const std::size_t size = response.body.size();
    if (!head_) message->body() = std::move(response.body);
    message->content_length(size);
    write(std::move(message));
  }

  void respond_file(const Response& response) {
    beast::error_code error;
    auto message = std::make_shared<http::response<http::file_body>>(status_of(response.status), version_);
    message->body().open(response.file.c_str(), beast::file_mode::scan, error);
    if (error) return respond(failure(404, "there is no such file yet"));
    set_fields(*message, response);
    if (head_) {
      auto head = std::make_shared<http::response<http::string_body>>(status_of(response.status), version_);
      set_fields(*head, response);
      head->content_length(message->body().size());
      return write(std::move(head));
    }
    message->prepare_payload();
    write(std::move(message));
  }

  template <class Body>
  struct Writing {
    explicit Writing(std::shared_ptr<http::response<Body>> what) : message(std::move(what)), serializer(*message) {}
    std::shared_ptr<http::response<Body>> message;
    http::response_serializer<Body> serializer;
    std::chrono::steady_clock::time_point begun = std::chrono::steady_clock::now();
    std::uint64_t taken = 0;  // bytes
  };

  template <class Body>
  void write(std::shared_ptr<http::response<Body>> message) {
    auto writing = std::make_shared<Writing<Body>>(std::move(message));
    if (!head_) return write_some(std::move(writing));
    stream_.expires_after(shared_->limits.request);
    http::async_write_header(
        stream_, writing->serializer,
        [self = shared_from_this(), writing](beast::error_code error, std::size_t /*bytes*/) { self->written(error); });
  }

  /// However long the whole takes, who takes some of it again and again gets it; who takes it drop by drop does not keep the connection.
  template <class Body>
  void write_some(std::shared_ptr<Writing<Body>> writing) {
    using std::chrono::steady_clock;
    const std::chrono::seconds earned(writing->taken / shared_->limits.least_rate);
    stream_.expires_at(std::min(steady_clock::now(), writing->begun + earned) + shared_->limits.request);
    http::async_write_some(stream_, writing->serializer,
                           [self = shared_from_this(), writing](beast::error_code error, std::size_t bytes) mutable {
                             writing->taken += bytes;
                             if (error || writing->serializer.is_done()) return self->written(error);
                             self->write_some(std::move(writing));
                           });
  }

  void written(const beast::error_code& error) {
    if (error) return;
    if (!keep_alive_ || shared_->stopping) return shut();
    read();
  }

  void shut() {
    beast::error_code ignored;
    stream_.socket().shutdown(Socket::shutdown_send, ignored);
    if (!unread_) return;
    // Closed with bytes still coming in, the connection would be reset and the answer lost: they are let in for a while, and dropped.
    stream_.expires_after(shared_->limits.linger);
    drop_rest();
  }

  void drop_rest() {
    buffer_.clear();
    stream_.async_read_some(buffer_.prepare(read_at_once), [self = shared_from_this()](beast::error_code error, std::size_t /*bytes*/) {
      if (!error) self->drop_rest();
    });
  }

  std::shared_ptr<ServerShared> shared_;
  std::shared_ptr<ConnectionSeat> seat_;
  Peer peer_;
  Stream stream_;
  beast::flat_buffer buffer_{read_at_once};  // nothing of a request that must be read as one piece may be longer
  std::optional<http::request_parser<http::string_body>> parser_;
  Request request_;
  std::any pass_;
  std::size_t taken_ = 0;  // of the request, behind its header
  unsigned version_ = http_1_1;
  bool keep_alive_ = false;
  bool head_ = false;
  bool first_ = true;
  bool unread_ = false;  // the sender has not come to the end of what was refused
};

/// Whether somebody answers on a Unix socket.
bool in_use(const std::string& path) {
  const int probe = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (probe < 0) return false;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
  const bool answered = ::connect(probe, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  ::close(probe);
  return answered;
}

}  // namespace

struct HttpServer::Impl : std::enable_shared_from_this<HttpServer::Impl> {
  using Acceptor = asio::basic_socket_acceptor<asio::generic::stream_protocol>;
  struct Listener {
    Listener(asio::io_context& io) : acceptor(io), pause(io) {}
    Acceptor acceptor;
    asio::steady_timer pause;
  };
  struct Ticker {
    Ticker(asio::io_context& io, std::chrono::milliseconds every, std::function<void()> what)
        : timer(io), interval(every), job(std::move(what)) {}
    asio::steady_timer timer;
    std::chrono::milliseconds interval;
    std::function<void()> job;
  };

  Impl(HttpHandler& handler, ServerLimits limits) : shared(std::make_shared<ServerShared>(handler, limits)) {}

  void accept(Listener& listener) {
    listener.acceptor.async_accept([this, &listener](beast::error_code error, Socket socket) {
      if (error == asio::error::operation_aborted || shared->stopping) return;
      if (error) {  // out of descriptors, most likely: without a pause this would be a busy loop
        listener.pause.expires_after(after_accept_error);
        listener.pause.async_wait([this, &listener](beast::error_code stopped) {
          if (!stopped) accept(listener);
        });
        return;
      }
      keep_from_children(socket.native_handle());
      guarded([&] {
        const std::size_t kept = peer_of(socket).transport == Peer::Transport::tcp ? shared->limits.connections / 8 : 0;
        if (shared->connections + kept < shared->limits.connections) std::make_shared<HttpSession>(shared, std::move(socket))->read();
      });
      accept(listener);
    });
  }

  void tick(Ticker& ticker) {
    ticker.timer.expires_after(ticker.interval);
    ticker.timer.async_wait([this, &ticker](beast::error_code error) {
      if (error || shared->stopping) return;
      guarded(ticker.job);
      tick(ticker);
    });
  }

  /// What is thrown is told, and ends no more than the job.
  template <class Job>
  void guarded(const Job& job) {
    try {
      job();
    } catch (const std::exception& error) { shared->handler.failed(error.what()); }
  }

  /// Until it is stopped. A handler that throws is gone, and with it the connection that it alone kept.
  void run() {
    while (!io.stopped()) guarded([this] { io.run(); });
  }

  std::shared_ptr<ServerShared> shared;
  asio::io_context io{1};
  std::list<Listener> listeners;
  std::list<Ticker> tickers;
  std::vector<std::string> socket_files;
  std::optional<asio::executor_work_guard<asio::io_context::executor_type>> work;
  std::thread thread;
};

HttpServer::HttpServer(HttpHandler& handler, ServerLimits limits) : impl_(std::make_shared<Impl>(handler, limits)) {}

HttpServer::~HttpServer() { stop(); }

void HttpServer::adopt(int descriptor) {
  Impl::Listener& listener = impl_->listeners.emplace_back(impl_->io);
  int family = AF_UNSPEC;
  socklen_t size = sizeof family;
  if (getsockopt(descriptor, SOL_SOCKET, SO_DOMAIN, &family, &size) != 0)
    throw ListenError("descriptor " + std::to_string(descriptor) + " from the service manager is no socket");
  beast::error_code error;
  keep_from_children(descriptor);
  listener.acceptor.assign(asio::generic::stream_protocol(family, 0), descriptor, error);
  if (error) throw ListenError("descriptor " + std::to_string(descriptor) + " from the service manager: " + error.message());
}

void HttpServer::listen_unix(const std::string& path) {
  sockaddr_un address{};
  if (path.size() >= sizeof address.sun_path)
    throw ListenError(path + ": too long for a Unix socket (expected under " + std::to_string(sizeof address.sun_path) + " bytes)");
  struct stat found {};
  if (::lstat(path.c_str(), &found) == 0) {
    if (!S_ISSOCK(found.st_mode)) throw ListenError(path + ": exists and is no socket");
    if (in_use(path)) throw ListenError(path + ": a daemon listens on it already");
    ::unlink(path.c_str());
  }
  const int descriptor = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
  // Rights are there before anybody can connect: the file is born with them.
  const mode_t before = ::umask(0117);
  const bool bound = descriptor >= 0 && ::bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  const int why = errno;
  ::umask(before);
  if (!bound || ::listen(descriptor, SOMAXCONN) != 0) {
    if (descriptor >= 0) ::close(descriptor);
    throw ListenError(path + ": cannot be listened on: " + std::strerror(bound ? errno : why));
  }
  adopt(descriptor);
  impl_->socket_files.push_back(path);
}

std::uint16_t HttpServer::listen_tcp(const std::string& address) {
  const std::string expected = ": no address to listen on (expected ADDRESS:PORT, as 127.0.0.1:8080 or [::1]:8080)";
  const std::size_t colon = address.rfind(':');
  if (colon == std::string::npos) throw ListenError(address + expected);
  std::string host = address.substr(0, colon);
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
  std::uint16_t port = 0;
  const char* const last = address.data() + address.size();
  const auto read = std::from_chars(address.data() + colon + 1, last, port);
  beast::error_code error;
  const asio::ip::address ip = asio::ip::make_address(host == "localhost" ? "127.0.0.1" : host, error);
  if (error || read.ec != std::errc{} || read.ptr != last) throw ListenError(address + expected);
  asio::ip::tcp::acceptor acceptor(impl_->io);
  const asio::ip::tcp::endpoint endpoint(ip, port);
  acceptor.open(endpoint.protocol(), error);
  if (!error) acceptor.set_option(asio::socket_base::reuse_address(true), error);
  if (!error) acceptor.bind(endpoint, error);
  if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (error) throw ListenError(address + ": cannot be listened on: " + error.message());
  const std::uint16_t bound = acceptor.local_endpoint().port();
  const int descriptor = acceptor.release(error);
  if (error) throw ListenError(address + ": cannot be listened on: " + error.message());
  adopt(descriptor);
  return bound;
}

void HttpServer::start() {
  impl_->work.emplace(impl_->io.get_executor());
  for (Impl::Listener& listener : impl_->listeners) impl_->accept(listener);
  impl_->thread = std::thread([impl = impl_.get()] { impl->run(); });
}

void HttpServer::stop() {
  if (impl_->shared->stopping.exchange(true)) return;
  for (const std::string& path : impl_->socket_files) ::unlink(path.c_str());
  impl_->work.reset();
  impl_->io.stop();
  if (impl_->thread.joinable()) impl_->thread.join();
}

void HttpServer::post(std::function<void()> job) {
  if (!impl_->shared->stopping) asio::post(impl_->io, std::move(job));
}

void HttpServer::every(std::chrono::milliseconds interval, std::function<void()> job) {
  impl_->tick(impl_->tickers.emplace_back(impl_->io, interval, std::move(job)));
}

std::size_t HttpServer::connections() const noexcept { return impl_->shared->connections; }
std::uint64_t HttpServer::requests() const noexcept { return impl_->shared->requests; }
std::uint64_t HttpServer::cut_off() const noexcept { return impl_->shared->cut_off; }

}  // namespace referee::daemon
