#include "gir/io/safetensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include "gir/core/error.h"
#include "safetensors_header.h"

// A safetensors file is the length of the header in 8 bytes, the header as JSON, then the bytes of all tensors. The
// header maps the name of every tensor to its type, shape and range of bytes, and "__metadata__" to strings.

namespace gir {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::size_t kLengthBytes = 8;
constexpr std::size_t kAlignment = 8;
constexpr std::uint64_t kMaxHeaderBytes = 100'000'000;  // the format's own limit
constexpr std::string_view kRemedy = "get the whole file, or save with safetensors.torch.save_file";

struct TypeProperties {
  SafetensorsType type;
  std::string_view name;
  std::int64_t bits;
};

constexpr std::array<TypeProperties, 22> kTypes = {{
    {SafetensorsType::kBool, "BOOL", 8},
    {SafetensorsType::kF4, "F4", 4},
    {SafetensorsType::kF6E2M3, "F6_E2M3", 6},
    {SafetensorsType::kF6E3M2, "F6_E3M2", 6},
    {SafetensorsType::kU8, "U8", 8},
    {SafetensorsType::kI8, "I8", 8},
    {SafetensorsType::kF8E5M2, "F8_E5M2", 8},
    {SafetensorsType::kF8E4M3, "F8_E4M3", 8},
    {SafetensorsType::kF8E8M0, "F8_E8M0", 8},
    {SafetensorsType::kF8E5M2Fnuz, "F8_E5M2FNUZ", 8},
    {SafetensorsType::kF8E4M3Fnuz, "F8_E4M3FNUZ", 8},
    {SafetensorsType::kI16, "I16", 16},
    {SafetensorsType::kU16, "U16", 16},
    {SafetensorsType::kF16, "F16", 16},
    {SafetensorsType::kBF16, "BF16", 16},
    {SafetensorsType::kI32, "I32", 32},
    {SafetensorsType::kU32, "U32", 32},
    {SafetensorsType::kF32, "F32", 32},
    {SafetensorsType::kC64, "C64", 64},
    {SafetensorsType::kF64, "F64", 64},
    {SafetensorsType::kI64, "I64", 64},
    {SafetensorsType::kU64, "U64", 64},
}};

const TypeProperties& properties(SafetensorsType type) {
  const auto found =
      std::find_if(kTypes.begin(), kTypes.end(), [type](const TypeProperties& known) { return known.type == type; });
  ensure(found != kTypes.end(), "a tensor type has no name");
  return *found;
}

/// Bytes of a tensor; nothing where the number overflows or the items do not fill whole bytes.
std::optional<std::int64_t> tensor_bytes(SafetensorsType type, const std::vector<std::int64_t>& shape) {
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
  std::int64_t bits = safetensors_item_bits(type);
  for (const std::int64_t length : shape) {
    if (length < 0 || __builtin_mul_overflow(bits, length, &bits)) return std::nullopt;
  }
  return bits % 8 == 0 ? std::optional(bits / 8) : std::nullopt;
}

/// UserError that says what the file is instead, where its first bytes show it.
void refuse_known_formats(std::string_view file, const std::filesystem::path& path) {
  if (file.empty()) throw UserError(path, "is empty, a safetensors file was expected [get the whole file]");
  if (file.starts_with("PK\x03\x04")) {
    throw UserError(path, "is a zip archive (as torch.save writes it), not a safetensors file [{}]", kRemedy);
  }
  if (file.size() > 1 && file[0] == '\x80' && file[1] >= 2 && file[1] <= 5) {
    throw UserError(path, "is a Python pickle, which gir does not load, not a safetensors file [{}]", kRemedy);
  }
}

/// The JSON header before the tensors.
std::string_view header_of(std::string_view file, const std::filesystem::path& path) {
  std::uint64_t length = 0;
  if (file.size() >= kLengthBytes) std::memcpy(&length, file.data(), kLengthBytes);
  const std::string_view rest = file.substr(std::min(kLengthBytes, file.size()));
  if (length <= std::min<std::uint64_t>(rest.size(), kMaxHeaderBytes) && rest.substr(0, length).starts_with('{')) {
    return rest.substr(0, length);
  }
  // Only after that check, because the length of a valid header may look like the first bytes of these formats.
  refuse_known_formats(file, path);
  if (length > rest.size()) {
    throw UserError(path, "is truncated or not a safetensors file: claims a header of {} bytes, but {} follow [{}]",
                    length, rest.size(), kRemedy);
  }
  if (length > kMaxHeaderBytes) {
    throw UserError(path, "is not a safetensors file: claims a header of {} bytes, at most {} are allowed [{}]", length,
                    kMaxHeaderBytes, kRemedy);
  }
  throw UserError(path, "is not a safetensors file: no header begins at byte 8 [{}]", kRemedy);
}

/// Checks the offsets of one tensor against its shape and the size of the file.
void check_entry(const SafetensorsEntry& entry, std::int64_t data_bytes, const std::filesystem::path& path) {
  const std::string_view type = safetensors_type_name(entry.type);
  const auto needed = tensor_bytes(entry.type, entry.shape);
  if (!needed) {
    throw UserError(path, "tensor {} claims the impossible shape [{}] of {}", quoted(entry.name),
                    fmt::join(entry.shape, ", "), type);
  }
  if (entry.begin > entry.end) {
    throw UserError(path, "tensor {} ends at byte {}, before it begins at {}", quoted(entry.name), entry.end,
                    entry.begin);
  }
  if (entry.end > data_bytes) {
    throw UserError(path, "tensor {} ends at byte {} of the data, which have {} [get the whole file]",
                    quoted(entry.name), entry.end, data_bytes);
  }
  if (entry.end - entry.begin != *needed) {
    throw UserError(path, "tensor {} of shape [{}] of {} takes {} bytes, but its offsets hold {}", quoted(entry.name),
                    fmt::join(entry.shape, ", "), type, *needed, entry.end - entry.begin);
  }
}

/// Checks that every byte of the data belongs to exactly one tensor.
void check_layout(const std::vector<SafetensorsEntry>& entries, std::int64_t data_bytes,
                  const std::filesystem::path& path) {
  std::vector<const SafetensorsEntry*> order;
  for (const SafetensorsEntry& entry : entries) {
    check_entry(entry, data_bytes, path);
    order.push_back(&entry);
  }
  std::sort(order.begin(), order.end(), [](const SafetensorsEntry* a, const SafetensorsEntry* b) {
    return std::pair(a->begin, a->end) < std::pair(b->begin, b->end);
  });
  std::int64_t reached = 0;
  for (const SafetensorsEntry* entry : order) {
    if (entry->begin != reached) {
      throw UserError(path, "tensor {} begins at byte {} of the data, but those before it end at {} [write it again]",
                      quoted(entry->name), entry->begin, reached);
    }
    reached = entry->end;
  }
  if (reached != data_bytes) {
    throw UserError(path, "has {} bytes after the last tensor [get the file as it was written]", data_bytes - reached);
  }
}

}  // namespace

std::string_view safetensors_type_name(SafetensorsType type) { return properties(type).name; }

std::int64_t safetensors_item_bits(SafetensorsType type) { return properties(type).bits; }

std::vector<std::string> safetensors_type_names() {
  std::vector<std::string> names;
  for (const TypeProperties& known : kTypes) names.emplace_back(known.name);
  return names;
}

std::optional<SafetensorsType> find_safetensors_type(std::string_view name) {
  for (const TypeProperties& known : kTypes) {
    if (known.name == name) return known.type;
  }
  return std::nullopt;
}

SafetensorsFile::SafetensorsFile(std::filesystem::path path)
    : path_(std::move(path)), file_(std::make_unique<MappedFile>(path_)) {
  const std::string_view json = header_of(file_->text(), path_);
  const std::string_view data = file_->text().substr(kLengthBytes + json.size());
  SafetensorsHeader header = parse_safetensors_header(json, path_);
  check_layout(header.entries, static_cast<std::int64_t>(data.size()), path_);
  metadata_ = std::move(header.metadata);
  for (SafetensorsEntry& entry : header.entries) {
    const auto begin = static_cast<std::size_t>(entry.begin);
    const auto size = static_cast<std::size_t>(entry.end - entry.begin);
    tensors_.emplace(entry.name, SafetensorsView{entry.type, std::move(entry.shape), data.substr(begin, size)});
    names_.push_back(std::move(entry.name));
  }
}

const SafetensorsView* SafetensorsFile::find(std::string_view name) const {
  const auto found = tensors_.find(name);
  return found == tensors_.end() ? nullptr : &found->second;
}

void write_safetensors(const std::filesystem::path& path, const std::vector<SafetensorsMember>& tensors,
                       const std::map<std::string, std::string>& metadata) {
  SafetensorsHeader header{.entries = {}, .metadata = metadata};
  std::int64_t place = 0;
  for (const auto& [name, tensor] : tensors) {
    const auto size = static_cast<std::int64_t>(tensor.bytes.size());
    ensure(tensor_bytes(tensor.type, tensor.shape) == size, "shape and bytes of a tensor disagree");
    header.entries.push_back({name, tensor.type, tensor.shape, place, place + size});
    place += size;
  }
  // Spaces at the end of the header align the data.
  std::string json = safetensors_header_json(header, path);
  json.append((kAlignment - json.size() % kAlignment) % kAlignment, ' ');
  ensure(json.size() <= kMaxHeaderBytes, "the header of a safetensors file is too long");
  const std::uint64_t length = json.size();
  AtomicFile file(path);
  file.write({reinterpret_cast<const char*>(&length), kLengthBytes});
  file.write(json);
  for (const SafetensorsMember& tensor : tensors) file.write(tensor.tensor.bytes);
  file.commit();
}

}  // namespace gir
