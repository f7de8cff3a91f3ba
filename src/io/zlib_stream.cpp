#include "zlib_stream.h"

#include <algorithm>
#include <limits>
#include <new>

#include "gir/core/error.h"

namespace gir {

uInt clipped(std::int64_t size) {
  return static_cast<uInt>(std::min<std::int64_t>(size, std::numeric_limits<uInt>::max()));
}

Bytef* zlib_bytes(const char* data) { return reinterpret_cast<Bytef*>(const_cast<char*>(data)); }

std::uint32_t checksum(std::string_view bytes, std::uint32_t before) {
  if (bytes.empty()) return before;  // for a null pointer, zlib returns the initial value instead
  return static_cast<std::uint32_t>(crc32_z(before, zlib_bytes(bytes.data()), bytes.size()));
}

Deflater::Deflater(DeflateWrapper wrapper, Sink sink) : sink_(std::move(sink)), buffer_(1 << 16) {
  constexpr int kMemoryLevel = 8;
  if (deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, static_cast<int>(wrapper), kMemoryLevel,
                   Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::bad_alloc();
  }
}

Deflater::~Deflater() { deflateEnd(&stream_); }

void Deflater::add(std::string_view content) {
  while (!content.empty()) {
    const std::string_view piece = content.substr(0, std::numeric_limits<uInt>::max());
    deflate_piece(piece, Z_NO_FLUSH);
    content.remove_prefix(piece.size());
  }
}

void Deflater::finish() { deflate_piece({}, Z_FINISH); }

void Deflater::deflate_piece(std::string_view piece, int flush) {
  stream_.next_in = zlib_bytes(piece.data());
  stream_.avail_in = static_cast<uInt>(piece.size());
  do {
    stream_.next_out = zlib_bytes(buffer_.data());
    stream_.avail_out = static_cast<uInt>(buffer_.size());
    ensure(deflate(&stream_, flush) != Z_STREAM_ERROR, "zlib reports an inconsistent state");
    sink_(std::string_view(buffer_.data(), static_cast<std::size_t>(buffer_.size()) - stream_.avail_out));
  } while (stream_.avail_out == 0);
}

}  // namespace gir
