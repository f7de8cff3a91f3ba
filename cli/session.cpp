#include "gir/cli/session.h"

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <memory>

#include "flag_text.h"
#include "gir/core/error.h"
#include "gir/core/file.h"
#include "gir/core/parallel.h"
#include "gir/core/text.h"
#include "live_line.h"

namespace gir::cli {
namespace {

volatile std::sig_atomic_t interrupted = 0;
volatile std::sig_atomic_t polled = 0;  ///< the running work checks `interrupted` regularly

/// The first Ctrl-C stops work that polls for it cleanly; any other ends the program at once, after removing temporary
/// files.
void on_interrupt(int) {
  if (polled != 0 && interrupted == 0) {
    interrupted = 1;
    return;
  }
  remove_temporary_files();
  constexpr std::string_view kMessage = "gir: interrupted\n";
  static_cast<void>(!::write(STDERR_FILENO, kMessage.data(), kMessage.size()));
  ::_exit(130);
}

/// The progress of one operation after the other.
class ProgressLine {
 public:
  void show(const Progress& progress) {
    if (progress.what != what_) {
      line_.end();
      started_at_ = Clock::now();
      what_ = progress.what;
      shown_ = false;
      finished_ = false;
    }
    const bool finished = progress.total > 0 && progress.done >= progress.total;
    // An operation that takes only a moment is not shown, except for downloads (which count bytes).
    const bool show_now = finished ? !finished_ && (shown_ || progress.unit.empty()) : line_.due();
    if (!show_now) return;
    line_.show(text(progress, std::chrono::duration<double>(Clock::now() - started_at_).count()));
    shown_ = true;
    finished_ = finished;
  }

 private:
  using Clock = std::chrono::steady_clock;

  /// "file.txt: 3.0 MiB of 12.0 MiB (25 %), 1.5 MiB/s, 6 s left".
  static std::string text(const Progress& progress, double seconds) {
    const double rate = seconds > 0 ? static_cast<double>(progress.done) / seconds : 0;
    const auto amount = [&](std::int64_t count) {
      return progress.unit.empty() ? human_bytes(count) : with_thousands(count);
    };
    std::string line = fmt::format("{}: {}", progress.what, amount(progress.done));
    if (progress.total > 0) {
      line += fmt::format(" of {} ({} %)", amount(progress.total), progress.done * 100 / progress.total);
    }
    if (!progress.unit.empty()) line += fmt::format(" {}", progress.unit);
    if (rate > 0 && progress.unit.empty()) line += fmt::format(", {}/s", human_bytes(static_cast<std::int64_t>(rate)));
    if (rate > 0 && progress.total > progress.done) {
      line += fmt::format(", {} left", duration_text(static_cast<double>(progress.total - progress.done) / rate));
    }
    return line;
  }

  LiveLine line_;
  std::string what_;
  bool shown_ = false;
  bool finished_ = false;
  Clock::time_point started_at_ = Clock::now();
};

}  // namespace

void Session::catch_signals() const {
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
  std::signal(SIGHUP, on_interrupt);
  std::signal(SIGXFSZ, SIG_IGN);  // writing a file that is too large then fails instead of ending the program
}

void Session::init() {
  context.threads = threads;
  static_cast<void>(format());  // report an unknown format before any work
}

void Session::print(std::string_view text) const {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
    throw UserError("cannot write to standard output");
  }
}

void Session::print_json(const nlohmann::json& document) const {
  // Names from files may contain any bytes, but JSON is UTF-8.
  print(document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

void Session::note(std::string_view text) const {
  if (!quiet) fmt::print(stderr, "{}\n", with_flags(text));
}

void Session::stop_if_asked() const {
  polled = 1;
  if (interrupted != 0) throw Interrupted();
}

void Session::stop_if_interrupted() const {
  if (interrupted != 0) throw Interrupted();
}

ProgressCallback Session::progress() const {
  stop_if_asked();
  const auto line = quiet ? nullptr : std::make_shared<ProgressLine>();
  return [this, line](const Progress& progress) {
    stop_if_asked();
    if (line) line->show(progress);
  };
}

void add_shared_flags(CLI::App& command, Session& session) {
  command.add_option("--data-dir", session.data_dir, "Directory that is searched first for data sets")
      ->type_name("DIR")
      ->group("All commands");
  command.add_option("--format", session.format_name, "Print results as text, json, md, csv or tex")
      ->capture_default_str()
      ->type_name("NAME")
      ->group("All commands");
  command.add_option("--threads", session.threads, "Number of threads (default: all)")
      ->check([](const std::string& text) {
        const bool positive = !text.empty() && text.size() < 6 && text[0] != '0' &&
                              text.find_first_not_of("0123456789") == std::string::npos;
        return positive ? std::string() : fmt::format("{} is not a number of threads [use at least 1]", quoted(text));
      })
      ->type_name("N")
      ->group("All commands");
  command.add_option("--device", session.device, "Device: cpu, cuda or cuda:N (gir info devices)")
      ->capture_default_str()
      ->type_name("NAME")
      ->group("All commands");
  command.add_option("--precision", session.precision, "Precision of matrix products on a GPU: fp32, tf32 or bf16")
      ->capture_default_str()
      ->type_name("NAME")
      ->group("All commands");
  CLI::Option* quiet = command.add_flag("-q,--quiet", session.quiet, "No notes and no progress");
  quiet->group("All commands");
  command.add_flag("-v,--verbose", session.verbose, "More notes: what was read, and how long it took")
      ->excludes(quiet)
      ->group("All commands");
}

void set_action(CLI::App& command, Session& session, std::function<void()> action) {
  add_shared_flags(command, session);
  command.callback([&session, action = std::move(action)] { session.action = action; });
}

CLI::App* add_command(CLI::App& parent, Session& session, const std::string& name, const std::string& summary,
                      std::function<void()> action) {
  CLI::App* command = parent.add_subcommand(name, summary);
  set_action(*command, session, std::move(action));
  return command;
}

}  // namespace gir::cli
