#include "referee/daemon/client.hpp"

#include <sys/socket.h>
#include <sys/time.h>

#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>

namespace referee::daemon {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;

using Socket = asio::generic::stream_protocol::socket;

constexpr long request_seconds = 120;

void set_limit(Socket& socket, long seconds) {
  const timeval limit{.tv_sec = seconds, .tv_usec = 0};
  setsockopt(socket.native_handle(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  setsockopt(socket.native_handle(), SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
}

}  // namespace

struct Client::Impl {
  explicit Impl(ClientTarget where) : target(std::move(where)) {}

  [[nodiscard]] std::string place() const { return target.socket.empty() ? target.address : target.socket; }
  [[nodiscard]] std::string host() const { return target.socket.empty() ? target.address : "localhost"; }

  Socket connect() {
    try {
      if (!target.socket.empty()) {
        asio::local::stream_protocol::socket socket(io);
        socket.connect(asio::local::stream_protocol::endpoint(target.socket));
        return Socket(std::move(socket));
      }
      const std::size_t colon = target.address.rfind(':');
      if (colon == std::string::npos) throw ClientError(target.address + ": no address (expected ADDRESS:PORT)");
      std::string name = target.address.substr(0, colon);
      if (name.size() > 2 && name.front() == '[') name = name.substr(1, name.size() - 2);
      asio::ip::tcp::resolver resolver(io);
      asio::ip::tcp::socket socket(io);
      beast::error_code error = asio::error::host_not_found;
      for (const auto& entry : resolver.resolve(name, target.address.substr(colon + 1))) {
        socket.close();
        socket.connect(entry.endpoint(), error);
        if (!error) break;
      }
      if (error) throw boost::system::system_error(error);
      return Socket(std::move(socket));
    } catch (const boost::system::system_error& error) {
      throw ClientError(place() + ": no daemon answers (" + error.code().message() +
                        "); is `referee serve` running with that data folder?");
    }
  }

  ClientTarget target;
  asio::io_context io;
};

Client::Client(ClientTarget target) : impl_(std::make_unique<Impl>(std::move(target))) {}
Client::~Client() = default;

ClientResponse Client::request(const std::string& method, const std::string& target, const std::string& body) {
  Socket socket = impl_->connect();
  set_limit(socket, request_seconds);
  http::request<http::string_body> message;
  message.method_string(method);
  message.target(target);
  message.version(11);
  message.set(http::field::host, impl_->host());
  message.set(http::field::connection, "close");
  if (!impl_->target.token.empty()) message.set(http::field::authorization, "Bearer " + impl_->target.token);
  if (!body.empty()) message.set(http::field::content_type, "application/json");
  message.body() = body;
  message.prepare_payload();
  try {
    http::write(socket, message);
    beast::flat_buffer buffer;
    http::response_parser<http::string_body> parser;
    parser.body_limit(boost::none);
    http::read(socket, buffer, parser);
    return {.status = static_cast<int>(parser.get().result_int()), .body = std::move(parser.get().body())};
  } catch (const boost::system::system_error& error) {
    throw ClientError(impl_->place() + ": the daemon's answer did not come: " + error.code().message());
  }
}

bool Client::watch(const std::string& target, const std::function<Watch(const std::string&)>& message) {
  websocket::stream<Socket> socket(impl_->connect());
  set_limit(socket.next_layer(), 0);
  socket.read_message_max(64 * 1024 * 1024);
  if (!impl_->target.token.empty()) {
    socket.set_option(websocket::stream_base::decorator(
        [token = impl_->target.token](websocket::request_type& request) { request.set(http::field::authorization, "Bearer " + token); }));
  }
  http::response<http::string_body> answer;
  beast::error_code error;
  socket.handshake(answer, impl_->host(), target, error);
  if (error) {
    const std::string why = answer.body().empty() ? error.message() : answer.body();
    throw ClientError(impl_->place() + ": the daemon does not let us watch: " + why);
  }
  beast::flat_buffer buffer;
  for (;;) {
    socket.read(buffer, error);
    if (error) return false;
    const std::string text = beast::buffers_to_string(buffer.data());
    buffer.consume(buffer.size());
    if (message(text) == Watch::enough) {
      socket.close(websocket::close_code::normal, error);
      return true;
    }
  }
}

std::string percent_encoded(const std::string& text) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.' || c == '~';
    if (plain) {
      out += c;
    } else {
      out += '%';
      out += digits[byte >> 4U];
      out += digits[byte & 15U];
    }
  }
  return out;
}

}  // namespace referee::daemon
