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
#include "gir/core/export.h"
#include "gir/core/file.h"

namespace gir {

/// Whether a file that begins with `head` is a gzip file. Two bytes suffice.
GIR_API bool is_gzip(std::string_view head);

/// The content of the gzip file whose bytes are `compressed`, all members concatenated. UserError, naming `path`, for
/// corrupt or truncated data and for content of more than `limit` bytes.
GIR_API Array<char> gunzip(std::string_view compressed, const std::filesystem::path& path,
                           std::int64_t limit = memory_limit());

/// The content of a zlib stream, as other formats contain it. Bytes after its end are ignored.
GIR_API Array<char> inflate_zlib(std::string_view compressed, const std::filesystem::path& path,
                                 std::int64_t limit = memory_limit());

/// `content` as the bytes of a gzip file. Equal content gives equal bytes: neither name nor time is stored.
GIR_API std::string gzip(std::string_view content);

/// The content of a text file: mapped where it is plain, decompressed where it is gzip (recognised by its first bytes,
/// not by its name). Text in UTF-16 is recognised by its byte order mark and converted; a byte order mark is dropped.
/// Line ends of a CR alone (classic Mac OS) become LF, and the first line "sep=;" of files for Excel becomes blank.
class GIR_API TextFile {
 public:
  explicit TextFile(const std::filesystem::path& path);

  std::string_view text() const { return text_; }

 private:
  std::optional<MappedFile> plain_;
  Array<char> decompressed_;
  std::string_view text_;
};

class Deflater;

/// An AtomicFile for text, compressed where the name of `path` ends in ".gz".
class GIR_API TextFileWriter {
 public:
  explicit TextFileWriter(const std::filesystem::path& path);
  ~TextFileWriter();

  /// Appends `text`. Buffered, so that short pieces cost little.
  void write(std::string_view text);

  /// Appends a formatted text and a line break.
  template <typename... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(buffer_), format, std::forward<Args>(args)...);
    write("\n");
  }

  /// Flushes the buffer and moves the file to its path; without commit nothing appears there.
  void commit();

 private:
  void flush();

  AtomicFile file_;
  std::string buffer_;
  std::unique_ptr<Deflater> deflater_;
};

}  // namespace gir
