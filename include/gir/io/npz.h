#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "gir/io/npy.h"
#include "gir/io/zip.h"

namespace gir {

/// A NumPy .npz file: named arrays in a zip archive. The constructor reads the list of members only.
class NpzFile {
 public:
  explicit NpzFile(std::filesystem::path path);

  const std::filesystem::path& path() const { return archive_.path(); }

  /// Names of the arrays, without ".npy", in the order of the archive.
  const std::vector<std::string>& names() const { return names_; }

  bool has(std::string_view name) const;

  /// The array of that name. Messages call it "FILE: NAME".
  NpyArray read(std::string_view name) const;

  /// The bytes of the .npy file of that name, unchecked; for npy_pickle().
  Array<char> read_bytes(std::string_view name) const;

 private:
  ZipArchive archive_;
  std::vector<std::string> names_;
};

/// A named array to be written.
struct NpzMember {
  std::string name;
  NpyView array;
};

/// Writes a .npz file (deflate); it appears complete or not at all. The same arrays give the same bytes.
void write_npz(const std::filesystem::path& path, const std::vector<NpzMember>& members);

}  // namespace gir
