#include <algorithm>

#include "gir/core/error.h"
#include "gir/core/file.h"
#include "gir/io/zip.h"
#include "zip_records.h"
#include "zlib_stream.h"

namespace gir {
namespace {

constexpr std::uint16_t kVersion = 45;  // version 4.5 of the format, the first with ZIP64
constexpr std::uint16_t kNamesAreUtf8 = 1 << 11;
constexpr std::uint16_t kFirstOfJanuary1980 = 1 << 5 | 1;  // a fixed date, so that the same members give the same bytes

struct PackedMember {
  std::string name;
  std::uint64_t place = 0;  // offset of its first record in the archive
  std::uint64_t size = 0;
  std::uint64_t packed_size = 0;
  std::uint32_t checksum = 0;
};

std::uint32_t narrow(std::uint64_t number) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(number, kZipIsElsewhere32));
}

/// The fields that the record before a member and its directory entry have in common.
void append_fields(std::string& bytes, const PackedMember& member, std::uint16_t extra_size) {
  append_zip_number(bytes, kVersion);
  append_zip_number(bytes, kNamesAreUtf8);
  append_zip_number(bytes, kZipDeflated);
  append_zip_number<std::uint16_t>(bytes, 0);  // time
  append_zip_number(bytes, kFirstOfJanuary1980);
  append_zip_number(bytes, member.checksum);
  append_zip_number(bytes, narrow(member.packed_size));
  append_zip_number(bytes, narrow(member.size));
  append_zip_number(bytes, static_cast<std::uint16_t>(member.name.size()));
  append_zip_number(bytes, extra_size);
}

/// The ZIP64 extra field with those of the numbers that do not fit into 32 bits.
std::string large_numbers(std::initializer_list<std::uint64_t> numbers) {
  std::string large;
  for (const std::uint64_t number : numbers) {
    if (number >= kZipIsElsewhere32) append_zip_number(large, number);
  }
  if (large.empty()) return {};
  std::string extra;
  append_zip_number(extra, kZipLargeExtra);
  append_zip_number(extra, static_cast<std::uint16_t>(large.size()));
  return extra + large;
}

/// The record before a member. Where one of the two sizes needs 64 bits, the format requires both in the extra field.
std::string member_record(const PackedMember& member) {
  PackedMember claims = member;
  const bool large = std::max(member.size, member.packed_size) >= kZipIsElsewhere32;
  std::string extra;
  if (large) {
    append_zip_number(extra, kZipLargeExtra);
    append_zip_number<std::uint16_t>(extra, 2 * sizeof(std::uint64_t));
    append_zip_number(extra, member.size);
    append_zip_number(extra, member.packed_size);
    claims.size = claims.packed_size = kZipIsElsewhere32;
  }
  std::string record;
  append_zip_number(record, kZipMember);
  append_fields(record, claims, static_cast<std::uint16_t>(extra.size()));
  return record + member.name + extra;
}

std::string entry_record(const PackedMember& member) {
  const std::string extra = large_numbers({member.size, member.packed_size, member.place});
  std::string record;
  append_zip_number(record, kZipEntry);
  append_zip_number(record, kVersion);
  append_fields(record, member, static_cast<std::uint16_t>(extra.size()));
  record.append(10, '\0');  // no comment, first disk, no attributes
  append_zip_number(record, narrow(member.place));
  return record + member.name + extra;
}

std::string end_records(std::uint64_t members, std::uint64_t directory_place, std::uint64_t directory_size) {
  std::string records;
  if (members >= kZipIsElsewhere16 || std::max(directory_place, directory_size) >= kZipIsElsewhere32) {
    append_zip_number(records, kZipLargeEnd);
    append_zip_number<std::uint64_t>(records, kZipLargeEndSize - 12);
    append_zip_number(records, kVersion);
    append_zip_number(records, kVersion);
    records.append(8, '\0');  // first disk
    append_zip_number(records, members);
    append_zip_number(records, members);
    append_zip_number(records, directory_size);
    append_zip_number(records, directory_place);
    append_zip_number(records, kZipLargeLocator);
    append_zip_number<std::uint32_t>(records, 0);
    append_zip_number(records, directory_place + directory_size);
    append_zip_number<std::uint32_t>(records, 1);
  }
  const auto count = static_cast<std::uint16_t>(std::min<std::uint64_t>(members, kZipIsElsewhere16));
  append_zip_number(records, kZipEnd);
  append_zip_number<std::uint32_t>(records, 0);  // first disk
  append_zip_number(records, count);
  append_zip_number(records, count);
  append_zip_number(records, narrow(directory_size));
  append_zip_number(records, narrow(directory_place));
  append_zip_number<std::uint16_t>(records, 0);  // no comment
  return records;
}

}  // namespace

void write_zip(const std::filesystem::path& path, const std::vector<ZipEntry>& members) {
  AtomicFile file(path);
  std::uint64_t place = 0;
  const auto write = [&](std::string_view bytes) {
    file.write(bytes);
    place += bytes.size();
  };
  std::string directory;
  for (const ZipEntry& member : members) {
    ensure(member.name.size() < kZipIsElsewhere16, "the name of a zip member is too long");
    PackedMember packed{.name = member.name, .place = place};
    std::string bytes;
    Deflater deflater(DeflateWrapper::kNone, [&bytes](std::string_view some) { bytes += some; });
    for (const std::string_view part : member.parts) {
      deflater.add(part);
      packed.size += part.size();
      packed.checksum = checksum(part, packed.checksum);
    }
    deflater.finish();
    packed.packed_size = bytes.size();
    write(member_record(packed));
    write(bytes);
    directory += entry_record(packed);
  }
  const std::uint64_t directory_place = place;
  write(directory);
  write(end_records(members.size(), directory_place, directory.size()));
  file.commit();
}

}  // namespace gir
