#include "gir/io/zip.h"

#include "gir/core/error.h"
#include "gir/core/file.h"
#include "gir/core/text.h"

#ifdef GIR_HAVE_LIBZIP

#include <zip.h>

#include <cctype>
#include <map>

namespace gir {
namespace {

/// Deflate makes at most 258 bytes out of two bits.
constexpr std::uint64_t kLargestDeflateRatio = 1032;

struct DiscardArchive {
  void operator()(zip_t* archive) const { zip_discard(archive); }
};
struct CloseMember {
  void operator()(zip_file_t* member) const { zip_fclose(member); }
};
struct FreeSource {
  void operator()(zip_source_t* source) const { zip_source_free(source); }
};
using SourceHandle = std::unique_ptr<zip_source_t, FreeSource>;
using ArchiveHandle = std::unique_ptr<zip_t, DiscardArchive>;
using MemberHandle = std::unique_ptr<zip_file_t, CloseMember>;

/// libzip's own words, as a part of a sentence.
std::string reason(zip_error_t* error) {
  std::string text = zip_error_strerror(error);
  if (text.size() > 1 && std::islower(static_cast<unsigned char>(text[1])))
    text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  return text;
}

ArchiveHandle open_archive(const std::filesystem::path& path, std::string_view bytes) {
  // libzip takes a file without bytes for an archive without members.
  if (bytes.empty()) throw UserError(path, "cannot open as a zip archive: is empty [get the whole file]");
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
  ArchiveHandle archive(source == nullptr ? nullptr : zip_open_from_source(source, ZIP_RDONLY, &error));
  const std::string why = reason(&error);
  zip_error_fini(&error);
  if (archive) return archive;
  if (source != nullptr) zip_source_free(source);
  throw UserError(path, "cannot open as a zip archive: {} [get the whole file]", why);
}

/// Refuses members that gir does not read, and claims that the archive's size belies, before any memory is
/// taken for them.
void check_claims(const zip_stat_t& claims, std::uint64_t archive_size, const std::string& where) {
  constexpr zip_uint64_t kNeeded =
      ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
  if ((claims.valid & kNeeded) != kNeeded) throw UserError("{}: the archive does not tell its size", where);
  if (claims.encryption_method != ZIP_EM_NONE) {
    throw UserError("{}: is encrypted, which gir does not read [save it without a password]", where);
  }
  if (claims.comp_method != ZIP_CM_STORE && claims.comp_method != ZIP_CM_DEFLATE) {
    throw UserError("{}: is compressed by method {} [only stored and deflated members are read]", where,
                    claims.comp_method);
  }
  const std::uint64_t most =
      claims.comp_method == ZIP_CM_STORE ? claims.comp_size : claims.comp_size * kLargestDeflateRatio;
  if (claims.comp_size > archive_size || claims.size > most) {
    throw UserError("{}: claims {} bytes made of {}, which cannot be [get the whole file]", where, claims.size,
                    claims.comp_size);
  }
  if (claims.size > static_cast<std::uint64_t>(memory_limit())) {
    throw UserError("{}: takes {}, more than this machine can hold", where,
                    human_bytes(static_cast<std::int64_t>(claims.size)));
  }
}

Array<char> read_member(zip_file_t* member, std::int64_t size, const std::string& where) {
  Array<char> bytes(size);
  const auto read = [&](char* target, std::int64_t most) {
    const zip_int64_t count = zip_fread(member, target, static_cast<zip_uint64_t>(most));
    if (count < 0)
      throw UserError("{}: is damaged: {} [get the file again]", where, reason(zip_file_get_error(member)));
    return count;
  };
  std::int64_t done = 0;
  while (done < size) {
    const zip_int64_t count = read(bytes.data() + done, size - done);
    if (count == 0) throw UserError("{}: ends after {} of {} bytes [get the whole file]", where, done, size);
    done += count;
  }
  // libzip compares the checksum when it meets the end, which only a further read does.
  char beyond = 0;
  if (read(&beyond, 1) != 0) throw UserError("{}: is longer than the {} bytes it claims", where, size);
  return bytes;
}

/// libzip reads the parts when the archive is closed; it only reads fragments that it was not told to free.
bool add_member(zip_t* zip, const ZipEntry& member) {
  constexpr zip_uint32_t kLevel = 6;
  constexpr zip_uint16_t kFirstOfJanuary1980 = 1 << 5 | 1;  // for the same bytes every time
  std::vector<zip_buffer_fragment_t> parts;
  for (const std::string_view part : member.parts) {
    if (part.empty()) continue;
    parts.push_back({reinterpret_cast<zip_uint8_t*>(const_cast<char*>(part.data())), part.size()});
  }
  zip_source_t* source = zip_source_buffer_fragment(zip, parts.data(), parts.size(), 0);
  if (source == nullptr) return false;
  const zip_int64_t added = zip_file_add(zip, member.name.c_str(), source, ZIP_FL_ENC_UTF_8);
  if (added < 0) {
    zip_source_free(source);
    return false;
  }
  const auto position = static_cast<zip_uint64_t>(added);
  return zip_set_file_compression(zip, position, ZIP_CM_DEFLATE, kLevel) == 0 &&
         zip_file_set_dostime(zip, position, 0, kFirstOfJanuary1980, 0) == 0;
}

/// Writes the bytes of a source to a file.
void write_source(zip_source_t* source, const std::filesystem::path& path) {
  ensure(zip_source_open(source) == 0, "libzip cannot read what it wrote");
  AtomicFile file(path);
  std::string piece(1 << 20, '\0');
  for (;;) {
    const zip_int64_t count = zip_source_read(source, piece.data(), piece.size());
    ensure(count >= 0, "libzip cannot read what it wrote");
    if (count == 0) break;
    file.write(std::string_view(piece).substr(0, static_cast<std::size_t>(count)));
  }
  zip_source_close(source);
  file.commit();
}

}  // namespace

bool zip_supported() { return true; }

struct ZipArchive::Handle {
  explicit Handle(const std::filesystem::path& path) : file(path), zip(open_archive(path, file.text())) {}

  MappedFile file;
  ArchiveHandle zip;
  std::map<std::string, zip_uint64_t, std::less<>> positions;
};

ZipArchive::ZipArchive(std::filesystem::path path) : path_(std::move(path)), handle_(std::make_unique<Handle>(path_)) {
  const zip_int64_t entries = zip_get_num_entries(handle_->zip.get(), 0);
  for (zip_int64_t i = 0; i < entries; ++i) {
    const auto position = static_cast<zip_uint64_t>(i);
    const char* raw_name = zip_get_name(handle_->zip.get(), position, ZIP_FL_ENC_RAW);
    const std::string name = raw_name == nullptr ? "" : raw_name;
    if (!handle_->positions.emplace(name, position).second) {
      throw UserError(path_, "holds two members called {} [keep one]", quoted(name));
    }
    names_.push_back(name);
  }
}

ZipArchive::~ZipArchive() = default;

Array<char> ZipArchive::read(std::string_view name, std::string_view what) const {
  const auto found = handle_->positions.find(name);
  if (found == handle_->positions.end()) {
    throw UserError(path_, "has no {} [it has: {}]", quoted(name), join(names_, ", "));
  }
  const std::string where = fmt::format("{}: {}", path_.string(), what);
  zip_t* zip = handle_->zip.get();
  zip_stat_t claims;
  if (zip_stat_index(zip, found->second, 0, &claims) != 0) {
    throw UserError("{}: cannot read: {}", where, reason(zip_get_error(zip)));
  }
  check_claims(claims, handle_->file.text().size(), where);
  const MemberHandle member(zip_fopen_index(zip, found->second, 0));
  if (!member) throw UserError("{}: cannot read: {} [get the whole file]", where, reason(zip_get_error(zip)));
  return read_member(member.get(), static_cast<std::int64_t>(claims.size), where);
}

void write_zip(const std::filesystem::path& path, const std::vector<ZipEntry>& members) {
  ensure(!members.empty(), "libzip makes no archive without members");
  // Into memory first: libzip's own temporary file would stay behind when the program is stopped.
  zip_error_t error;
  zip_error_init(&error);
  const SourceHandle buffer(zip_source_buffer_create(nullptr, 0, 0, &error));
  if (buffer) zip_source_keep(buffer.get());
  ArchiveHandle zip(buffer ? zip_open_from_source(buffer.get(), ZIP_CREATE | ZIP_TRUNCATE, &error) : nullptr);
  ensure(zip != nullptr, "libzip cannot make an archive in memory");
  bool good = true;
  for (const ZipEntry& member : members) good = good && add_member(zip.get(), member);
  if (!good || zip_close(zip.get()) != 0) throw UserError(path, "cannot write: {}", reason(zip_get_error(zip.get())));
  static_cast<void>(zip.release());
  write_source(buffer.get(), path);
}

}  // namespace gir

#else

namespace gir {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& path) {
  throw UserError(path,
                  "this gir was built without libzip, which zip archives and .npz files need [install libzip-dev and "
                  "build again; a folder of .npy files works without it]");
}

}  // namespace

struct ZipArchive::Handle {};

bool zip_supported() { return false; }
ZipArchive::ZipArchive(std::filesystem::path path) : path_(std::move(path)) { refuse(path_); }
ZipArchive::~ZipArchive() = default;
Array<char> ZipArchive::read(std::string_view, std::string_view) const { refuse(path_); }
void write_zip(const std::filesystem::path& path, const std::vector<ZipEntry>&) { refuse(path); }

}  // namespace gir

#endif
