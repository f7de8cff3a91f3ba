#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gir/core/file.h"

namespace gir {

/// What the items of a tensor are; gir computes with a few of these and passes the others on as bytes.
enum class SafetensorsType : std::uint8_t {
  kBool,
  kF4,
  kF6E2M3,
  kF6E3M2,
  kU8,
  kI8,
  kF8E5M2,
  kF8E4M3,
  kF8E8M0,
  kF8E5M2Fnuz,
  kF8E4M3Fnuz,
  kI16,
  kU16,
  kF16,
  kBF16,
  kI32,
  kU32,
  kF32,
  kC64,
  kF64,
  kI64,
  kU64,
};

/// As safetensors files write it: "F32", "I64", "BF16".
std::string_view safetensors_type_name(SafetensorsType type);

/// All names of types.
std::vector<std::string> safetensors_type_names();

/// The type of that name; nothing where there is none.
std::optional<SafetensorsType> find_safetensors_type(std::string_view name);

/// Bits an item. Items of 4 and 6 bits are packed.
std::int64_t safetensors_item_bits(SafetensorsType type);

/// Shape and items of a tensor that somebody else owns.
struct SafetensorsView {
  SafetensorsType type = SafetensorsType::kF32;
  std::vector<std::int64_t> shape;  ///< empty for a scalar
  std::string_view bytes;           ///< row-major, little-endian; maybe not aligned: copy them, do not cast
};

/// A named tensor to be written.
struct SafetensorsMember {
  std::string name;
  SafetensorsView tensor;
};

/// A safetensors file: named tensors and a few texts about them. Opening maps the file, reads its header and
/// checks that the tensors fill the rest of the file without gaps; their bytes are read when touched. UserError
/// for a file that is damaged, cut off or of another format. O(header), and memory in proportion to it.
class SafetensorsFile {
 public:
  explicit SafetensorsFile(std::filesystem::path path);

  const std::filesystem::path& path() const { return path_; }

  /// Names of the tensors in the order of the header.
  const std::vector<std::string>& names() const { return names_; }

  /// Null when there is none. The bytes live as long as this file object, moved or not.
  const SafetensorsView* find(std::string_view name) const;

  /// What was stored beside the tensors; empty for files that say nothing.
  const std::map<std::string, std::string>& metadata() const { return metadata_; }

 private:
  std::filesystem::path path_;
  std::unique_ptr<MappedFile> file_;
  std::vector<std::string> names_;
  std::map<std::string, SafetensorsView, std::less<>> tensors_;
  std::map<std::string, std::string> metadata_;
};

/// Writes a safetensors file, whole or not at all, with the tensors one after the other in the order given. Data
/// begins at a multiple of 8 bytes, so tensors whose items are wide come best first. The same tensors and metadata
/// give the same bytes. UserError for names and metadata that are not UTF-8.
void write_safetensors(const std::filesystem::path& path, const std::vector<SafetensorsMember>& tensors,
                       const std::map<std::string, std::string>& metadata = {});

}  // namespace gir
