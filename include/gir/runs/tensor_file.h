#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "gir/nn/parameters.h"

namespace gir {

/// Writes tensors (float, double or int64) to a safetensors file, atomically.
void save_tensors(const std::filesystem::path& path, const std::vector<NamedTensor>& tensors,
                  const std::map<std::string, std::string>& metadata = {});

/// Loads the values of a file written by save_tensors() into `tensors`. UserError if the file is damaged, or if one of
/// them is missing or has another shape. `earlier_names` has, by the present name, the names that tensors had in files
/// of earlier versions. Returns the metadata.
std::map<std::string, std::string> load_tensors(const std::filesystem::path& path,
                                                const std::vector<NamedTensor>& tensors,
                                                const std::map<std::string, std::string>& earlier_names = {});

}  // namespace gir
