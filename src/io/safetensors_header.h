#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "gir/io/safetensors.h"

namespace gir {

/// One tensor of a header: type, shape, and the range of its bytes, counted from the first byte after the header.
struct SafetensorsEntry {
  std::string name;
  SafetensorsType type = SafetensorsType::kF32;
  std::vector<std::int64_t> shape;
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

struct SafetensorsHeader {
  std::vector<SafetensorsEntry> entries;  ///< in the order of the file
  std::map<std::string, std::string> metadata;
};

/// Parses the JSON of a header. UserError, naming `path`, for anything but distinct names with a type, a shape and two
/// offsets each and the strings of "__metadata__". The offsets are not checked.
SafetensorsHeader parse_safetensors_header(std::string_view json, const std::filesystem::path& path);

/// The JSON of a header. UserError, naming `path`, for strings that are not UTF-8.
std::string safetensors_header_json(const SafetensorsHeader& header, const std::filesystem::path& path);

}  // namespace gir
