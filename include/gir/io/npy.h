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
#include "gir/core/export.h"
#include "gir/core/file.h"

namespace gir {

/// The item type of a NumPy array.
struct GIR_API NpyType {
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
  std::int64_t item_size = 8;  ///< bytes per item
  bool big_endian = false;

  /// As NumPy writes it: "<i4", "|b1", ">f8", "<U12".
  std::string text() const;

  friend bool operator==(const NpyType&, const NpyType&) = default;
};

/// Parses the name of a type: numbers (bool, integers and floats of 1 to 8 bytes), strings ('S', 'U') or Python
/// objects. UserError, whose message begins with `where`, for all others.
GIR_API NpyType parse_npy_type(std::string_view text, std::string_view where);

/// Shape and items of an array, without ownership.
struct GIR_API NpyView {
  NpyType type;
  std::vector<std::int64_t> shape;  ///< empty for a scalar
  std::string_view bytes;           ///< row-major
};

GIR_API NpyView npy_view(std::span<const float> values, std::vector<std::int64_t> shape);
GIR_API NpyView npy_view(std::span<const std::int32_t> values, std::vector<std::int64_t> shape);
GIR_API NpyView npy_view(std::span<const std::int64_t> values, std::vector<std::int64_t> shape);

/// An array as it was read: row-major, with items of the file's type. Numbers are converted on request, with a
/// UserError that names the first item that does not fit.
class GIR_API NpyArray {
 public:
  /// UserError where `bytes` is not exactly the items of `shape`. `where` is the place that messages name ("graph.npz:
  /// edges"). Arrays in Fortran order are transposed, which takes a second copy.
  NpyArray(std::string where, NpyType type, std::vector<std::int64_t> shape, Array<char> bytes,
           bool fortran_order = false);

  const std::string& where() const { return where_; }
  const NpyType& type() const { return type_; }
  const std::vector<std::int64_t>& shape() const { return shape_; }
  std::string shape_text() const;

  /// The index of an item, for messages: "[row, column]".
  std::string item_place(std::int64_t item) const;

  std::int64_t size() const { return size_; }
  std::string_view bytes() const { return bytes_; }
  NpyView view() const { return {type_, shape_, bytes_}; }
  bool holds_text() const { return type_.kind == NpyType::Kind::kBytes || type_.kind == NpyType::Kind::kUnicode; }

  /// All items as T: std::int32_t, std::int64_t or float. Floats are converted to integers only where they are
  /// integral; doubles are rounded to floats. A plain copy where the file's type is T. O(size), in parallel.
  template <typename T>
  Array<T> to() const;

  /// The same, into memory of the caller: `target` has size() values.
  template <typename T>
  void copy_to(std::span<T> target) const;

  /// The only item, an integer.
  std::int64_t to_integer() const;

  /// The strings as UTF-8 ('S' items as their bytes), without the NUL characters that pad them.
  std::vector<std::string> to_strings() const;

 private:
  friend NpyArray read_npy(const std::filesystem::path& path);
  friend NpyArray parse_npy(Array<char> file, std::string where);

  NpyArray() = default;
  static NpyArray parse(std::string_view file, std::string where);
  void count_items();
  void transpose_to_row_major();

  std::string where_;
  NpyType type_;
  std::vector<std::int64_t> shape_;
  std::int64_t size_ = 0;
  std::string_view bytes_;  ///< inside block_ or file_
  Array<char> block_;
  std::unique_ptr<MappedFile> file_;
};

/// Reads a .npy file (format 1.0, 2.0 or 3.0). The file is mapped, not copied. UserError for other files, for a size
/// that does not match the header, and for Python objects: gir does not unpickle.
GIR_API NpyArray read_npy(const std::filesystem::path& path);

/// The same for the bytes of a .npy file (a member of a .npz), which are moved, not copied.
GIR_API NpyArray parse_npy(Array<char> file, std::string where);

/// The pickle in the bytes of a .npy file that holds Python objects; nothing where it holds plain items. For class
/// Pickle, and only for the published files that need it.
GIR_API std::optional<std::string_view> npy_pickle(std::string_view file, const std::string& where);

/// Strings (UTF-8) as a one-dimensional array of type '<U', with 4 bytes per character and the length of the longest.
/// UserError for what such an array cannot hold: bytes that are not UTF-8, NUL at the end.
GIR_API NpyArray npy_strings(const std::vector<std::string>& values, std::string where);

/// The header of the .npy file (format 1.0) of an array, which the items follow. A multiple of 64 bytes.
GIR_API std::string npy_header(const NpyView& array);

/// The complete .npy file of an array.
GIR_API std::string npy_bytes(const NpyView& array);

/// Writes a .npy file; it appears complete or not at all.
GIR_API void write_npy(const std::filesystem::path& path, const NpyView& array);

}  // namespace gir
