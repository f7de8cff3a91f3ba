#include "gir/report/table.h"

#include <gtest/gtest.h>

#include "support.h"

namespace gir {
namespace {

const Table kTable{.columns = {{"name"}, {"metric", true}}, .rows = {{"a|b, \"c\"", "1"}, {"50 % ± x_y", "23.5"}}};

TEST(Table, AlignsTextByItsDisplayedWidth) {
  EXPECT_EQ(render(kTable, OutputFormat::kText),
            "name        metric\n"
            "a|b, \"c\"         1\n"
            "50 % ± x_y    23.5\n");
}

TEST(Table, EscapesMarkdown) {
  EXPECT_EQ(render(kTable, OutputFormat::kMarkdown),
            "| name | metric |\n| --- | ---: |\n| a\\|b, \"c\" | 1 |\n| 50 % ± x_y | 23.5 |\n");
}

TEST(Table, QuotesCsv) {
  EXPECT_EQ(render(kTable, OutputFormat::kCsv), "name,metric\n\"a|b, \"\"c\"\"\",1\n50 % ± x_y,23.5\n");
}

TEST(Table, EscapesTex) {
  EXPECT_EQ(render(kTable, OutputFormat::kTex),
            "\\begin{tabular}{lr}\n\\hline\nname & metric \\\\\n\\hline\n"
            "a|b, \"c\" & 1 \\\\\n50 \\% $\\pm$ x\\_y & 23.5 \\\\\n\\hline\n\\end{tabular}\n");
}

TEST(Table, MarksBoldCellsInMarkdownAndTex) {
  Table table = kTable;
  table.bold = {{1, 1}};
  EXPECT_NE(render(table, OutputFormat::kMarkdown).find("| **23.5** |"), std::string::npos);
  EXPECT_NE(render(table, OutputFormat::kTex).find("& \\textbf{23.5} \\\\"), std::string::npos);
  EXPECT_EQ(render(table, OutputFormat::kText), render(kTable, OutputFormat::kText));
}

TEST(OutputFormat, UnknownNamesListTheNearestFirst) {
  EXPECT_EQ(parse_output_format("JSON"), OutputFormat::kJson);
  testing::expect_user_error([] { parse_output_format("jsn"); }, "\"jsn\"", "known: json,");
}

}  // namespace
}  // namespace gir
