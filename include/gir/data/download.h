#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "gir/core/progress.h"

namespace gir {

/// A file to download, and how to verify it.
struct DownloadRequest {
  std::string url;                    ///< http or https
  std::filesystem::path target;       ///< missing parent folders are created
  std::string sha256;                 ///< 64 lower-case hexadecimal digits
  std::optional<std::int64_t> bytes;  ///< size of the file, where known
};

struct DownloadOptions {
  int retries = 3;                                 ///< consecutive retries without a new byte before giving up
  std::chrono::milliseconds first_pause{500};      ///< before the first retry; doubles with each consecutive one
  std::chrono::milliseconds connect_limit{20000};  ///< for name lookup and connecting
  std::chrono::seconds stall_limit{30};            ///< time below 100 bytes per second before the transfer is ended
  std::int64_t largest = std::int64_t{16} << 30;   ///< size limit where the request does not give the size
};

struct DownloadResult {
  bool already_there = false;     ///< the target had the right content, and the network was not used
  std::int64_t resumed_from = 0;  ///< bytes of an earlier, interrupted call
};

/// Downloads a file unless `request.target` has the right content already. Bytes are written to `<target>.part`, which
/// is kept when the transfer is interrupted or the process is killed; the next call requests only the rest. The target
/// is replaced atomically, after size and hash were verified. A second process that downloads the same file waits for
/// the first.
///
/// `progress` (may be empty) counts bytes; throwing from it stops the transfer within about a second. UserError when
/// the download fails: the bytes so far are kept, except those with a wrong hash. The proxy variables of libcurl apply,
/// except for connections to this machine.
DownloadResult download(const DownloadRequest& request, const ProgressCallback& progress = {},
                        const DownloadOptions& options = {});

}  // namespace gir
