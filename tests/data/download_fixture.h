#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <string>

#include "gir/core/hash.h"
#include "gir/core/random.h"
#include "gir/data/download.h"
#include "http_server.h"
#include "support.h"

namespace gir::testing {

inline std::string sha256_of(std::string_view bytes) {
  Sha256 hash;
  hash.add(bytes.data(), bytes.size());
  return hash.hex();
}

inline std::string random_bytes(std::int64_t size, std::uint64_t seed) {
  Rng rng(seed, "download test");
  std::string bytes;
  for (std::int64_t i = 0; i < size; ++i) bytes += static_cast<char>(rng.below(256));
  return bytes;
}

/// A file to download into a folder that does not exist yet.
class DownloadTest : public ::testing::Test {
 protected:
  /// Short pauses and limits, for a server on this machine.
  static DownloadOptions quick() {
    DownloadOptions options;
    options.first_pause = std::chrono::milliseconds(1);
    return options;
  }
  static DownloadOptions without_retries() {
    DownloadOptions options = quick();
    options.retries = 0;
    return options;
  }

  DownloadRequest request(std::string url) const {
    return {.url = std::move(url), .target = target_, .sha256 = sha256_of(content_), .bytes = kSize};
  }
  DownloadRequest request_of_unknown_size(std::string url) const {
    DownloadRequest request = this->request(std::move(url));
    request.bytes = std::nullopt;
    return request;
  }

  /// Writes the partial file of an earlier, interrupted call.
  void leave_part(std::string_view bytes) const { folder_.file("cora/ind.cora.x.part", bytes); }

  void expect_whole_target() const {
    EXPECT_TRUE(read_text(target_) == content_);
    EXPECT_FALSE(std::filesystem::exists(part_));
  }

  static constexpr std::int64_t kSize = 300'000;
  TempDir folder_;
  std::string content_ = random_bytes(kSize, 1);
  std::filesystem::path target_ = folder_ / "cora/ind.cora.x";
  std::filesystem::path part_ = folder_ / "cora/ind.cora.x.part";
};

/// DownloadTest with a server that has the file.
class ServedDownloadTest : public DownloadTest {
 protected:
  DownloadResult fetch(const DownloadOptions& options = quick()) const {
    return download(request(server_.url()), {}, options);
  }
  DownloadResult fetch_unknown_size(const DownloadOptions& options = quick()) const {
    return download(request_of_unknown_size(server_.url()), {}, options);
  }
  std::string range_of_request(std::size_t index) const { return server_.requests().at(index).range; }

  HttpServer server_{{.body = content_}};
};

}  // namespace gir::testing
