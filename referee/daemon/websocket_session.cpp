#include "referee/daemon/websocket_session.hpp"

#include <boost/asio/post.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/websocket.hpp>
#include <chrono>
#include <exception>
#include <string>
#include <utility>

namespace referee::daemon {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;

WebSocketSession::WebSocketSession(std::shared_ptr<ServerShared> shared, std::shared_ptr<ConnectionSeat> seat, Stream stream)
    : shared_(std::move(shared)), seat_(std::move(seat)), socket_(std::move(stream)), pause_(socket_.get_executor()) {}

void WebSocketSession::accept(const http::request<http::string_body>& upgrade, Request request) {
  beast::get_lowest_layer(socket_).expires_never();
  auto timeouts = websocket::stream_base::timeout::suggested(beast::role_type::server);
  timeouts.idle_timeout = std::chrono::seconds(60);
  socket_.set_option(timeouts);
  socket_.read_message_max(shared_->limits.client_message_bytes);
  socket_.auto_fragment(false);  // one frame a message
  request_ = std::move(request);
  socket_.async_accept(upgrade, [self = shared_from_this()](beast::error_code error) {
    if (error) return;
    self->open_ = true;
    self->guarded([&] {
      self->shared_->handler.connected(self, self->request_);
      self->read_when_due();
    });
  });
}

void WebSocketSession::send(Text text) {
  if (!open_) return;
  if (queue_.size() >= shared_->limits.queued_messages || queued_bytes_ + text->size() > shared_->limits.queued_bytes) {
    ++shared_->cut_off;
    return abandon();
  }
  queued_bytes_ += text->size();
  queue_.push_back(std::move(text));
  if (!writing_) write();
}

void WebSocketSession::close(std::string_view why) {
  if (!open_) return;
  if (writing_) return abandon();  // Beast allows one write at a time
  open_ = false;
  socket_.async_close(websocket::close_reason(websocket::close_code::policy_error, beast::string_view(why.data(), why.size())),
                      [self = shared_from_this()](beast::error_code /*error*/) { self->ended(); });
}

/// Others keep this connection: what is thrown must end it here.
template <class Job>
void WebSocketSession::guarded(const Job& job) {
  try {
    job();
  } catch (const std::exception& error) {
    shared_->handler.failed(error.what());
    abandon();
  }
}

void WebSocketSession::go_on() {
  held_ = false;
  read_when_due();
}

void WebSocketSession::read_when_due() {
  if (open_ && !reading_ && !held_ && !pausing_ && unsent_answers_ == 0) read();
}

void WebSocketSession::read() {
  reading_ = true;
  socket_.async_read(buffer_, [self = shared_from_this()](beast::error_code error, std::size_t /*bytes*/) {
    if (error) return self->ended();
    self->guarded([&self] {
      const std::string text = beast::buffers_to_string(self->buffer_.data());
      self->buffer_.consume(self->buffer_.size());
      const std::chrono::milliseconds pause = self->shared_->handler.pause_after_message(self->request_);
      if (self->on_text) self->on_text(text);
      self->reading_ = false;
      self->unsent_answers_ = self->queue_.size();
      if (pause.count() > 0) return self->rest(pause);
      self->read_when_due();
    });
  });
}

void WebSocketSession::rest(std::chrono::milliseconds pause) {
  pausing_ = true;
  pause_.expires_after(pause);
  pause_.async_wait([self = shared_from_this()](beast::error_code error) {
    self->pausing_ = false;
    if (!error) self->read_when_due();
  });
}

void WebSocketSession::write() {
  writing_ = true;
  socket_.text(true);
  socket_.async_write(asio::buffer(*queue_.front()), [self = shared_from_this()](beast::error_code error, std::size_t /*bytes*/) {
    self->writing_ = false;
    if (error) return self->ended();
    self->queued_bytes_ -= self->queue_.front()->size();
    self->queue_.pop_front();
    if (self->unsent_answers_ > 0) --self->unsent_answers_;
    if (!self->open_) return;
    self->guarded([&self] {
      self->read_when_due();
      if (!self->queue_.empty()) return self->write();
      if (self->on_drained) self->on_drained();
    });
  });
}

void WebSocketSession::abandon() {
  open_ = false;
  beast::get_lowest_layer(socket_).close();
  asio::post(socket_.get_executor(), [self = shared_from_this()] { self->ended(); });
}

void WebSocketSession::ended() {
  open_ = false;
  pause_.cancel();
  if (std::exchange(told_, true)) return;
  auto closed = std::exchange(on_closed, nullptr);
  on_text = nullptr;
  on_drained = nullptr;
  if (closed) closed();
}

}  // namespace referee::daemon
