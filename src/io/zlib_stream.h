#pragma once

#include <zlib.h>

#include <cstdint>
#include <functional>
#include <string_view>

#include "gir/core/array.h"

namespace gir {

/// What stands around deflated data, in zlib's own numbers.
enum class DeflateWrapper : int { kNone = -MAX_WBITS, kZlib = MAX_WBITS, kGzip = MAX_WBITS + 16 };

/// Deflate makes at most 258 bytes out of two bits.
constexpr std::int64_t kLargestDeflateRatio = 1032;

/// As much of a size as zlib takes at once: it counts bytes in 32 bits.
uInt clipped(std::int64_t size);

/// zlib's interface predates const.
Bytef* zlib_bytes(const char* data);

/// The CRC-32 of bytes that follow those whose checksum is `before`.
std::uint32_t checksum(std::string_view bytes, std::uint32_t before = 0);

/// Compresses what it is given and hands the bytes to `sink` as they come.
class Deflater {
 public:
  using Sink = std::function<void(std::string_view)>;

  Deflater(DeflateWrapper wrapper, Sink sink);
  ~Deflater();
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;

  void add(std::string_view content);
  void finish();

 private:
  void deflate_piece(std::string_view piece, int flush);

  Sink sink_;
  Array<char> buffer_;
  z_stream stream_{};
};

}  // namespace gir
