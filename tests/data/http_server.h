#pragma once

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdint>
#include <deque>
#include <limits>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "gir/core/error.h"

namespace gir::testing {

/// How the server responds to a request; by default correctly.
struct HttpReply {
  int status = 200;                               ///< anything but 200 is sent with an empty body
  std::string location = {};                      ///< for redirects
  std::string body = {};                          ///< the file; ranges are cut from it
  bool ignores_range = false;                     ///< always sends the whole file with status 200
  std::int64_t range_shift = 0;                   ///< sends a range that starts that much later than requested
  bool names_length = true;                       ///< else the response ends with the connection
  std::optional<std::int64_t> length = {};        ///< declared instead of the true one
  std::optional<std::int64_t> drops_after = {};   ///< closes the connection after that many bytes of body
  std::optional<std::int64_t> stalls_after = {};  ///< sends nothing more, but keeps the connection
};

struct HttpRequest {
  std::string path;
  std::string range;  ///< value of the header, empty without one
};

/// A small HTTP/1.1 server on a free port of 127.0.0.1: one connection at a time, one request per connection.
class HttpServer {
 public:
  explicit HttpServer(HttpReply reply) : usual_(std::move(reply)) {
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    ensure(::bind(listener_, generic, size) == 0 && ::listen(listener_, 16) == 0 &&
               ::getsockname(listener_, generic, &size) == 0,
           "the test server cannot listen on 127.0.0.1");
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { serve(); });
  }
  ~HttpServer() {
    stopping_ = true;
    thread_.join();
    ::close(listener_);
  }
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  std::string url(std::string_view path = "/file") const { return fmt::format("http://127.0.0.1:{}{}", port_, path); }

  /// The next requests get these replies, one each; those after them the usual one.
  void first(std::deque<HttpReply> replies) {
    const std::lock_guard lock(mutex_);
    first_ = std::move(replies);
  }
  void from_now_on(HttpReply reply) {
    const std::lock_guard lock(mutex_);
    usual_ = std::move(reply);
  }

  std::vector<HttpRequest> requests() const {
    const std::lock_guard lock(mutex_);
    return requests_;
  }

  /// Bytes of bodies sent so far.
  std::int64_t bytes_sent() const {
    const std::lock_guard lock(sending_);
    return bytes_sent_;
  }

 private:
  void serve() {
    while (!stopping_) {
      pollfd waiting{listener_, POLLIN, 0};
      if (::poll(&waiting, 1, 10) <= 0) continue;
      const int connection = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
      if (connection < 0) continue;
      answer(connection);
      ::close(connection);
    }
  }

  void answer(int connection) {
    const std::string head = receive_head(connection);
    if (head.empty()) return;
    const HttpRequest request{head.substr(4, head.find(' ', 4) - 4), header(head, "range: ")};
    const HttpReply reply = note(request);
    if (reply.status != 200) {
      const std::string location = reply.location.empty() ? "" : "Location: " + reply.location + "\r\n";
      send_all(connection, fmt::format("HTTP/1.1 {} Whatever\r\n{}Content-Length: 0\r\nConnection: close\r\n\r\n",
                                       reply.status, location));
      return;
    }
    send_file(connection, reply, range_start(request, reply));
  }

  HttpReply note(const HttpRequest& request) {
    const std::lock_guard lock(mutex_);
    requests_.push_back(request);
    if (first_.empty()) return usual_;
    HttpReply reply = std::move(first_.front());
    first_.pop_front();
    return reply;
  }

  /// Reads up to the empty line; empty where the client closes the connection before.
  std::string receive_head(int connection) const {
    std::string head;
    char byte = 0;
    while (!head.ends_with("\r\n\r\n")) {
      if (!becomes_readable(connection) || ::recv(connection, &byte, 1, 0) != 1) return "";
      head += byte;
    }
    return head;
  }

  bool becomes_readable(int connection) const {
    while (!stopping_) {
      pollfd waiting{connection, POLLIN, 0};
      if (::poll(&waiting, 1, 10) > 0) return true;
    }
    return false;
  }

  static std::string header(std::string head, std::string_view name) {
    std::string lower = head;
    std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
    const std::size_t found = lower.find(fmt::format("\r\n{}", name));
    if (found == std::string::npos) return "";
    const std::size_t start = found + 2 + name.size();
    return head.substr(start, head.find("\r\n", start) - start);
  }

  /// Start of the requested range; nothing for the whole file.
  static std::optional<std::int64_t> range_start(const HttpRequest& request, const HttpReply& reply) {
    constexpr std::string_view kUnit = "bytes=";
    if (reply.ignores_range || !request.range.starts_with(kUnit)) return std::nullopt;
    std::int64_t start = 0;
    const std::string& range = request.range;
    std::from_chars(range.data() + kUnit.size(), range.data() + range.size(), start);
    return start + reply.range_shift;
  }

  void send_file(int connection, const HttpReply& reply, std::optional<std::int64_t> start) {
    const auto size = static_cast<std::int64_t>(reply.body.size());
    std::string head = "HTTP/1.1 200 OK\r\n";
    if (start && *start >= size) {
      send_all(connection, fmt::format("HTTP/1.1 416 Range Not Satisfiable\r\nContent-Range: bytes */{}\r\n"
                                       "Content-Length: 0\r\nConnection: close\r\n\r\n",
                                       size));
      return;
    }
    if (start) {
      head = fmt::format("HTTP/1.1 206 Partial Content\r\nContent-Range: bytes {}-{}/{}\r\n", *start, size - 1, size);
    }
    const std::string_view body = std::string_view(reply.body).substr(static_cast<std::size_t>(start.value_or(0)));
    if (reply.names_length) {
      head += fmt::format("Content-Length: {}\r\n", reply.length.value_or(static_cast<std::int64_t>(body.size())));
    }
    if (!send_all(connection, head + "Connection: close\r\n\r\n")) return;
    constexpr std::int64_t kAll = std::numeric_limits<std::int64_t>::max();
    const std::int64_t cut = std::min(reply.drops_after.value_or(kAll), reply.stalls_after.value_or(kAll));
    {
      // The client may finish before the bytes are counted; readers of the count wait for it.
      const std::lock_guard lock(sending_);
      bytes_sent_ += send_all(connection, body.substr(0, static_cast<std::size_t>(cut)));
    }
    // Nothing is expected from the client any more: the connection becomes readable when the client closes it.
    if (reply.stalls_after) becomes_readable(connection);
    ::shutdown(connection, SHUT_WR);
  }

  /// Number of bytes that the client accepted before it closed the connection or the server was stopped.
  std::int64_t send_all(int connection, std::string_view bytes) const {
    std::size_t sent = 0;
    while (sent < bytes.size() && !stopping_) {
      pollfd waiting{connection, POLLOUT, 0};
      if (::poll(&waiting, 1, 10) <= 0) continue;
      const ssize_t count = ::send(connection, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
      if (count <= 0) break;
      sent += static_cast<std::size_t>(count);
    }
    return static_cast<std::int64_t>(sent);
  }

  int listener_ = -1;
  int port_ = 0;
  std::atomic<bool> stopping_{false};
  mutable std::mutex sending_;
  std::int64_t bytes_sent_ = 0;
  mutable std::mutex mutex_;
  HttpReply usual_;
  std::deque<HttpReply> first_;
  std::vector<HttpRequest> requests_;
  std::thread thread_;
};

}  // namespace gir::testing
