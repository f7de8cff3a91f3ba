#pragma once

#include <string>
#include <string_view>

#include "gir/core/progress.h"
#include "gir/data/download.h"
#include "partial_file.h"

namespace gir {

inline constexpr std::string_view kChangedAtSource =
    "the file seems to have changed at its source, get the right version manually";

/// The arguments of one call of download().
struct DownloadJob {
  const DownloadRequest& request;
  const ProgressCallback& progress;
  const DownloadOptions& options;

  std::int64_t max_bytes() const { return request.bytes.value_or(options.largest); }

  /// Calls the progress callback, if there is one; `remark` follows the name of the file.
  void report(std::int64_t done, std::int64_t total, std::string_view remark = "") const;
};

/// The result of one request to the server.
struct TransferResult {
  bool complete = false;        ///< the server has no more to send
  bool worth_retrying = false;  ///< else: the same request may succeed later
  std::string problem = {};     ///< else: what went wrong, for messages
  std::string_view remedy = {};
};

/// Sends one request for the bytes that `part` lacks and appends them. Where the server sends the whole file instead,
/// `part` is replaced.
TransferResult request_rest(const DownloadJob& job, PartialFile& part);

}  // namespace gir
