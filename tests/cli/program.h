#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support.h"

namespace gir::testing {

/// The result of a run of the program.
struct ProgramRun {
  int exit_code = -1;
  std::string out;
  std::string err;

  nlohmann::json json() const { return nlohmann::json::parse(out); }
};

inline std::string shell_word(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

/// Runs build/gir with these arguments and waits for its end. `input` is the file that it reads as standard input.
inline ProgramRun run_gir(const std::vector<std::string>& words, const std::string& environment = "",
                          const std::string& input = "/dev/null") {
  const TempDir dir;
  std::string command = environment + " " + shell_word(GIR_PROGRAM);
  for (const std::string& word : words) command += " " + shell_word(word);
  command += " > " + shell_word(dir / "out") + " 2> " + shell_word(dir / "err") + " < " + shell_word(input);
  const int status = std::system(command.c_str());
  return {.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
          .out = read_text(dir / "out"),
          .err = read_text(dir / "err")};
}

/// Expects the program to refuse: exit code 2, nothing on standard output, one line on standard error with all `parts`.
inline void expect_refusal(const std::vector<std::string>& words, std::initializer_list<std::string> parts) {
  const ProgramRun run = run_gir(words);
  EXPECT_EQ(run.exit_code, 2) << run.err;
  EXPECT_EQ(run.out, "");
  ASSERT_FALSE(run.err.empty());
  EXPECT_EQ(run.err.find('\n'), run.err.size() - 1) << run.err;
  EXPECT_TRUE(run.err.starts_with("gir")) << run.err;
  for (const std::string& part : parts) EXPECT_NE(run.err.find(part), std::string::npos) << part << " in " << run.err;
}

}  // namespace gir::testing
