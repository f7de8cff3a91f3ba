#include "gir/io/npy.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <limits>

#include "gir/core/error.h"
#include "npy_header.h"

namespace gir {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::int64_t kBytesPerCharacter = 4;  // 'U' items are UTF-32

bool has_byte_order(const NpyType& type) {
  return type.kind == NpyType::Kind::kUnicode ||
         (type.kind != NpyType::Kind::kBytes && type.kind != NpyType::Kind::kObject && type.item_size > 1);
}

/// Sets the item size of `type` from the number after its letter; false where there is no such type.
bool set_item_size(NpyType& type, std::int64_t number) {
  type.item_size = number;
  switch (type.kind) {
    case NpyType::Kind::kBool:
      return number == 1;
    case NpyType::Kind::kSigned:
    case NpyType::Kind::kUnsigned:
      return number == 1 || number == 2 || number == 4 || number == 8;
    case NpyType::Kind::kFloat:
      return number == 2 || number == 4 || number == 8;
    case NpyType::Kind::kBytes:
      return number > 0;
    case NpyType::Kind::kUnicode:
      type.item_size = number * kBytesPerCharacter;
      return number > 0;
    case NpyType::Kind::kObject:
      return true;
  }
  return false;
}

/// Number of items of `shape`; nothing where it overflows or a length is negative.
std::optional<std::int64_t> shape_product(const std::vector<std::int64_t>& shape) {
  if (std::any_of(shape.begin(), shape.end(), [](std::int64_t length) { return length < 0; })) return std::nullopt;
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
  std::int64_t product = 1;
  for (const std::int64_t length : shape) {
    if (__builtin_mul_overflow(product, length, &product)) return std::nullopt;
  }
  return product;
}

template <typename T>
NpyView view_of(std::span<const T> values, std::vector<std::int64_t> shape, NpyType::Kind kind) {
  ensure(shape_product(shape) == static_cast<std::int64_t>(values.size()), "shape and number of values disagree");
  const NpyType type{.kind = kind, .item_size = sizeof(T)};
  return {type, std::move(shape), {reinterpret_cast<const char*>(values.data()), values.size_bytes()}};
}

}  // namespace

std::string NpyType::text() const {
  const std::int64_t number = kind == Kind::kUnicode ? item_size / kBytesPerCharacter : item_size;
  const char order = !has_byte_order(*this) ? '|' : big_endian ? '>' : '<';
  return kind == Kind::kObject ? "|O" : fmt::format("{}{}{}", order, static_cast<char>(kind), number);
}

NpyType parse_npy_type(std::string_view text, std::string_view where) {
  constexpr std::string_view kLetters = "biufSUO";
  std::string_view rest = text;
  NpyType type;
  if (!rest.empty() && std::string_view("<>|=").find(rest[0]) != std::string_view::npos) {
    type.big_endian = rest[0] == '>';
    rest.remove_prefix(1);
  }
  const bool known = !rest.empty() && kLetters.find(rest[0]) != std::string_view::npos;
  if (known) {
    type.kind = static_cast<NpyType::Kind>(rest[0]);
    std::int32_t number = 0;
    const auto [end, error] = std::from_chars(rest.data() + 1, rest.data() + rest.size(), number);
    const bool is_number = error == std::errc() && end == rest.data() + rest.size() && number >= 0;
    const bool is_object = type.kind == NpyType::Kind::kObject && (rest.size() == 1 || is_number);
    if (is_object || (is_number && set_item_size(type, number))) {
      type.big_endian = type.big_endian && has_byte_order(type);
      return type;
    }
  }
  throw UserError("{}: has items of type {}, which gir does not read [convert to integers, floats or strings]", where,
                  quoted(text));
}

NpyView npy_view(std::span<const float> values, std::vector<std::int64_t> shape) {
  return view_of(values, std::move(shape), NpyType::Kind::kFloat);
}

NpyView npy_view(std::span<const std::int32_t> values, std::vector<std::int64_t> shape) {
  return view_of(values, std::move(shape), NpyType::Kind::kSigned);
}

NpyView npy_view(std::span<const std::int64_t> values, std::vector<std::int64_t> shape) {
  return view_of(values, std::move(shape), NpyType::Kind::kSigned);
}

NpyArray::NpyArray(std::string where, NpyType type, std::vector<std::int64_t> shape, Array<char> bytes,
                   bool fortran_order)
    : where_(std::move(where)), type_(type), shape_(std::move(shape)), block_(std::move(bytes)) {
  bytes_ = {block_.data(), static_cast<std::size_t>(block_.size())};
  count_items();
  if (fortran_order) transpose_to_row_major();
}

/// An array whose items are still in `file`; the caller keeps them alive in file_ or block_, unless they were copied.
NpyArray NpyArray::parse(std::string_view file, std::string where) {
  NpyHeader header = parse_npy_header(file, where);
  NpyArray array;
  array.where_ = std::move(where);
  array.type_ = parse_npy_type(header.type, array.where_);
  if (array.type_.kind == NpyType::Kind::kObject) {
    throw UserError(
        "{}: is a Python pickle, which gir does not load [save it with numpy.save(..., allow_pickle=False)]",
        array.where_);
  }
  array.shape_ = std::move(header.shape);
  array.bytes_ = file.substr(header.items_begin);
  array.count_items();
  if (header.fortran_order) array.transpose_to_row_major();
  return array;
}

/// Sets the number of items, after checking the shape against the number of bytes.
void NpyArray::count_items() {
  const auto items = shape_product(shape_);
  std::int64_t claimed = 0;
  if (!items || __builtin_mul_overflow(*items, type_.item_size, &claimed)) {
    throw UserError("{}: claims the impossible shape {}", where_, shape_text());
  }
  if (claimed != static_cast<std::int64_t>(bytes_.size())) {
    throw UserError("{}: shape {} of type {} takes {} bytes, but {} are stored [get the whole file]", where_,
                    shape_text(), type_.text(), claimed, bytes_.size());
  }
  size_ = *items;
}

/// Copies the items into row-major order: walks through the target in order and keeps the source position of the
/// current index, incrementing the last dimension first.
void NpyArray::transpose_to_row_major() {
  if (size_ == 0 || shape_.size() < 2) return;
  const auto item_size = static_cast<std::size_t>(type_.item_size);
  const std::size_t dimensions = shape_.size();
  std::vector<std::size_t> strides(dimensions, item_size);
  for (std::size_t d = 1; d < dimensions; ++d) strides[d] = strides[d - 1] * static_cast<std::size_t>(shape_[d - 1]);
  Array<char> transposed(static_cast<std::int64_t>(bytes_.size()));
  std::vector<std::int64_t> place(dimensions, 0);
  std::size_t source = 0;
  for (std::size_t target = 0; target < bytes_.size(); target += item_size) {
    std::memcpy(transposed.data() + target, bytes_.data() + source, item_size);
    for (std::size_t d = dimensions; d-- > 0;) {
      source += strides[d];
      if (++place[d] < shape_[d]) break;
      source -= strides[d] * static_cast<std::size_t>(shape_[d]);
      place[d] = 0;
    }
  }
  block_ = std::move(transposed);
  file_.reset();
  bytes_ = {block_.data(), static_cast<std::size_t>(block_.size())};
}

std::string NpyArray::shape_text() const { return fmt::format("[{}]", fmt::join(shape_, ", ")); }

std::string NpyArray::item_place(std::int64_t item) const {
  std::vector<std::int64_t> place(shape_.size());
  for (std::size_t d = shape_.size(); d-- > 0;) {
    place[d] = item % shape_[d];
    item /= shape_[d];
  }
  return fmt::format("[{}]", fmt::join(place, ", "));
}

NpyArray read_npy(const std::filesystem::path& path) {
  auto file = std::make_unique<MappedFile>(path);
  NpyArray array = NpyArray::parse(file->text(), path.string());
  if (array.block_.empty()) array.file_ = std::move(file);
  return array;
}

NpyArray parse_npy(Array<char> file, std::string where) {
  NpyArray array = NpyArray::parse({file.data(), static_cast<std::size_t>(file.size())}, std::move(where));
  if (array.block_.empty()) array.block_ = std::move(file);
  return array;
}

std::optional<std::string_view> npy_pickle(std::string_view file, const std::string& where) {
  const NpyHeader header = parse_npy_header(file, where);
  if (parse_npy_type(header.type, where).kind != NpyType::Kind::kObject) return std::nullopt;
  return file.substr(header.items_begin);
}

// Spaces before the line break pad the header, so that the items are aligned when the file is mapped.
std::string npy_header(const NpyView& array) {
  constexpr std::size_t kAlignment = 64;
  constexpr std::size_t kBeforeDict = 10;
  std::string dict = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}", array.type.text(),
                                 fmt::join(array.shape, ", "), array.shape.size() == 1 ? "," : "");
  const std::size_t used = kBeforeDict + dict.size() + 1;
  dict.append((kAlignment - used % kAlignment) % kAlignment, ' ');
  dict += '\n';
  ensure(dict.size() <= std::numeric_limits<std::uint16_t>::max(), "the header of a .npy file is too long");
  std::string header = "\x93NUMPY";
  header += '\x01';
  header += '\x00';
  header += static_cast<char>(dict.size() & 0xFF);
  header += static_cast<char>(dict.size() >> 8);
  return header + dict;
}

std::string npy_bytes(const NpyView& array) { return npy_header(array) + std::string(array.bytes); }

void write_npy(const std::filesystem::path& path, const NpyView& array) {
  AtomicFile file(path);
  file.write(npy_header(array));
  if (!array.bytes.empty()) file.write(array.bytes);
  file.commit();
}

}  // namespace gir
