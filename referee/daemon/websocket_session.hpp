// One viewer: a WebSocket over a connection that was HTTP. Messages wait for it within bounds; who reads too slowly is cut off. What it
// says is heard one message at a time: the next is left to the system until the answer has gone out, so that no viewer asks for more at
// once than it takes.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <cstddef>
#include <deque>
#include <memory>
#include <string_view>

#include "referee/daemon/connection.hpp"

namespace referee::daemon {

class WebSocketSession : public LiveConnection, public std::enable_shared_from_this<WebSocketSession> {
 public:
  WebSocketSession(std::shared_ptr<ServerShared> shared, std::shared_ptr<ConnectionSeat> seat, Stream stream);

  /// Answers the upgrade; HttpHandler::connected follows.
  void accept(const boost::beast::http::request<boost::beast::http::string_body>& upgrade, Request request);
  void send(Text text) override;
  [[nodiscard]] std::size_t queued() const noexcept override { return queue_.size(); }
  void close(std::string_view why) override;
  void hold() override { held_ = true; }
  void go_on() override;

 private:
  template <class Job>
  void guarded(const Job& job);
  void read();
  /// The next message, once what the last one brought is on its way and its sender's allowance has room for another.
  void read_when_due();
  void rest(std::chrono::milliseconds pause);
  void write();
  void abandon();
  void ended();

  std::shared_ptr<ServerShared> shared_;
  std::shared_ptr<ConnectionSeat> seat_;
  boost::beast::websocket::stream<Stream> socket_;
  boost::beast::flat_buffer buffer_;
  std::deque<Text> queue_;
  std::size_t queued_bytes_ = 0;
  std::size_t unsent_answers_ = 0;  // of the queue's front, up to the last that a message has brought
  boost::asio::steady_timer pause_;
  Request request_;  // that it came by
  bool open_ = false;
  bool writing_ = false;
  bool reading_ = false;
  bool held_ = false;
  bool pausing_ = false;
  bool told_ = false;
};

}  // namespace referee::daemon
