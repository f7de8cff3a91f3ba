// Data flows left to right through the rooms, and every room includes only rooms to its left.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 13> kRooms = {"core", "graph",  "io",    "data", "anchors", "pairs", "trees",
                                                     "nn",   "models", "learn", "runs", "report",  "cli"};

std::size_t position(std::string_view room) {
  return static_cast<std::size_t>(std::find(kRooms.begin(), kRooms.end(), room) - kRooms.begin());
}

/// Lines of `text`, a file of `room`, that include a room to its right or one that does not exist.
std::vector<std::string> arrows_pointing_back(std::string_view room, const std::string& text) {
  static const std::regex include(R"re(#\s*include\s*["<]gir/([^/">]+)/)re");
  std::vector<std::string> found;
  for (std::sregex_iterator match(text.begin(), text.end(), include), end; match != end; ++match) {
    const std::string target = (*match)[1];
    if (position(target) > position(room) || position(target) == kRooms.size()) found.push_back(match->str());
  }
  return found;
}

std::string room_of(const fs::path& relative) {
  auto part = relative.begin();
  if (*part == "cli") return "cli";
  if (*part == "include") ++part;
  return (++part)->string();
}

std::string content(const fs::path& path) {
  std::ifstream stream(path);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<fs::path> sources() {
  std::vector<fs::path> files;
  const fs::path root = GIR_SOURCE_DIR;
  for (const char* folder : {"include", "src", "cli"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      const std::string ending = entry.path().extension();
      const bool is_source = ending == ".h" || ending == ".cpp" || ending == ".cu" || ending == ".cuh";
      if (is_source) files.push_back(fs::relative(entry.path(), root));
    }
  }
  return files;
}

TEST(Rooms, TheCheckFindsAnArrowThatPointsBack) {
  EXPECT_EQ(arrows_pointing_back("graph", "#include \"gir/core/error.h\"\n").size(), 0u);
  EXPECT_EQ(arrows_pointing_back("graph", "#include \"gir/io/format.h\"\n").size(), 1u);
  EXPECT_EQ(arrows_pointing_back("graph", "#  include <gir/learn/x.h>\n").size(), 1u);
  EXPECT_EQ(arrows_pointing_back("graph", "#include \"gir/kitchen/x.h\"\n").size(), 1u);
}

TEST(Rooms, EveryFileIsInARoomAndIncludesOnlyRoomsToItsLeft) {
  const auto files = sources();
  ASSERT_GT(files.size(), 50u);
  for (const fs::path& file : files) {
    const std::string room = room_of(file);
    EXPECT_LT(position(room), kRooms.size()) << file << " is in no room";
    for (const std::string& line : arrows_pointing_back(room, content(fs::path(GIR_SOURCE_DIR) / file))) {
      ADD_FAILURE() << file << ": " << line << " points back";
    }
  }
}

TEST(Rooms, OnlyTheProgramPrintsOrExits) {
  const std::regex printing(R"(\b(std::cout|std::cerr|printf\(|fmt::print\(|std::exit\(|std::abort\())");
  for (const fs::path& file : sources()) {
    if (room_of(file) == "cli") continue;
    EXPECT_FALSE(std::regex_search(content(fs::path(GIR_SOURCE_DIR) / file), printing)) << file;
  }
}

/// Headers that cmake/api_headers.cmake lists.
std::set<std::string> api_headers() {
  const std::string list = content(fs::path(GIR_SOURCE_DIR) / "cmake/api_headers.cmake");
  static const std::regex header(R"([a-z_]+/[a-z_]+\.h)");
  std::set<std::string> found = {"core/version.h"};  // made when gir is configured
  for (std::sregex_iterator match(list.begin(), list.end(), header), end; match != end; ++match) {
    if (match->str() != "include/gir.h") found.insert(match->str());
  }
  return found;
}

TEST(Api, HeadersIncludeNothingThatIsNotInstalled) {
  const std::set<std::string> installed = api_headers();
  ASSERT_GT(installed.size(), 40u);
  static const std::regex include(R"re(#\s*include\s*["<]gir/([^">]+)[">])re");
  for (const std::string& header : installed) {
    if (header == "core/version.h") continue;
    const std::string text = content(fs::path(GIR_SOURCE_DIR) / "include/gir" / header);
    EXPECT_FALSE(text.empty()) << header << " is listed and not there";
    for (std::sregex_iterator match(text.begin(), text.end(), include), end; match != end; ++match) {
      EXPECT_TRUE(installed.contains((*match)[1])) << header << " includes " << (*match)[1];
    }
  }
}

TEST(Library, SpeaksOfSettingsAndNotOfFlags) {
  const std::regex flag(R"re((//|")[^"\n]*--[a-z])re");  // in a comment or a text
  const std::string commands = "train|compare|tune|report|eval|embed|predict|data|info|anchors|reproduce|verify|bench";
  const std::regex command("\\bgir (" + commands + ")\\b");
  for (const fs::path& file : sources()) {
    if (room_of(file) == "cli") continue;
    EXPECT_FALSE(std::regex_search(content(fs::path(GIR_SOURCE_DIR) / file), flag)) << file << " names a flag";
    EXPECT_FALSE(std::regex_search(content(fs::path(GIR_SOURCE_DIR) / file), command)) << file << " names a command";
    EXPECT_EQ(content(fs::path(GIR_SOURCE_DIR) / file).find("SPEC section"), std::string::npos) << file;
  }
}

}  // namespace
