#include "appended_lines.h"

#include <string_view>

#include "gir/core/file.h"
#include "gir/io/gzip.h"

namespace gir {

std::vector<std::string> appended_lines(const std::filesystem::path& path) {
  std::vector<std::string> lines;
  if (!std::filesystem::exists(path)) return lines;
  const TextFile file(path);
  std::string_view rest = file.text();
  for (auto end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
    lines.emplace_back(rest.substr(0, end));
    rest.remove_prefix(end + 1);
  }
  return lines;
}

void remove_incomplete_line(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path)) return;
  const std::string text(TextFile(path).text());
  const std::size_t end = text.rfind('\n');
  const std::size_t kept = end == std::string::npos ? 0 : end + 1;
  if (kept < text.size()) write_file(path, text.substr(0, kept));
}

}  // namespace gir
