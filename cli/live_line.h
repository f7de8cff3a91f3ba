#pragma once

#include <chrono>
#include <string>

namespace gir::cli {

/// A progress line on standard error: rewritten in place on a terminal, else a new line every few seconds.
class LiveLine {
 public:
  LiveLine();
  ~LiveLine() { end(); }
  LiveLine(const LiveLine&) = delete;
  LiveLine& operator=(const LiveLine&) = delete;

  /// Whether enough time has passed since the last line (or since construction) to show another.
  bool due() const;

  void show(const std::string& text);

  /// Keeps the current line and begins a new one, which is due after a pause.
  void end();

  /// Erases the current line on a terminal; plain lines stay.
  void erase();

 private:
  using Clock = std::chrono::steady_clock;

  bool on_terminal_;
  bool drawn_ = false;
  Clock::time_point shown_at_ = Clock::now();
};

/// 75 s as "1 min 15 s"; less than a second with one decimal.
std::string duration_text(double seconds);

}  // namespace gir::cli
