#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "gir/core/progress.h"

namespace gir {

/// A file to have, and how to know that it is the right one.
struct DownloadRequest {
  std::string url;                    ///< http or https
  std::filesystem::path target;       ///< missing folders above it are made
  std::string sha256;                 ///< 64 lower-case hexadecimal digits
  std::optional<std::int64_t> bytes;  ///< its size, where known
};

struct DownloadOptions {
  int retries = 3;                                 ///< in a row and without a new byte, before giving up
  std::chrono::milliseconds first_pause{500};      ///< before the first retry; doubles with each in a row
  std::chrono::milliseconds connect_limit{20000};  ///< for name lookup and connecting
  std::chrono::seconds stall_limit{30};            ///< of less than 100 bytes a second
  std::int64_t largest = std::int64_t{16} << 30;   ///< bytes accepted where the request names no size
};

struct DownloadResult {
  bool already_there = false;     ///< the target had the right content: nothing was asked of the network
  std::int64_t resumed_from = 0;  ///< bytes that an earlier, interrupted call had left
};

/// Makes `request.target` the file with the wanted content. Bytes collect in `<target>.part`, which stays
/// behind when the transfer is interrupted or the process is killed; the next call asks only for the rest.
/// The target itself changes in one step, after its size and hash were checked, and never to anything else.
/// A second process that wants the same file waits for the first.
///
/// `progress` (may be empty) counts bytes; throwing from it stops the transfer within about a second.
/// UserError when the file cannot be had: bytes so far are kept, except those whose hash is wrong.
/// The usual proxy variables of libcurl apply, but never to this machine itself.
DownloadResult download(const DownloadRequest& request, const ProgressCallback& progress = {},
                        const DownloadOptions& options = {});

}  // namespace gir
