#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gir::testing {

/// One member of a zip archive and what the archive claims about it; by default the claims are true.
struct StoredMember {
  std::string name;
  std::string bytes;
  std::uint16_t flags = 0;
  std::uint16_t method = 0;
  std::optional<std::uint32_t> claimed_size = {};
  std::optional<std::uint32_t> claimed_packed_size = {};
  std::uint32_t crc_error = 0;
};

inline std::uint32_t crc32(std::string_view bytes) {
  std::uint32_t crc = ~0u;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = crc & 1 ? crc >> 1 ^ 0xEDB88320 : crc >> 1;
  }
  return ~crc;
}

template <typename T>
void put(std::string& bytes, T number) {
  bytes.append(reinterpret_cast<const char*>(&number), sizeof(number));
}

/// A zip archive of members that are not compressed.
inline std::string zip_bytes(const std::vector<StoredMember>& members) {
  std::string archive;
  std::string directory;
  for (const StoredMember& member : members) {
    std::string fields;  // what the local header and the directory have in common
    put<std::uint16_t>(fields, 20);
    put(fields, member.flags);
    put(fields, member.method);
    put<std::uint32_t>(fields, 0x00210000);
    put<std::uint32_t>(fields, crc32(member.bytes) ^ member.crc_error);
    const auto size = static_cast<std::uint32_t>(member.bytes.size());
    put(fields, member.claimed_packed_size.value_or(size));
    put(fields, member.claimed_size.value_or(size));
    put(fields, static_cast<std::uint16_t>(member.name.size()));
    put<std::uint16_t>(fields, 0);
    directory += std::string("PK\x01\x02\x14\x00", 6) + fields + std::string(10, '\0');
    put(directory, static_cast<std::uint32_t>(archive.size()));
    directory += member.name;
    archive += "PK\x03\x04" + fields + member.name + member.bytes;
  }
  const auto start = static_cast<std::uint32_t>(archive.size());
  archive += directory + std::string("PK\x05\x06\0\0\0\0", 8);
  put(archive, static_cast<std::uint16_t>(members.size()));
  put(archive, static_cast<std::uint16_t>(members.size()));
  put(archive, static_cast<std::uint32_t>(directory.size()));
  put(archive, start);
  return archive + std::string(2, '\0');
}

}  // namespace gir::testing
