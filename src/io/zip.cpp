#include "gir/io/zip.h"

#include <algorithm>
#include <map>
#include <memory>
#include <new>
#include <optional>

#include "gir/core/error.h"
#include "gir/core/file.h"
#include "gir/core/text.h"
#include "zip_records.h"
#include "zlib_stream.h"

// A zip archive is read from its end: the last record says where the central directory is, which lists all members with
// their offsets. Before the bytes of a member, a record repeats most of its directory entry; only the lengths of its
// variable fields are needed from there.

namespace gir {
namespace {

/// What the central directory says about a member; to be checked before use.
struct Claims {
  std::uint16_t flags = 0;
  std::uint16_t method = 0;
  std::uint32_t checksum = 0;
  std::uint64_t packed_size = 0;
  std::uint64_t size = 0;
  std::uint64_t place = 0;  // offset of the record before its bytes
};

struct Directory {
  std::uint64_t place = 0;
  std::uint64_t size = 0;
  std::uint64_t members = 0;
};

/// Reads the central directory at the end of an archive. Every number is checked against the archive's size before use.
class DirectoryReader {
 public:
  DirectoryReader(std::string_view bytes, const std::filesystem::path& path) : bytes_(bytes), path_(path) {}

  /// Calls `use(name, claims)` for every member, in order.
  template <typename Use>
  void read(const Use& use) const {
    const Directory directory = find();
    if (!holds(directory.place, directory.size)) refuse("its directory lies outside");
    std::string_view rest = bytes_.substr(directory.place, directory.size);
    for (std::uint64_t i = 0; i < directory.members; ++i) {
      if (rest.size() < kZipEntrySize || zip_number<std::uint32_t>(rest, 0) != kZipEntry) {
        refuse(fmt::format("its directory ends after {} of {} members", i, directory.members));
      }
      const std::size_t name_size = zip_number<std::uint16_t>(rest, 28);
      const std::size_t extra_size = zip_number<std::uint16_t>(rest, 30);
      const std::size_t size = kZipEntrySize + name_size + extra_size + zip_number<std::uint16_t>(rest, 32);
      if (rest.size() < size) refuse("its directory is truncated");
      use(rest.substr(kZipEntrySize, name_size), claims(rest, rest.substr(kZipEntrySize + name_size, extra_size)));
      rest.remove_prefix(size);
    }
  }

 private:
  [[noreturn]] void refuse(std::string_view why) const {
    throw UserError(path_, "cannot open as a zip archive: {} [get the whole file]", why);
  }

  bool holds(std::uint64_t place, std::uint64_t size) const {
    return place <= bytes_.size() && size <= bytes_.size() - place;
  }

  /// Offset of the last record, which a comment of unknown length may follow.
  std::size_t find_end() const {
    constexpr std::size_t kLongestComment = 0xffff;
    if (bytes_.empty()) refuse("is empty");
    if (bytes_.size() < kZipEndSize) refuse("not a zip archive");
    const std::size_t last = bytes_.size() - kZipEndSize;
    for (std::size_t back = 0; back <= std::min(last, kLongestComment); ++back) {
      const std::size_t place = last - back;
      if (zip_number<std::uint32_t>(bytes_, place) == kZipEnd && zip_number<std::uint16_t>(bytes_, place + 20) == back)
        return place;
    }
    refuse(bytes_.starts_with("PK") ? "its end is missing" : "not a zip archive");
  }

  /// The location of the central directory. Numbers that do not fit are in the ZIP64 record.
  Directory find() const {
    const std::size_t end = find_end();
    const Directory found{.place = zip_number<std::uint32_t>(bytes_, end + 16),
                          .size = zip_number<std::uint32_t>(bytes_, end + 12),
                          .members = zip_number<std::uint16_t>(bytes_, end + 10)};
    const bool large =
        found.place == kZipIsElsewhere32 || found.size == kZipIsElsewhere32 || found.members == kZipIsElsewhere16;
    return large ? find_large(end).value_or(found) : found;
  }

  std::optional<Directory> find_large(std::size_t end) const {
    if (end < kZipLargeLocatorSize) return std::nullopt;
    const std::size_t locator = end - kZipLargeLocatorSize;
    if (zip_number<std::uint32_t>(bytes_, locator) != kZipLargeLocator) return std::nullopt;
    const auto place = zip_number<std::uint64_t>(bytes_, locator + 8);
    if (!holds(place, kZipLargeEndSize) || zip_number<std::uint32_t>(bytes_, place) != kZipLargeEnd) {
      refuse("its ZIP64 directory is missing");
    }
    return Directory{.place = zip_number<std::uint64_t>(bytes_, place + 48),
                     .size = zip_number<std::uint64_t>(bytes_, place + 40),
                     .members = zip_number<std::uint64_t>(bytes_, place + 32)};
  }

  Claims claims(std::string_view entry, std::string_view extra) const {
    Claims claims{.flags = zip_number<std::uint16_t>(entry, 8),
                  .method = zip_number<std::uint16_t>(entry, 10),
                  .checksum = zip_number<std::uint32_t>(entry, 16),
                  .packed_size = zip_number<std::uint32_t>(entry, 20),
                  .size = zip_number<std::uint32_t>(entry, 24),
                  .place = zip_number<std::uint32_t>(entry, 42)};
    std::string_view large = large_numbers(extra);
    for (std::uint64_t* number : {&claims.size, &claims.packed_size, &claims.place}) {
      if (*number != kZipIsElsewhere32 || large.size() < sizeof(*number)) continue;
      *number = zip_number<std::uint64_t>(large, 0);
      large.remove_prefix(sizeof(*number));
    }
    return claims;
  }

  /// The content of the extra field for numbers of 64 bits, empty where there is none.
  static std::string_view large_numbers(std::string_view extra) {
    constexpr std::size_t kHead = 4;
    while (extra.size() >= kHead) {
      const std::size_t size = std::min<std::size_t>(zip_number<std::uint16_t>(extra, 2), extra.size() - kHead);
      if (zip_number<std::uint16_t>(extra, 0) == kZipLargeExtra) return extra.substr(kHead, size);
      extra.remove_prefix(kHead + size);
    }
    return {};
  }

  std::string_view bytes_;
  const std::filesystem::path& path_;
};

/// Refuses members that gir does not read, and claims that the archive's size belies, before any memory is
/// taken for them.
void check_claims(const Claims& claims, std::uint64_t archive_size, const std::string& where) {
  if ((claims.flags & kZipEncrypted) != 0) {
    throw UserError("{}: is encrypted, which gir does not read [save it without a password]", where);
  }
  if (claims.method != kZipStored && claims.method != kZipDeflated) {
    throw UserError("{}: is compressed by method {} [only stored and deflated members are read]", where, claims.method);
  }
  const bool stored = claims.method == kZipStored;
  if (claims.packed_size > archive_size || (stored && claims.size != claims.packed_size) ||
      claims.size > claims.packed_size * kLargestDeflateRatio) {
    throw UserError("{}: claims {} bytes made of {}, which cannot be [get the whole file]", where, claims.size,
                    claims.packed_size);
  }
  if (claims.size > static_cast<std::uint64_t>(memory_limit())) {
    throw UserError("{}: takes {}, more than this machine can hold", where,
                    human_bytes(static_cast<std::int64_t>(claims.size)));
  }
}

/// The compressed bytes of a member, which follow a record that repeats its directory entry.
std::string_view packed_bytes(std::string_view archive, const Claims& claims, const std::string& where) {
  const auto cut_off = [&] { return UserError("{}: is outside the archive [get the whole file]", where); };
  if (claims.place > archive.size() || archive.size() - claims.place < kZipMemberSize) throw cut_off();
  std::string_view rest = archive.substr(claims.place);
  if (zip_number<std::uint32_t>(rest, 0) != kZipMember) {
    throw UserError("{}: is not where the archive's directory says [get the file again]", where);
  }
  const std::size_t head = kZipMemberSize + zip_number<std::uint16_t>(rest, 26) + zip_number<std::uint16_t>(rest, 28);
  if (rest.size() < head || rest.size() - head < claims.packed_size) throw cut_off();
  return rest.substr(head, claims.packed_size);
}

/// Inflates `packed` to exactly the size of `content`.
void inflate_exactly(std::string_view packed, Array<char>& content, const std::string& where) {
  z_stream stream{};
  if (inflateInit2(&stream, static_cast<int>(DeflateWrapper::kNone)) != Z_OK) throw std::bad_alloc();
  const std::unique_ptr<z_stream, int (*)(z_stream*)> closed_at_the_end(&stream, inflateEnd);
  std::int64_t done = 0;
  char beyond = 0;  // receives a byte too many, which shows that the member is longer than it claims
  for (int state = Z_OK; state != Z_STREAM_END;) {
    const bool full = done == content.size();
    const uInt in = clipped(static_cast<std::int64_t>(packed.size()));
    const uInt out = full ? 1 : clipped(content.size() - done);
    stream.next_in = zlib_bytes(packed.data());
    stream.avail_in = in;
    stream.next_out = zlib_bytes(full ? &beyond : content.data() + done);
    stream.avail_out = out;
    state = inflate(&stream, Z_NO_FLUSH);
    if (state == Z_MEM_ERROR) throw std::bad_alloc();
    const uInt made = out - stream.avail_out;
    if (full && made > 0) throw UserError("{}: is longer than the {} bytes it claims", where, content.size());
    packed.remove_prefix(in - stream.avail_in);
    done += made;
    if (state == Z_STREAM_END) break;
    if (state != Z_OK && state != Z_BUF_ERROR) {
      throw UserError("{}: is damaged: {} [get the file again]", where,
                      stream.msg != nullptr ? stream.msg : "the compressed data are corrupt");
    }
    if (packed.empty() && made == 0) break;
  }
  if (done < content.size()) {
    throw UserError("{}: ends after {} of {} bytes [get the whole file]", where, done, content.size());
  }
}

}  // namespace

struct ZipArchive::Content {
  explicit Content(const std::filesystem::path& path) : file(path) {}

  MappedFile file;
  std::map<std::string, Claims, std::less<>> members;
};

ZipArchive::ZipArchive(std::filesystem::path path)
    : path_(std::move(path)), content_(std::make_unique<Content>(path_)) {
  DirectoryReader(content_->file.text(), path_).read([this](std::string_view raw_name, const Claims& claims) {
    const std::string name(raw_name);
    if (!content_->members.emplace(name, claims).second) {
      throw UserError(path_, "holds two members called {} [keep one]", quoted(name));
    }
    names_.push_back(name);
  });
}

ZipArchive::~ZipArchive() = default;

Array<char> ZipArchive::read(std::string_view name, std::string_view what) const {
  const auto found = content_->members.find(name);
  if (found == content_->members.end()) {
    throw UserError(path_, "has no {} [it has: {}]", quoted(name), join(names_, ", "));
  }
  const std::string where = fmt::format("{}: {}", path_.string(), what);
  const std::string_view archive = content_->file.text();
  const Claims& claims = found->second;
  check_claims(claims, archive.size(), where);
  const std::string_view packed = packed_bytes(archive, claims, where);
  Array<char> bytes(static_cast<std::int64_t>(claims.size));
  if (claims.method == kZipStored) {
    std::copy(packed.begin(), packed.end(), bytes.begin());
  } else {
    inflate_exactly(packed, bytes, where);
  }
  if (checksum({bytes.data(), static_cast<std::size_t>(bytes.size())}) != claims.checksum) {
    throw UserError("{}: is damaged: its checksum does not match [get the file again]", where);
  }
  return bytes;
}

}  // namespace gir
