#pragma once

#include <string>
#include <string_view>

#include "gir/core/progress.h"
#include "gir/data/download.h"
#include "partial_file.h"

namespace gir {

inline constexpr std::string_view kChangedAtSource =
    "the file seems to have changed at its source, get the right one by hand";

/// What one call of download() works on.
struct DownloadJob {
  const DownloadRequest& request;
  const ProgressCallback& progress;
  const DownloadOptions& options;

  std::int64_t most_bytes() const { return request.bytes.value_or(options.largest); }

  /// Tells the progress callback, if there is one; `remark` follows the name of the file.
  void report(std::int64_t done, std::int64_t total, std::string_view remark = "") const;
};

/// How one request to the server ended.
struct TransferResult {
  bool complete = false;        ///< there is no more to come
  bool worth_retrying = false;  ///< else: the same request may succeed later
  std::string problem = {};     ///< else: what went wrong, in words
  std::string_view remedy = {};
};

/// Sends one request for the bytes that `part` still lacks and appends them. Where the server sends the
/// whole file instead, `part` starts anew.
TransferResult request_rest(const DownloadJob& job, PartialFile& part);

}  // namespace gir
