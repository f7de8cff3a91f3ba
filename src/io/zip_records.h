#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

namespace gir {

// Records of a zip archive that reading and writing share (PKWARE's APPNOTE). All numbers are little-endian.

constexpr std::uint32_t kZipMember = 0x04034b50;        // local file header, before a member's bytes
constexpr std::uint32_t kZipEntry = 0x02014b50;         // a member in the central directory
constexpr std::uint32_t kZipEnd = 0x06054b50;           // end of central directory
constexpr std::uint32_t kZipLargeEnd = 0x06064b50;      // ZIP64 end of central directory: numbers of 64 bits
constexpr std::uint32_t kZipLargeLocator = 0x07064b50;  // ZIP64 locator: where that one is; right before kZipEnd

constexpr std::size_t kZipMemberSize = 30;
constexpr std::size_t kZipEntrySize = 46;
constexpr std::size_t kZipEndSize = 22;
constexpr std::size_t kZipLargeEndSize = 56;
constexpr std::size_t kZipLargeLocatorSize = 20;

constexpr std::uint16_t kZipStored = 0;
constexpr std::uint16_t kZipDeflated = 8;
constexpr std::uint16_t kZipEncrypted = 1;           // a flag
constexpr std::uint16_t kZipLargeExtra = 1;          // ZIP64 extra field, which holds numbers of 64 bits
constexpr std::uint16_t kZipIsElsewhere16 = 0xffff;  // in a field whose number is in a ZIP64 field instead
constexpr std::uint32_t kZipIsElsewhere32 = 0xffffffff;

/// The number at offset `place` of `bytes`; the caller checks that it is inside.
template <typename T>
T zip_number(std::string_view bytes, std::size_t place) {
  static_assert(std::is_unsigned_v<T>);
  T number = 0;
  for (std::size_t i = sizeof(T); i-- > 0;) {
    number = static_cast<T>(number << 8 | static_cast<unsigned char>(bytes[place + i]));
  }
  return number;
}

template <typename T>
void append_zip_number(std::string& bytes, T number) {
  static_assert(std::is_unsigned_v<T>);
  for (std::size_t i = 0; i < sizeof(T); ++i) bytes += static_cast<char>(number >> (8 * i) & 0xff);
}

}  // namespace gir
