#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace gir {

/// The complete lines of a file that an AppendFile writes, without their line breaks; none if it does not exist.
std::vector<std::string> appended_lines(const std::filesystem::path& path);

/// Removes an incomplete last line, left by a program that was killed.
void remove_incomplete_line(const std::filesystem::path& path);

}  // namespace gir
