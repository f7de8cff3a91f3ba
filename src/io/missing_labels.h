#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace gir {

/// Empties the cells that stand for a missing label: those where is_missing() is true, and -1 where all other labels
/// are whole numbers from 0 on and belong to several classes. Notes say so.
void clear_missing_labels(const std::filesystem::path& path, std::vector<std::string>& labels,
                          std::vector<std::string>& notes);

/// A note on labels that differ in upper and lower case only: they are classes of their own, which hardly anyone means.
void note_label_twins(const std::filesystem::path& path, const std::vector<std::string>& labels,
                      std::vector<std::string>& notes);

}  // namespace gir
