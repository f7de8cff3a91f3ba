#include "live_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>

namespace gir::cli {

LiveLine::LiveLine() : on_terminal_(::isatty(STDERR_FILENO) != 0) {}

bool LiveLine::due() const {
  return Clock::now() - shown_at_ >= (on_terminal_ ? std::chrono::milliseconds(100) : std::chrono::milliseconds(3000));
}

void LiveLine::show(const std::string& text) {
  std::fputs((on_terminal_ ? "\r\033[K" + text : text + "\n").c_str(), stderr);
  std::fflush(stderr);
  drawn_ = on_terminal_;
  shown_at_ = Clock::now();
}

void LiveLine::end() {
  if (drawn_) std::fputc('\n', stderr);
  drawn_ = false;
  shown_at_ = Clock::now();
}

void LiveLine::erase() {
  if (drawn_) std::fputs("\r\033[K", stderr);
  drawn_ = false;
}

std::string duration_text(double seconds) {
  if (seconds < 1) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

}  // namespace gir::cli
