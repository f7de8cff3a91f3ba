#include "mat_file.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "gir/core/error.h"
#include "gir/core/text.h"
#include "gir/core/types.h"
#include "gir/io/gzip.h"

// A MATLAB file of level 5 is a header of 128 bytes followed by data elements: a tag with type and size, then the data.
// Every variable is an element of type kMatrix, or such an element compressed with zlib. It contains further elements:
// flags (class, complex), dimensions, name, then the values of a full matrix, or row indices, column offsets and values
// of a sparse one. ("MAT-File Format", The MathWorks.)

namespace gir {
namespace {

constexpr std::size_t kHeaderBytes = 128;
constexpr std::size_t kTagBytes = 8;

/// The data type of an element, as numbered in the file format.
enum class Storage : std::uint32_t {
  kInt8 = 1,
  kUInt8 = 2,
  kInt16 = 3,
  kUInt16 = 4,
  kInt32 = 5,
  kUInt32 = 6,
  kSingle = 7,
  kDouble = 9,
  kInt64 = 12,
  kUInt64 = 13,
  kMatrix = 14,
  kCompressed = 15,
};

/// A number at any address, in either byte order.
template <typename T>
T load(const char* bytes, bool other_endian) {
  std::array<char, sizeof(T)> copy;
  std::memcpy(copy.data(), bytes, sizeof(T));
  if (other_endian) std::reverse(copy.begin(), copy.end());
  T value;
  std::memcpy(&value, copy.data(), sizeof(T));
  return value;
}

struct Element {
  Storage storage;
  std::string_view data;
};

/// Reads elements (a tag followed by data) one after the other.
class ElementReader {
 public:
  /// `where` is the place that messages name.
  ElementReader(std::string_view bytes, bool other_endian, std::string where)
      : rest_(bytes), other_endian_(other_endian), where_(std::move(where)) {}

  bool at_end() const { return rest_.empty(); }
  std::string_view rest() const { return rest_; }

  Element next() {
    if (rest_.size() < kTagBytes) refuse();
    const auto first = load<std::uint32_t>(rest_.data(), other_endian_);
    // Small element format: up to four bytes of data follow within the eight bytes of the tag, and the size is in the
    // upper half of the first word.
    if (first >> 16 != 0) return take(Storage{first & 0xffff}, kTagBytes / 2, first >> 16, kTagBytes);
    const auto size = load<std::uint32_t>(rest_.data() + 4, other_endian_);
    // Data are padded to a multiple of eight bytes, unless they are compressed.
    const std::size_t padded = Storage{first} == Storage::kCompressed ? size : (std::size_t{size} + 7) / 8 * 8;
    return take(Storage{first}, kTagBytes, size, kTagBytes + padded);
  }

  [[noreturn]] void refuse() const {
    throw UserError("{}: the file is damaged or truncated [get it or save it again]", where_);
  }

 private:
  Element take(Storage storage, std::size_t begin, std::size_t size, std::size_t whole) {
    if (begin + size > rest_.size() || begin + size > whole) refuse();
    const Element element{storage, rest_.substr(begin, size)};
    // Some programs omit the padding after the last element.
    rest_.remove_prefix(std::min(whole, rest_.size()));
    return element;
  }

  std::string_view rest_;
  bool other_endian_;
  std::string where_;
};

template <typename Value, typename Stored>
std::vector<Value> convert(std::string_view data, bool other_endian) {
  std::vector<Value> values(data.size() / sizeof(Stored));
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<Value>(load<Stored>(data.data() + i * sizeof(Stored), other_endian));
  }
  return values;
}

/// The numbers of an element; nothing where it does not hold numbers of a suitable type.
template <typename Value>
std::optional<std::vector<Value>> numbers(const Element& element, bool other_endian) {
  switch (element.storage) {
    case Storage::kInt8:
      return convert<Value, std::int8_t>(element.data, other_endian);
    case Storage::kUInt8:
      return convert<Value, std::uint8_t>(element.data, other_endian);
    case Storage::kInt16:
      return convert<Value, std::int16_t>(element.data, other_endian);
    case Storage::kUInt16:
      return convert<Value, std::uint16_t>(element.data, other_endian);
    case Storage::kInt32:
      return convert<Value, std::int32_t>(element.data, other_endian);
    case Storage::kUInt32:
      return convert<Value, std::uint32_t>(element.data, other_endian);
    case Storage::kInt64:
      return convert<Value, std::int64_t>(element.data, other_endian);
    case Storage::kUInt64:
      return convert<Value, std::uint64_t>(element.data, other_endian);
    case Storage::kSingle:
      if constexpr (std::is_floating_point_v<Value>) return convert<Value, float>(element.data, other_endian);
      return std::nullopt;
    case Storage::kDouble:
      if constexpr (std::is_floating_point_v<Value>) return convert<Value, double>(element.data, other_endian);
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

template <typename Value>
std::vector<Value> next_numbers(ElementReader& reader, bool other_endian) {
  auto values = numbers<Value>(reader.next(), other_endian);
  if (!values) reader.refuse();
  return *std::move(values);
}

std::string place(const std::filesystem::path& path, const MatVariable& variable) {
  return fmt::format("{}: variable {}", path.string(), quoted(variable.name));
}

void refuse_complex(const std::filesystem::path& path, const MatVariable& variable) {
  if (variable.complex) throw UserError("{}: holds complex numbers [save its real part]", place(path, variable));
}

/// The nonzero entries of a full matrix, whose values are stored column by column.
std::vector<MatEntry> full_entries(std::int64_t rows, const std::vector<double>& values) {
  std::vector<MatEntry> entries;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto at = static_cast<std::int64_t>(i);
    if (values[i] != 0) entries.push_back({at % rows, at / rows, values[i]});
  }
  return entries;
}

}  // namespace

std::string MatVariable::describe() const {
  const std::string_view kind = is_sparse() ? "sparse" : is_full() ? "numeric" : "not numeric";
  return fmt::format("{} ({} {})", quoted(name), kind, fmt::join(shape, " x "));
}

MatFile::MatFile(const std::filesystem::path& path) : path_(path), file_(path) {
  const std::string_view bytes = file_.text();
  check_header(bytes);
  std::int64_t memory_left = memory_limit();
  for (ElementReader reader(bytes.substr(kHeaderBytes), other_endian_, path.string()); !reader.at_end();) {
    const Element element = reader.next();
    if (element.storage == Storage::kMatrix) {
      add_variable(element.data, {});
    } else if (element.storage == Storage::kCompressed) {
      Array<char> inflated = inflate_zlib(element.data, path, memory_left);
      memory_left -= inflated.size();
      ElementReader inner({inflated.data(), static_cast<std::size_t>(inflated.size())}, other_endian_, path.string());
      const Element matrix = inner.next();
      if (matrix.storage != Storage::kMatrix) inner.refuse();
      add_variable(matrix.data, std::move(inflated));
    } else {
      reader.refuse();
    }
  }
}

/// Checks the version and sets the byte order, which the last two bytes of the header show as "IM" or "MI".
void MatFile::check_header(std::string_view bytes) {
  constexpr std::size_t kVersionPlace = 124;
  constexpr std::string_view kHdf5 = "\x89HDF\r\n\x1a\n";
  constexpr std::size_t kHdf5Place = 512;
  const bool is_hdf5 = bytes.starts_with(kHdf5) || bytes.substr(std::min(bytes.size(), kHdf5Place)).starts_with(kHdf5);
  if (is_hdf5 || bytes.starts_with("MATLAB 7.3")) {
    throw UserError(path_, "is a MATLAB 7.3 file, which gir does not read [save it with '-v7' or '-v6']");
  }
  const std::string_view version = bytes.substr(std::min(bytes.size(), kVersionPlace), 4);
  other_endian_ = version == std::string_view("\x01\x00MI", 4);
  if (bytes.size() < kHeaderBytes || (version != std::string_view("\x00\x01IM", 4) && !other_endian_)) {
    throw UserError(path_, "is not a MATLAB file of version 5 to 7 [save it in MATLAB with '-v7' or '-v6']");
  }
}

void MatFile::add_variable(std::string_view matrix, Array<char> decompressed) {
  constexpr std::uint32_t kComplexBit = 1 << 11;
  MatVariable variable;
  variable.other_endian = other_endian_;
  ElementReader reader(matrix, other_endian_, path_.string());
  const auto flags = next_numbers<std::uint32_t>(reader, other_endian_);
  if (flags.empty()) reader.refuse();
  variable.type = static_cast<MatClass>(flags[0] & 0xff);
  variable.complex = (flags[0] & kComplexBit) != 0;
  // Other classes (function handles, tables) have layouts of their own and hold no matrix: skip them.
  if (variable.type < MatClass::kCell || variable.type > MatClass::kUInt64) return;
  variable.shape = next_numbers<std::int64_t>(reader, other_endian_);
  variable.name = reader.next().data;
  variable.content = reader.rest();
  const bool negative = std::any_of(variable.shape.begin(), variable.shape.end(), [](auto n) { return n < 0; });
  if (variable.shape.size() < 2 || negative) reader.refuse();
  variable.decompressed = std::move(decompressed);
  variables_.push_back(std::move(variable));
}

const MatVariable* MatFile::find(std::string_view name) const {
  const auto found = std::find_if(variables_.begin(), variables_.end(),
                                  [&](const MatVariable& variable) { return variable.name == name; });
  return found == variables_.end() ? nullptr : &*found;
}

std::vector<double> MatFile::values(const MatVariable& variable) const {
  ensure(variable.is_full(), "only full variables have values");
  refuse_complex(path_, variable);
  ElementReader reader(variable.content, variable.other_endian, place(path_, variable));
  auto values = next_numbers<double>(reader, variable.other_endian);
  // The product of the lengths must be the number of values; dividing cannot overflow.
  std::size_t left = values.size();
  for (const std::int64_t length : variable.shape) {
    if (length == 0 || left % static_cast<std::size_t>(length) != 0) reader.refuse();
    left /= static_cast<std::size_t>(length);
  }
  if (left != 1) reader.refuse();
  return values;
}

std::vector<MatEntry> MatFile::entries(const MatVariable& variable) const {
  ensure(variable.shape.size() == 2, "only matrices have entries");
  const std::int64_t rows = variable.shape[0];
  const std::int64_t columns = variable.shape[1];
  if (!variable.is_sparse())
    return rows * columns == 0 ? std::vector<MatEntry>() : full_entries(rows, values(variable));
  refuse_complex(path_, variable);
  const std::string where = place(path_, variable);
  ElementReader reader(variable.content, variable.other_endian, where);
  // Compressed sparse columns: row indices, where each column ends, values.
  const auto row_indices = next_numbers<std::int64_t>(reader, variable.other_endian);
  const auto column_ends = next_numbers<std::int64_t>(reader, variable.other_endian);
  const auto values = next_numbers<double>(reader, variable.other_endian);
  const auto stored = static_cast<std::int64_t>(std::min(row_indices.size(), values.size()));
  if (static_cast<std::int64_t>(column_ends.size()) != columns + 1 || column_ends[0] != 0) reader.refuse();
  std::vector<MatEntry> entries;
  entries.reserve(static_cast<std::size_t>(stored));
  for (std::size_t column = 0; column + 1 < column_ends.size(); ++column) {
    const std::int64_t end = column_ends[column + 1];
    if (end < column_ends[column] || end > stored) reader.refuse();
    for (auto i = static_cast<std::size_t>(column_ends[column]); i < static_cast<std::size_t>(end); ++i) {
      if (row_indices[i] < 0 || row_indices[i] >= rows) {
        throw UserError("{}: column {} has an entry in row {}, rows are 1 .. {} [get or save the file again]", where,
                        column + 1, row_indices[i] + 1, rows);
      }
      if (values[i] != 0) entries.push_back({row_indices[i], static_cast<std::int64_t>(column), values[i]});
    }
  }
  return entries;
}

}  // namespace gir
