#pragma once

#include <zlib.h>

#include <cstdint>
#include <functional>
#include <string_view>

#include "gir/core/array.h"

namespace gir {

/// The container of deflated data, as zlib numbers it.
enum class DeflateWrapper : int { kNone = -MAX_WBITS, kZlib = MAX_WBITS, kGzip = MAX_WBITS + 16 };

/// Deflate expands two bits to at most 258 bytes.
constexpr std::int64_t kLargestDeflateRatio = 1032;

/// `size`, limited to what zlib takes in one call: it counts bytes in 32 bits.
uInt clipped(std::int64_t size);

/// A cast for zlib, whose interface does not use const.
Bytef* zlib_bytes(const char* data);

/// CRC-32 of `bytes`, continued from the checksum `before` of the bytes before them.
std::uint32_t checksum(std::string_view bytes, std::uint32_t before = 0);

/// Compresses a stream of bytes and passes the result to `sink` piece by piece.
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
