#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "gir/nn/parameters.h"

namespace gir {

/// Writes tensors (float, double or int64) as a safetensors file, whole or not at all.
void save_tensors(const std::filesystem::path& path, const std::vector<NamedTensor>& tensors,
                  const std::map<std::string, std::string>& metadata = {});

/// Reads the values of a file that save_tensors() wrote into `tensors`. UserError where the file is damaged, or lacks
/// one of them or has it in another shape: it belongs to something else. Returns the metadata.
std::map<std::string, std::string> load_tensors(const std::filesystem::path& path,
                                                const std::vector<NamedTensor>& tensors);

}  // namespace gir
