#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gir/core/array.h"

namespace gir {

/// A zip archive. The constructor reads the list of members only. UserError for archives that are damaged, encrypted or
/// truncated, and for members that claim an impossible size.
class ZipArchive {
 public:
  explicit ZipArchive(std::filesystem::path path);
  ~ZipArchive();
  ZipArchive(const ZipArchive&) = delete;
  ZipArchive& operator=(const ZipArchive&) = delete;

  const std::filesystem::path& path() const { return path_; }

  /// Names of the members with their folders, in the order of the archive.
  const std::vector<std::string>& names() const { return names_; }

  /// The bytes of a member, after its checksum is verified. Messages call it `what`.
  Array<char> read(std::string_view name, std::string_view what) const;

 private:
  struct Content;

  std::filesystem::path path_;
  std::unique_ptr<Content> content_;
  std::vector<std::string> names_;
};

/// A member to be written: its bytes are the concatenated parts.
struct ZipEntry {
  std::string name;
  std::vector<std::string_view> parts;
};

/// Writes an archive (deflate); it appears complete or not at all. The same members give the same bytes.
void write_zip(const std::filesystem::path& path, const std::vector<ZipEntry>& members);

}  // namespace gir
