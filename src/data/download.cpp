#include "gir/data/download.h"

#include <algorithm>
#include <string_view>
#include <system_error>
#include <thread>

#include "gir/core/error.h"
#include "gir/core/hash.h"
#include "gir/core/text.h"
#include "http_transfer.h"
#include "partial_file.h"

namespace gir {
namespace {

/// Sleeps; calls the progress callback regularly, which may end the pause by throwing.
void pause(const DownloadJob& job, std::chrono::milliseconds duration, std::int64_t done) {
  constexpr std::chrono::milliseconds kSlice{100};
  for (; duration.count() > 0; duration -= kSlice) {
    job.report(done, job.request.bytes.value_or(0));
    std::this_thread::sleep_for(std::min(duration, kSlice));
  }
}

/// Requests the missing bytes, with retries, until the file is complete.
void fill(const DownloadJob& job, PartialFile& part) {
  const auto& bytes = job.request.bytes;
  if (part.size() > job.max_bytes()) part.clear();
  int failures = 0;
  std::int64_t furthest = part.size();
  while (!bytes || part.size() != *bytes) {
    const TransferResult attempt = request_rest(job, part);
    if (attempt.complete) return;
    if (part.size() > furthest) failures = 0;
    furthest = std::max(furthest, part.size());
    if (!attempt.worth_retrying || failures == job.options.retries) {
      throw UserError("{}: {} [{}]", job.request.url, attempt.problem, attempt.remedy);
    }
    pause(job, job.options.first_pause * (1 << std::min(failures, 6)), part.size());
    ++failures;
  }
}

/// What is wrong with a complete file; empty when it is the requested one.
std::string fault(const DownloadRequest& request, const PartialFile& part) {
  if (request.bytes && part.size() != *request.bytes) {
    return fmt::format("expected {} bytes, got {}", with_thousands(*request.bytes), with_thousands(part.size()));
  }
  const std::string found = sha256_file(part.path());
  return found == request.sha256 ? "" : fmt::format("expected sha256 {}, got {}", request.sha256, found);
}

/// Downloads, verifies and publishes the file.
DownloadResult fetch(const DownloadJob& job, PartialFile& part) {
  for (;;) {
    fill(job, part);
    const std::string problem = fault(job.request, part);
    if (problem.empty()) break;
    const bool had_leftovers = part.inherited() > 0;
    part.clear();
    // Bytes of an earlier call may belong to an older version of the file: try once more without them.
    if (had_leftovers) continue;
    throw UserError(job.request.target, "{} from {} [download refused and removed; {}]", problem, job.request.url,
                    kChangedAtSource);
  }
  const DownloadResult result{.resumed_from = part.inherited()};
  job.report(part.size(), part.size());
  part.publish();
  return result;
}

bool is_there(const DownloadRequest& request) {
  std::error_code missing;
  const auto size = std::filesystem::file_size(request.target, missing);
  if (missing || (request.bytes && size != static_cast<std::uintmax_t>(*request.bytes))) return false;
  return sha256_file(request.target) == request.sha256;
}

void check(const DownloadRequest& request) {
  const bool is_hash =
      request.sha256.size() == 64 && request.sha256.find_first_not_of("0123456789abcdef") == std::string::npos;
  ensure(is_hash, "the sha256 of a download must be 64 lower-case hexadecimal digits");
  ensure(request.bytes.value_or(0) >= 0, "a download's size is negative");
  std::error_code unreadable;
  if (std::filesystem::is_directory(request.target, unreadable)) {
    throw UserError(request.target, "is a directory, but a file is to be written there [rename it]");
  }
}

void make_parents(const std::filesystem::path& target) {
  const std::filesystem::path parent = target.parent_path();
  if (parent.empty()) return;
  std::error_code error;
  std::filesystem::create_directories(parent, error);
  if (error) {
    throw UserError(parent, "cannot create the folder: {} [choose another with `data-dir` or GIR_DATA]",
                    error.message());
  }
}

}  // namespace

DownloadResult download(const DownloadRequest& request, const ProgressCallback& progress,
                        const DownloadOptions& options) {
  const DownloadJob job{request, progress, options};
  check(request);
  if (is_there(request)) return {.already_there = true};
  make_parents(request.target);
  PartialFile part(request.target, [&](std::int64_t bytes_there) {
    job.report(bytes_there, request.bytes.value_or(0), " (another process is downloading it)");
  });
  // If another process was downloading the file, it is probably complete now.
  if (is_there(request)) return {.already_there = true};
  return fetch(job, part);
}

}  // namespace gir
