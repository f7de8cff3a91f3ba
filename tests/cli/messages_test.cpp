// Messages that recommend a setting or a flag recommend one that exists.

#include <gmock/gmock.h>

#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "program.h"

namespace gir {
namespace {

namespace fs = std::filesystem;
using testing::ProgramRun;
using testing::read_text;
using testing::run_gir;
using testing::TempDir;

/// The flags of every command, from its help: "train": {"--epochs", ...}.
class Commands {
 public:
  Commands() { visit({}); }

  const std::map<std::string, std::set<std::string>>& flags() const { return flags_; }

  /// Whether any command has the flag.
  bool know(const std::string& flag) const {
    return std::any_of(flags_.begin(), flags_.end(), [&](const auto& each) { return each.second.contains(flag); });
  }

 private:
  void visit(const std::vector<std::string>& words) {
    std::vector<std::string> command = words;
    command.push_back("--help");
    const std::string help = run_gir(command).out;
    std::string name;
    for (const std::string& word : words) name += (name.empty() ? "" : " ") + word;
    static const std::regex option("(^|\n) +(-[^ ]*)");
    static const std::regex flag("--[a-z][a-z0-9-]*");
    for (std::sregex_iterator line(help.begin(), help.end(), option), end; line != end; ++line) {
      const std::string spelled = (*line)[2];
      for (std::sregex_iterator match(spelled.begin(), spelled.end(), flag); match != end; ++match) {
        flags_[name].insert(match->str());
      }
    }
    static const std::regex below("\n  ([a-z][a-z-]*) ");
    const std::size_t list = help.find("Subcommands:");
    if (list == std::string::npos) return;
    const std::string rest = help.substr(list);
    for (std::sregex_iterator match(rest.begin(), rest.end(), below), end; match != end; ++match) {
      std::vector<std::string> next = words;
      next.push_back((*match)[1]);
      visit(next);
    }
  }

  std::map<std::string, std::set<std::string>> flags_;
};

/// String literals of a source file, adjacent ones as one.
std::vector<std::string> literals(const std::string& source) {
  std::vector<std::string> found;
  bool adjacent = false;  // only blanks since the last literal
  for (std::size_t i = 0; i < source.size(); ++i) {
    const char c = source[i];
    if (source.compare(i, 2, "//") == 0) {
      i = std::min(source.find('\n', i), source.size()) - 1;
    } else if (c == '\'' && i > 0 && std::isalnum(static_cast<unsigned char>(source[i - 1])) != 0) {
      continue;  // of a number such as 10'000
    } else if (c == '\'' && i + 2 < source.size()) {
      i = std::min(source.find('\'', i + (source[i + 1] == '\\' ? 3 : 2)), source.size());
      adjacent = false;
    } else if (c == '"') {
      std::string text;
      for (++i; i < source.size() && source[i] != '"'; ++i) {
        if (source[i] == '\\') ++i;
        text += source[i];
      }
      if (adjacent) {
        found.back() += text;
      } else {
        found.push_back(text);
      }
      adjacent = true;
    } else if (std::isspace(static_cast<unsigned char>(c)) == 0) {
      adjacent = false;
    }
  }
  return found;
}

std::vector<fs::path> sources_of(const std::vector<std::string>& folders) {
  std::vector<fs::path> files;
  for (const std::string& folder : folders) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(GIR_SOURCE_DIR) / folder)) {
      const std::string ending = entry.path().extension();
      if (ending == ".h" || ending == ".cpp" || ending == ".cu" || ending == ".cuh") files.push_back(entry.path());
    }
  }
  return files;
}

TEST(Messages, LiteralsAreFoundAsTheCompilerReadsThem) {
  EXPECT_THAT(literals("f(\"a `x` \"\n  \"b\", '\"', \"c\\\"d\");  // \"no\"\n\"e\""),
              ::testing::ElementsAre("a `x` b", "c\"d", "e"));
  EXPECT_THAT(literals("f(10'000, \"g\")"), ::testing::ElementsAre("g"));
}

/// Every setting that the library names is a flag.
void check_settings(const Commands& commands) {
  static const std::regex setting("`([a-z][a-z0-9-]*)`");
  std::size_t count = 0;
  for (const fs::path& file : sources_of({"src", "include"})) {
    for (const std::string& text : literals(read_text(file))) {
      for (std::sregex_iterator match(text.begin(), text.end(), setting), end; match != end; ++match) {
        EXPECT_TRUE(commands.know("--" + (*match)[1].str())) << file << ": " << match->str() << " in " << text;
        ++count;
      }
    }
  }
  EXPECT_GT(count, 50u);
}

/// Every flag that the program names is one of the command that it names with it.
void check_flags(const Commands& commands) {
  static const std::regex flag("(gir [a-z]+( [a-z]+)?|--[a-z][a-z0-9-]*)");
  for (const fs::path& file : sources_of({"cli"})) {
    for (const std::string& text : literals(read_text(file))) {
      std::string command;  // that the text named last; any before the first
      for (std::sregex_iterator match(text.begin(), text.end(), flag), end; match != end; ++match) {
        const std::string word = match->str();
        if (word.starts_with("gir ")) {
          const std::string both = word.substr(4);
          const std::string first = both.substr(0, both.find(' '));
          command = commands.flags().contains(both) ? both : commands.flags().contains(first) ? first : "";
        } else if (word != "--") {
          const bool known = command.empty() ? commands.know(word) : commands.flags().at(command).contains(word);
          EXPECT_TRUE(known) << file << ": " << word << " is no flag of gir " << command << ": " << text;
        }
      }
    }
  }
}

/// Wrong inputs of every command are refused in one line, whose flags are flags of that command.
void check_wrong_inputs(const Commands& commands) {
  const TempDir dir;
  ASSERT_EQ(run_gir({"train", "--dataset", "karate", "--epochs", "2", "-o", dir / "run"}).exit_code, 0);
  const std::string pairs = dir.file("pairs.txt", "1 999\n");
  const std::string out = dir / "x";
  const std::map<std::string, std::vector<std::vector<std::string>>> cases = {
      {"compare",
       {{"--datasets", "nowhere", "--models", "gcn", "-o", out},
        {"--datasets", "karate", "--models", "gcm", "-o", out},
        {"--datasets", "karate", "--models", ",", "-o", out},
        {"--datasets", ",", "--models", "gcn", "-o", out},
        {"--datasets", "karate", "--models", "gcn", "--runs", "0", "-o", out},
        {"--datasets", "karate", "--models", "gcn", "--runs", "3", "--splits", "2", "-o", out},
        {"--datasets", "karate", "--models", "gcn", "--splits", "x", "-o", out},
        {"--datasets", "karate", "--models", "fusion", "--runs", "1", "--splits", "1", "-o", out},
        {"--datasets", "karate", "--models", "gcn", "--recipe", "papr", "-o", out},
        {"--datasets", "karate", "--models", "gcn", "--config", dir / "none.json", "-o", out},
        {"--datasets", "karate", "--models", "gcn", "--anchor-file", dir / "none", "-o", out},
        {"--datasets", "karate", "--models", "gcn", "--layers", "0", "-o", out},
        {"--datasets", "karate", "--models", "gcn", "--epochs", "1e3", "-o", out},
        {"--datasets", "karate", "--models", "gcn", "-o", dir / "run"},
        {"--datasets", "karate", "--models", "gcn", "-o", pairs},
        {"--datasets", "karate,karate", "--models", "gcn", "-o", out}}},
      {"reproduce positional",
       {{"--datasets", "nowhere", "-o", out},
        {"--models", "gcm", "--datasets", "karate", "-o", out},
        {"--hidden", "0", "-o", out},
        {"--quick", "--runs", "2", "-o", out},
        {"--recipe", "x", "-o", out}}},
      {"report", {{dir / "none", "-o", out}, {pairs, "-o", out}, {dir / "run", "-o", dir / "no" / "x.html"}}},
      {"train",
       {{"--dataset", "karate"},
        {"-o", out},
        {"--dataset", "karate", "--model", "gcm", "-o", out},
        {"--dataset", "karate", "--task", "nx", "-o", out},
        {"--dataset", "karate", "--strategy", "file", "-o", out},
        {"--dataset", "karate", "--anchors", "-1", "-o", out},
        {"--dataset", "karate", "--anchors", "99", "-o", out},
        {"--dataset", "karate", "--weighted=maybe", "-o", out},
        {"--dataset", "karate", "--directed", "-o", out},
        {"--dataset", "karate", "--num-nodes", "5", "-o", out},
        {"--resume", dir / "run"},
        {"--resume", dir / "none"},
        {"--dataset", "karate", "-o", dir / "run"}}},
      {"anchors",
       {{"karate", "--count", "0"}, {"karate", "--count", "99"}, {"karate", "--strategy", "x"}, {"nowhere"}}},
      {"predict",
       {{dir / "run"}, {dir / "run", "--pairs", pairs, "-o", out}, {dir / "none", "--pairs", pairs, "-o", out}}},
      {"embed", {{dir / "run", "-o", dir / "x.xyz"}, {dir / "run"}, {dir / "none", "-o", dir / "x.npy"}}},
      {"eval", {{dir / "none"}, {pairs}}},
      {"info devices", {{"--device", "gpu"}}},
      {"bench epoch", {{"--nodes", "0"}, {"--rmat", "x"}}},
      {"bench distances", {{"nowhere"}}},
      {"bench load", {{"nowhere"}}},
  };
  static const std::regex flag("--[a-z][a-z0-9-]*");
  for (const auto& [command, inputs] : cases) {
    for (const std::vector<std::string>& input : inputs) {
      std::vector<std::string> words;
      std::istringstream names(command);
      for (std::string name; names >> name;) words.push_back(name);
      words.insert(words.end(), input.begin(), input.end());
      const ProgramRun run = run_gir(words);
      std::string line;
      for (const std::string& word : words) line += " " + word;
      EXPECT_EQ(run.exit_code, 2) << line << "\n" << run.err;
      const std::string message = run.err.substr(0, run.err.size() - 1);
      EXPECT_EQ(message.find('\n'), std::string::npos) << line << "\n" << run.err;
      EXPECT_TRUE(message.starts_with("gir")) << line << "\n" << message;
      for (std::sregex_iterator match(message.begin(), message.end(), flag), end; match != end; ++match) {
        EXPECT_TRUE(commands.flags().at(command).contains(match->str()) || match->str() == "--help") << line << "\n"
                                                                                                     << message;
      }
    }
  }
}

TEST(Messages, RecommendSettingsAndFlagsThatExist) {
  const Commands commands;
  ASSERT_GT(commands.flags().size(), 20u);
  ASSERT_TRUE(commands.flags().at("train").contains("--epochs"));
  check_settings(commands);
  check_flags(commands);
  check_wrong_inputs(commands);
}

}  // namespace
}  // namespace gir
