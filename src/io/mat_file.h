#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "gir/core/array.h"
#include "gir/core/file.h"

namespace gir {

/// The class of a MATLAB variable, as numbered in the file format.
enum class MatClass : int { kCell = 1, kStruct = 2, kObject = 3, kChar = 4, kSparse = 5, kDouble = 6, kUInt64 = 15 };

/// A variable of a MAT file; its values are read on request.
struct MatVariable {
  std::string name;
  MatClass type = MatClass::kDouble;
  bool complex = false;
  std::vector<std::int64_t> shape;
  std::string_view content;  ///< the elements after the name
  Array<char> decompressed;  ///< the memory of `content`, where the file is compressed
  bool other_endian = false;

  bool is_sparse() const { return type == MatClass::kSparse; }
  bool is_full() const { return type >= MatClass::kDouble && type <= MatClass::kUInt64; }
  bool is_square() const { return shape.size() == 2 && shape[0] == shape[1]; }

  /// "net (sparse 297 x 297)".
  std::string describe() const;
};

/// One entry of a matrix; row and column count from 0.
struct MatEntry {
  std::int64_t row;
  std::int64_t column;
  double value;
};

/// A MATLAB file of version 5 to 7, compressed or not, in either byte order. UserError for other files, for files of
/// version 7.3 (which are HDF5) and for files that are damaged or truncated.
class MatFile {
 public:
  explicit MatFile(const std::filesystem::path& path);

  const std::vector<MatVariable>& variables() const { return variables_; }
  const MatVariable* find(std::string_view name) const;

  /// The nonzero entries of a real matrix, sparse or full.
  std::vector<MatEntry> entries(const MatVariable& variable) const;

  /// All values of a real full variable, column by column.
  std::vector<double> values(const MatVariable& variable) const;

 private:
  void check_header(std::string_view bytes);
  void add_variable(std::string_view matrix, Array<char> decompressed);

  std::filesystem::path path_;
  MappedFile file_;
  bool other_endian_ = false;
  std::vector<MatVariable> variables_;
};

}  // namespace gir
