#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "gir/core/error.h"

namespace gir {

/// A text file to which lines are appended; each line is flushed at once, so that it survives a kill of the program.
class AppendFile {
 public:
  explicit AppendFile(std::filesystem::path path) : path_(std::move(path)), file_(std::fopen(path_.c_str(), "ab")) {
    if (!file_) throw UserError(path_, "cannot be written [check the permissions of the folder]");
  }

  void add(const std::string& line) {
    if (std::fwrite(line.data(), 1, line.size(), file_.get()) != line.size() || std::fflush(file_.get()) != 0) {
      throw UserError(path_, "cannot be written to [is the disk full?]");
    }
  }

 private:
  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  std::filesystem::path path_;
  std::unique_ptr<std::FILE, Closer> file_;
};

}  // namespace gir
