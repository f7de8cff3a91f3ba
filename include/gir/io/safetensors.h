#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gir/core/export.h"
#include "gir/core/file.h"

namespace gir {

/// The item type of a tensor. gir computes with a few of these and copies the others as bytes.
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

/// The name of a type in safetensors files: "F32", "I64", "BF16".
GIR_API std::string_view safetensors_type_name(SafetensorsType type);

/// The names of all types.
GIR_API std::vector<std::string> safetensors_type_names();

/// The type of that name; nothing where there is none.
GIR_API std::optional<SafetensorsType> find_safetensors_type(std::string_view name);

/// Bits per item. Items of 4 and 6 bits are packed.
GIR_API std::int64_t safetensors_item_bits(SafetensorsType type);

/// Shape and items of a tensor, without ownership.
struct GIR_API SafetensorsView {
  SafetensorsType type = SafetensorsType::kF32;
  std::vector<std::int64_t> shape;  ///< empty for a scalar
  std::string_view bytes;           ///< row-major, little-endian; may be unaligned: copy them, do not cast
};

/// A named tensor to be written.
struct GIR_API SafetensorsMember {
  std::string name;
  SafetensorsView tensor;
};

/// A safetensors file: named tensors and string metadata. The constructor maps the file, reads its header and checks
/// that the tensors fill the rest of the file without gaps; their bytes are read when they are first accessed.
/// UserError for a file that is damaged, truncated or of another format. Time and memory are proportional to the
/// header.
class GIR_API SafetensorsFile {
 public:
  explicit SafetensorsFile(std::filesystem::path path);

  const std::filesystem::path& path() const { return path_; }

  /// Names of the tensors in the order of the header.
  const std::vector<std::string>& names() const { return names_; }

  /// Null when there is none. The bytes live as long as this object, or the one it is moved to.
  const SafetensorsView* find(std::string_view name) const;

  /// The metadata of the file; empty where it has none.
  const std::map<std::string, std::string>& metadata() const { return metadata_; }

 private:
  std::filesystem::path path_;
  std::unique_ptr<MappedFile> file_;
  std::vector<std::string> names_;
  std::map<std::string, SafetensorsView, std::less<>> tensors_;
  std::map<std::string, std::string> metadata_;
};

/// Writes a safetensors file, complete or not at all, with the tensors in the order given and without gaps. The data
/// begin at a multiple of 8 bytes, so that all tensors are aligned where those with the widest items come first. The
/// same tensors and metadata give the same bytes. UserError for names and metadata that are not UTF-8.
GIR_API void write_safetensors(const std::filesystem::path& path, const std::vector<SafetensorsMember>& tensors,
                               const std::map<std::string, std::string>& metadata = {});

}  // namespace gir
