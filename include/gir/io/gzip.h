#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "gir/core/array.h"
#include "gir/core/file.h"

namespace gir {

/// Whether a file that begins with `head` is a gzip file. Two bytes are enough.
bool is_gzip(std::string_view head);

/// The content of the gzip file whose bytes are `compressed`, all members one after the other. UserError,
/// naming `path`, for corrupt or cut-off data and for content of more than `limit` bytes.
Array<char> gunzip(std::string_view compressed, const std::filesystem::path& path, std::int64_t limit = memory_limit());

/// The content of a zlib stream, which some formats hold inside. Bytes behind its end do not count.
Array<char> inflate_zlib(std::string_view compressed, const std::filesystem::path& path,
                         std::int64_t limit = memory_limit());

/// `content` as the bytes of a gzip file. Equal content gives equal bytes: no name and no time are stored.
std::string gzip(std::string_view content);

/// The bytes of a text file: mapped where it is plain, decompressed where it is gzip (told by its first
/// bytes, whatever its name). A UTF-8 byte order mark at the front is left out.
class TextFile {
 public:
  explicit TextFile(const std::filesystem::path& path);

  std::string_view text() const { return text_; }

 private:
  std::optional<MappedFile> plain_;
  Array<char> decompressed_;
  std::string_view text_;
};

class Deflater;

/// An AtomicFile for text, compressed on the way where the name of `path` ends in ".gz".
class TextFileWriter {
 public:
  explicit TextFileWriter(const std::filesystem::path& path);
  ~TextFileWriter();

  /// Appends `text`. Collected and passed on in large pieces, so that short ones cost little.
  void write(std::string_view text);

  /// Appends a formatted text and a line break.
  template <typename... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(buffer_), format, std::forward<Args>(args)...);
    write("\n");
  }

  /// Passes on what is left and moves the file into place; without it nothing appears.
  void commit();

 private:
  void flush();

  AtomicFile file_;
  std::string buffer_;
  std::unique_ptr<Deflater> deflater_;
};

}  // namespace gir
