#pragma once

#include <filesystem>

#include "gir/io/format.h"

namespace gir {

/// Whether the file is read in a format whose first line may be a header: as an edge list.
bool reads_header(const std::filesystem::path& path, const ReadOptions& options);

}  // namespace gir
