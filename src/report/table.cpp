#include "gir/report/table.h"

#include <algorithm>
#include <array>
#include <utility>

#include "gir/core/error.h"
#include "gir/core/text.h"
#include "gir/io/csv_cell.h"

namespace gir {
namespace {

constexpr std::array<std::pair<std::string_view, OutputFormat>, 5> kFormats = {{
    {"text", OutputFormat::kText},
    {"json", OutputFormat::kJson},
    {"md", OutputFormat::kMarkdown},
    {"csv", OutputFormat::kCsv},
    {"tex", OutputFormat::kTex},
}};

/// Width of UTF-8 text in a terminal: continuation bytes take no column.
std::size_t shown_width(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string padded(const std::string& text, std::size_t width, bool to_the_right) {
  const std::string space(width - std::min(width, shown_width(text)), ' ');
  return to_the_right ? space + text : text + space;
}

std::vector<std::size_t> widths(const Table& table) {
  std::vector<std::size_t> result;
  for (std::size_t column = 0; column < table.columns.size(); ++column) {
    std::size_t width = shown_width(table.columns[column].heading);
    for (const auto& row : table.rows) width = std::max(width, shown_width(row[column]));
    result.push_back(width);
  }
  return result;
}

std::vector<std::string> headings(const Table& table) {
  std::vector<std::string> result;
  for (const auto& column : table.columns) result.push_back(column.heading);
  return result;
}

std::string render_text(const Table& table) {
  const auto width = widths(table);
  std::string result;
  const auto add_line = [&](const std::vector<std::string>& cells) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (i > 0) line += "  ";
      line += padded(cells[i], width[i], table.columns[i].is_number);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    result += line + '\n';
  };
  add_line(headings(table));
  for (const auto& row : table.rows) add_line(row);
  return result;
}

std::string markdown_cell(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '|') result += '\\';
    result += c;
  }
  return result;
}

std::string render_markdown(const Table& table) {
  std::string result = "|";
  for (const auto& column : table.columns) result += fmt::format(" {} |", markdown_cell(column.heading));
  result += "\n|";
  for (const auto& column : table.columns) result += column.is_number ? " ---: |" : " --- |";
  result += "\n";
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    result += "|";
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
      const char* mark = table.bold.contains({row, column}) ? "**" : "";
      result += fmt::format(" {}{}{} |", mark, markdown_cell(table.rows[row][column]), mark);
    }
    result += "\n";
  }
  return result;
}

std::string render_csv(const Table& table) {
  std::string result;
  const auto add_line = [&](const std::vector<std::string>& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (i > 0) result += ',';
      result += csv_cell(cells[i], ',');
    }
    result += '\n';
  };
  add_line(headings(table));
  for (const auto& row : table.rows) add_line(row);
  return result;
}

constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kTexSymbols = {{
    {"±", "$\\pm$"},
    {"↑", "$\\uparrow$"},
    {"≈", "$\\approx$"},
    {"↓", "$\\downarrow$"},
}};

std::string tex_cell(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const auto symbol = std::find_if(kTexSymbols.begin(), kTexSymbols.end(), [&](const auto& each) {
      return std::string_view(text).substr(i).starts_with(each.first);
    });
    if (symbol != kTexSymbols.end()) {
      result += symbol->second;
      i += symbol->first.size() - 1;
    } else if (c == '\\') {
      result += "\\textbackslash{}";
    } else if (c == '~' || c == '^') {
      result += fmt::format("\\{}{{}}", c);
    } else {
      if (std::string_view("&%$#_{}").find(c) != std::string_view::npos) result += '\\';
      result += c;
    }
  }
  return result;
}

std::string render_tex(const Table& table) {
  std::string result = "\\begin{tabular}{";
  for (const auto& column : table.columns) result += column.is_number ? 'r' : 'l';
  result += "}\n\\hline\n";
  for (std::size_t column = 0; column < table.columns.size(); ++column) {
    if (column > 0) result += " & ";
    result += tex_cell(table.columns[column].heading);
  }
  result += " \\\\\n\\hline\n";
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    if (row == table.rule) result += "\\hline\n";
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
      const std::string cell = tex_cell(table.rows[row][column]);
      if (column > 0) result += " & ";
      result += table.bold.contains({row, column}) ? fmt::format("\\textbf{{{}}}", cell) : cell;
    }
    result += " \\\\\n";
  }
  return result + "\\hline\n\\end{tabular}\n";
}

}  // namespace

OutputFormat parse_output_format(std::string_view name) {
  std::vector<std::string> known;
  for (const auto& [text, format] : kFormats) {
    if (text == canonical_name(name)) return format;
    known.emplace_back(text);
  }
  throw UserError("unknown output format {} [known: {}]", quoted(name), join(nearest_first(name, known), ", "));
}

std::string render(const Table& table, OutputFormat format) {
  for (const auto& row : table.rows) ensure(row.size() == table.columns.size(), "one cell per column");
  switch (format) {
    case OutputFormat::kText:
      return render_text(table);
    case OutputFormat::kMarkdown:
      return render_markdown(table);
    case OutputFormat::kCsv:
      return render_csv(table);
    case OutputFormat::kTex:
      return render_tex(table);
    case OutputFormat::kJson:
      break;
  }
  throw InternalError("tables are not rendered as JSON");
}

}  // namespace gir
