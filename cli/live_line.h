#pragma once

#include <chrono>
#include <string>

namespace gir::cli {

/// Progress on standard error: one rewritten line on a terminal, a plain line every few seconds elsewhere.
class LiveLine {
 public:
  LiveLine();
  ~LiveLine() { end(); }
  LiveLine(const LiveLine&) = delete;
  LiveLine& operator=(const LiveLine&) = delete;

  /// Whether enough time has passed since the last line (since `start` when there was none) to show another.
  bool due() const;

  void show(const std::string& text);

  /// Leaves what stands there and begins anew; the next line is due after a pause.
  void end();

  /// Takes the line away, as if it had never been; plain lines stay.
  void erase();

 private:
  using Clock = std::chrono::steady_clock;

  bool on_terminal_;
  bool drawn_ = false;
  Clock::time_point shown_at_ = Clock::now();
};

/// 75 s as "1 min 15 s"; less than a second with a digit after the point.
std::string duration_text(double seconds);

}  // namespace gir::cli
