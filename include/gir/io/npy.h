#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gir/core/array.h"
#include "gir/core/file.h"

namespace gir {

/// What the items of a NumPy array are.
struct NpyType {
  enum class Kind : char {
    kBool = 'b',
    kSigned = 'i',
    kUnsigned = 'u',
    kFloat = 'f',
    kBytes = 'S',
    kUnicode = 'U',
    kObject = 'O',
  };

  Kind kind = Kind::kSigned;
  std::int64_t item_size = 8;  ///< bytes an item
  bool big_endian = false;

  /// As NumPy writes it: "<i4", "|b1", ">f8", "<U12".
  std::string text() const;

  friend bool operator==(const NpyType&, const NpyType&) = default;
};

/// The type that `text` names, of numbers (bool, integers and floats of 1 to 8 bytes), texts ('S', 'U') or
/// Python objects. `where` stands first in the message of the UserError for all others.
NpyType parse_npy_type(std::string_view text, std::string_view where);

/// Shape and items of an array that somebody else owns.
struct NpyView {
  NpyType type;
  std::vector<std::int64_t> shape;  ///< empty for a scalar
  std::string_view bytes;           ///< row-major
};

NpyView npy_view(std::span<const float> values, std::vector<std::int64_t> shape);
NpyView npy_view(std::span<const std::int32_t> values, std::vector<std::int64_t> shape);
NpyView npy_view(std::span<const std::int64_t> values, std::vector<std::int64_t> shape);

/// An array as it was read: row-major, its items still of the file's type. Numbers are converted when asked
/// for, with a UserError that names the first item which does not fit.
class NpyArray {
 public:
  /// `bytes` hold exactly the items of `shape`, else UserError. `where` is the place for messages
  /// ("graph.npz: edges"). Arrays in Fortran order are turned, which takes a second copy.
  NpyArray(std::string where, NpyType type, std::vector<std::int64_t> shape, Array<char> bytes,
           bool fortran_order = false);

  const std::string& where() const { return where_; }
  const NpyType& type() const { return type_; }
  const std::vector<std::int64_t>& shape() const { return shape_; }
  std::string shape_text() const;

  /// Where an item stands, for messages: "[row, column]".
  std::string item_place(std::int64_t item) const;

  std::int64_t size() const { return size_; }
  std::string_view bytes() const { return bytes_; }
  NpyView view() const { return {type_, shape_, bytes_}; }
  bool holds_text() const { return type_.kind == NpyType::Kind::kBytes || type_.kind == NpyType::Kind::kUnicode; }

  /// All items as T: std::int32_t, std::int64_t or float. Floats become integers only where they are whole,
  /// doubles become floats with rounding. A plain copy where the file's type is T. O(size), in parallel.
  template <typename T>
  Array<T> to() const;

  /// The same into memory of the caller, as many values as there are items.
  template <typename T>
  void copy_to(std::span<T> target) const;

  /// The only item, a whole number.
  std::int64_t to_integer() const;

  /// The texts as UTF-8 ('S' items as the bytes they are), without the NUL characters that pad them.
  std::vector<std::string> to_strings() const;

 private:
  friend NpyArray read_npy(const std::filesystem::path& path);
  friend NpyArray parse_npy(Array<char> file, std::string where);

  NpyArray() = default;
  static NpyArray parse(std::string_view file, std::string where);
  void count_items();
  void turn_to_row_major();

  std::string where_;
  NpyType type_;
  std::vector<std::int64_t> shape_;
  std::int64_t size_ = 0;
  std::string_view bytes_;  ///< inside block_ or file_
  Array<char> block_;
  std::unique_ptr<MappedFile> file_;
};

/// Reads a .npy file (format 1.0, 2.0 or 3.0). The file is mapped, not copied. UserError for anything that
/// is not such a file or whose header and size disagree, and for Python objects: gir does not run pickles.
NpyArray read_npy(const std::filesystem::path& path);

/// The same for the bytes of a .npy file (a member of a .npz), which are taken over without a copy.
NpyArray parse_npy(Array<char> file, std::string where);

/// The pickle in the bytes of a .npy file that holds Python objects, nothing where it holds plain items. For
/// read_pickle(), and only for the published files that are known to need it.
std::optional<std::string_view> npy_pickle(std::string_view file, const std::string& where);

/// Texts (UTF-8) as a one-dimensional array of type '<U', 4 bytes a character and as wide as the longest.
/// UserError for what such an array cannot hold: bytes that are not UTF-8, NUL at the end.
NpyArray npy_strings(const std::vector<std::string>& values, std::string where);

/// The first bytes of the .npy file (format 1.0) of an array; the items follow it. A multiple of 64 bytes.
std::string npy_header(const NpyView& array);

/// The whole .npy file of an array.
std::string npy_bytes(const NpyView& array);

/// Writes a .npy file, whole or not at all.
void write_npy(const std::filesystem::path& path, const NpyView& array);

}  // namespace gir
