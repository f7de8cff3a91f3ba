#include "gir/io/gzip.h"

#include <algorithm>
#include <cstring>

#include "gir/core/error.h"
#include "gir/core/text.h"
#include "utf8.h"
#include "zlib_stream.h"

namespace gir {
namespace {

constexpr std::int64_t kMinBuffer = 1 << 16;
constexpr std::size_t kMinFileSize = 18;  // header and trailer of an empty member
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// The text of a UTF-16 file with its byte order mark, as spreadsheets write "Unicode text".
Array<char> utf8_of_utf16(std::string_view bytes, const std::filesystem::path& path) {
  const std::size_t high = bytes[0] == '\xFE' ? 0 : 1;  // position of the high byte in each pair
  const auto unit = [&](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i + high])) << 8 |
           static_cast<unsigned char>(bytes[i + 1 - high]);
  };
  std::string text;
  text.reserve(bytes.size());
  for (std::size_t i = 2; i < bytes.size(); i += 2) {
    std::uint32_t code = i + 1 < bytes.size() ? unit(i) : 0xD800;
    if (code >= 0xD800 && code < 0xDC00 && i + 3 < bytes.size() && unit(i + 2) >> 10 == 0x37) {
      code = 0x10000 + ((code & 0x3FF) << 10) + (unit(i + 2) & 0x3FF);
      i += 2;
    }
    if (!is_character(code)) throw UserError(path, "is not valid UTF-16 near byte {} [save it as UTF-8]", i);
    append_utf8(text, code);
  }
  Array<char> result(static_cast<std::int64_t>(text.size()));
  std::copy(text.begin(), text.end(), result.begin());
  return result;
}

/// The length of a first line "sep=;", with which Excel is told the separator of a CSV file; 0 where there is none.
std::size_t length_of_separator_line(std::string_view text) {
  constexpr std::size_t kLongest = 9;  // with quotes, CR and LF
  std::string_view line = text.substr(0, std::min(text.find_first_of("\r\n"), kLongest));
  const std::size_t length = line.size();
  if (line.size() > 2 && line.front() == '"' && line.back() == '"') line = line.substr(1, line.size() - 2);
  return line.size() == 5 && canonical_name(line.substr(0, 4)) == "sep=" ? length : 0;
}

/// Whether lines end with CR alone, as those of classic Mac OS, perhaps but for the last.
bool has_mac_lines(std::string_view text) {
  const auto first_lf = text.find('\n');
  if (first_lf != std::string_view::npos && first_lf + 1 != text.size()) return false;
  const std::string_view content = text.substr(0, text.find_last_not_of("\r\n") + 1);
  return content.find('\r') != std::string_view::npos;
}

/// A copy of the text in which lines end with LF, and Excel's first line is blank, so that all line numbers stay.
Array<char> as_plain_lines(std::string_view text) {
  Array<char> result(static_cast<std::int64_t>(text.size()));
  std::copy(text.begin(), text.end(), result.begin());
  std::fill_n(result.begin(), length_of_separator_line(text), ' ');
  if (has_mac_lines(text)) std::replace(result.begin(), result.end(), '\r', '\n');
  return result;
}

/// The initial buffer size: what the trailer of the last member claims (modulo 2^32), limited to what is possible.
std::int64_t expected_size(std::string_view compressed, std::int64_t limit) {
  std::uint32_t claimed = 0;
  if (compressed.size() >= kMinFileSize) {
    for (std::size_t i = 1; i <= 4; ++i) {
      claimed = claimed << 8 | static_cast<unsigned char>(compressed[compressed.size() - i]);
    }
  }
  const std::int64_t possible = static_cast<std::int64_t>(compressed.size()) * kLargestDeflateRatio;
  return std::min(std::max(std::min<std::int64_t>(claimed, possible), kMinBuffer), limit);
}

/// Decompresses into a buffer that grows up to a limit, so that a small file cannot exhaust the memory.
class Inflater {
 public:
  Inflater(DeflateWrapper wrapper, std::string_view compressed, const std::filesystem::path& path, std::int64_t limit)
      : compressed_(compressed), path_(path), limit_(limit), content_(expected_size(compressed, limit)) {
    if (inflateInit2(&stream_, static_cast<int>(wrapper)) != Z_OK) throw std::bad_alloc();
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  /// Decompresses one stream to its end.
  void read_member() {
    for (int state = Z_OK; state != Z_STREAM_END;) {
      if (size_ == content_.size()) grow();
      const uInt in = clipped(static_cast<std::int64_t>(compressed_.size() - place_));
      const uInt out = clipped(content_.size() - size_);
      stream_.next_in = zlib_bytes(compressed_.data() + place_);
      stream_.avail_in = in;
      stream_.next_out = zlib_bytes(content_.data() + size_);
      stream_.avail_out = out;
      state = inflate(&stream_, Z_NO_FLUSH);
      place_ += in - stream_.avail_in;
      size_ += out - stream_.avail_out;
      check(state);
    }
  }

  /// Prepares for another member; false at the end of the file. Zero bytes at the end are padding, as tapes and block
  /// devices add it.
  bool another_member() {
    const std::string_view rest = compressed_.substr(place_);
    if (rest.find_first_not_of('\0') == std::string_view::npos) return false;
    if (!is_gzip(rest)) {
      throw UserError(path_, "bytes that are not gzip data follow at byte {} [get the file again]", place_);
    }
    ensure(inflateReset(&stream_) == Z_OK, "zlib reports an inconsistent state");
    return true;
  }

  Array<char> content() {
    content_.shrink(size_);
    return std::move(content_);
  }

 private:
  void check(int state) const {
    if (state == Z_MEM_ERROR) throw std::bad_alloc();
    if (state == Z_DATA_ERROR || state == Z_NEED_DICT) {
      throw UserError(path_, "the compressed data are corrupt near byte {}: {} [get the file again]", place_,
                      stream_.msg != nullptr ? stream_.msg : "unknown dictionary");
    }
    if (state != Z_STREAM_END && place_ == compressed_.size() && stream_.avail_out > 0) {
      throw UserError(path_, "the compressed data end too early, after {} bytes [get the file again]", place_);
    }
  }

  void grow() {
    if (size_ >= limit_) {
      throw UserError(path_, "holds more than {} when decompressed, more than fits in memory [use a smaller file]",
                      human_bytes(limit_));
    }
    Array<char> larger(std::min(limit_, std::max(kMinBuffer, 2 * size_)));
    if (size_ > 0) std::memcpy(larger.data(), content_.data(), static_cast<std::size_t>(size_));
    content_ = std::move(larger);
  }

  std::string_view compressed_;
  const std::filesystem::path& path_;
  std::int64_t limit_;
  Array<char> content_;
  std::int64_t size_ = 0;  ///< bytes of content so far
  std::size_t place_ = 0;  ///< compressed bytes consumed so far
  z_stream stream_{};
};

}  // namespace

bool is_gzip(std::string_view head) { return head.starts_with("\x1f\x8b"); }

Array<char> gunzip(std::string_view compressed, const std::filesystem::path& path, std::int64_t limit) {
  if (!is_gzip(compressed)) throw UserError(path, "is not a gzip file");
  Inflater inflater(DeflateWrapper::kGzip, compressed, path, limit);
  do {
    inflater.read_member();
  } while (inflater.another_member());
  return inflater.content();
}

Array<char> inflate_zlib(std::string_view compressed, const std::filesystem::path& path, std::int64_t limit) {
  Inflater inflater(DeflateWrapper::kZlib, compressed, path, limit);
  inflater.read_member();
  return inflater.content();
}

std::string gzip(std::string_view content) {
  std::string bytes;
  Deflater deflater(DeflateWrapper::kGzip, [&bytes](std::string_view some) { bytes += some; });
  deflater.add(content);
  deflater.finish();
  return bytes;
}

TextFile::TextFile(const std::filesystem::path& path) {
  plain_.emplace(path);
  text_ = plain_->text();
  if (is_gzip(text_)) {
    decompressed_ = gunzip(text_, path);
    plain_.reset();
    text_ = {decompressed_.data(), static_cast<std::size_t>(decompressed_.size())};
  }
  if (text_.starts_with("\xFF\xFE") || text_.starts_with("\xFE\xFF")) {
    decompressed_ = utf8_of_utf16(text_, path);
    plain_.reset();
    text_ = {decompressed_.data(), static_cast<std::size_t>(decompressed_.size())};
  }
  if (text_.starts_with(kByteOrderMark)) text_.remove_prefix(kByteOrderMark.size());
  if (length_of_separator_line(text_) > 0 || has_mac_lines(text_)) {
    decompressed_ = as_plain_lines(text_);
    plain_.reset();
    text_ = {decompressed_.data(), static_cast<std::size_t>(decompressed_.size())};
  }
}

TextFileWriter::TextFileWriter(const std::filesystem::path& path) : file_(path) {
  if (path.extension() == ".gz") {
    deflater_ =
        std::make_unique<Deflater>(DeflateWrapper::kGzip, [this](std::string_view bytes) { file_.write(bytes); });
  }
}

TextFileWriter::~TextFileWriter() = default;

void TextFileWriter::write(std::string_view text) {
  constexpr std::size_t kPiece = 1 << 20;
  buffer_ += text;
  if (buffer_.size() >= kPiece) flush();
}

void TextFileWriter::flush() {
  if (deflater_) {
    deflater_->add(buffer_);
  } else {
    file_.write(buffer_);
  }
  buffer_.clear();
}

void TextFileWriter::commit() {
  flush();
  if (deflater_) deflater_->finish();
  file_.commit();
}

}  // namespace gir
