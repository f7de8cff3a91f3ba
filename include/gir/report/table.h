#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gir/core/export.h"

namespace gir {

/// The formats in which results are printed.
enum class OutputFormat { kText, kJson, kMarkdown, kCsv, kTex };

/// Parses text, json, md, csv or tex. UserError that lists the formats for any other name.
GIR_API OutputFormat parse_output_format(std::string_view name);

/// Rows of text under headings.
struct GIR_API Table {
  struct Column {
    std::string heading;
    bool is_number = false;  ///< aligned to the right
  };

  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;               ///< one cell per column each
  std::set<std::pair<std::size_t, std::size_t>> bold = {};  ///< row and column of cells that are bold in Markdown and
                                                            ///< LaTeX
  std::optional<std::size_t> rule = {};                     ///< LaTeX has a line above this row
};

/// The table as aligned text, Markdown, CSV or a LaTeX tabular. Callers write JSON themselves, with values instead of
/// their printed form.
GIR_API std::string render(const Table& table, OutputFormat format);

}  // namespace gir
