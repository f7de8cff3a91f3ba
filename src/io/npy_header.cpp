#include "npy_header.h"

#include <charconv>
#include <optional>

#include "gir/core/error.h"

// A .npy file is the magic string, two bytes of format version, the length of the header (2 bytes in format 1.0, 4
// bytes in 2.0 and 3.0), the header, then the items.

namespace gir {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kMaxDimensions = 32;  // NumPy's own limit

/// Parses the header, a literal of a Python dict with three known keys.
class HeaderReader {
 public:
  HeaderReader(std::string_view text, const std::string& where) : left_(text), where_(where) {}

  NpyHeader read() {
    expect('{');
    while (!take('}')) {
      read_entry();
      if (!take(',') && peek() != '}') fail("a comma or the end of the dict was expected");
    }
    skip_blanks();
    if (!left_.empty()) fail("text follows the dict");
    if (!type_ || !fortran_order_ || !shape_) fail("'descr', 'fortran_order' and 'shape' are needed");
    return {.type = *type_, .fortran_order = *fortran_order_, .shape = *shape_};
  }

 private:
  [[noreturn]] void fail(std::string_view why) const {
    throw UserError("{}: bad .npy header at {}: {} [save the array again with numpy.save]", where_, quoted(left_), why);
  }

  void skip_blanks() {
    while (!left_.empty() && (left_[0] == ' ' || left_[0] == '\n' || left_[0] == '\t')) left_.remove_prefix(1);
  }

  char peek() {
    skip_blanks();
    return left_.empty() ? '\0' : left_[0];
  }

  bool take(char wanted) {
    if (peek() != wanted) return false;
    left_.remove_prefix(1);
    return true;
  }

  void expect(char wanted) {
    if (!take(wanted)) fail(fmt::format("'{}' was expected", wanted));
  }

  void read_entry() {
    const std::string key = read_text();
    expect(':');
    if (key == "descr" && !type_) {
      if (peek() == '[') {
        throw UserError("{}: has items with several fields, which gir does not read [save each field as an array]",
                        where_);
      }
      type_ = read_text();
    } else if (key == "fortran_order" && !fortran_order_) {
      fortran_order_ = read_bool();
    } else if (key == "shape" && !shape_) {
      shape_ = read_shape();
    } else {
      fail("an unknown or repeated key precedes it");
    }
  }

  std::string read_text() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') fail("a string in quotes was expected");
    const std::size_t end = left_.find(quote, 1);
    if (end == std::string_view::npos) fail("the string does not end");
    const std::string text(left_.substr(1, end - 1));
    if (text.find('\\') != std::string::npos) fail("a string without escapes was expected");
    left_.remove_prefix(end + 1);
    return text;
  }

  bool read_bool() {
    skip_blanks();
    for (const bool value : {false, true}) {
      const std::string_view word = value ? "True" : "False";
      if (!left_.starts_with(word)) continue;
      left_.remove_prefix(word.size());
      return value;
    }
    fail("True or False was expected");
  }

  std::vector<std::int64_t> read_shape() {
    std::vector<std::int64_t> shape;
    expect('(');
    while (!take(')')) {
      shape.push_back(read_length());
      if (shape.size() > kMaxDimensions) fail("the array has too many dimensions");
      if (!take(',')) {
        // A Python tuple of one item needs a comma: (3) is a number.
        if (shape.size() == 1) fail("a comma was expected");
        if (peek() != ')') fail("')' was expected");
      }
    }
    return shape;
  }

  std::int64_t read_length() {
    skip_blanks();
    std::int64_t length = 0;
    const auto [end, error] = std::from_chars(left_.data(), left_.data() + left_.size(), length);
    if (error != std::errc() || length < 0) fail("a length was expected");
    left_.remove_prefix(static_cast<std::size_t>(end - left_.data()));
    // Python 2 wrote long integers with a suffix.
    if (!left_.empty() && left_[0] == 'L') left_.remove_prefix(1);
    return length;
  }

  std::string_view left_;
  const std::string& where_;
  std::optional<std::string> type_;
  std::optional<bool> fortran_order_;
  std::optional<std::vector<std::int64_t>> shape_;
};

}  // namespace

NpyHeader parse_npy_header(std::string_view file, const std::string& where) {
  if (!file.starts_with(kMagic)) {
    throw UserError("{}: is not a .npy file, it begins with {} [save the array with numpy.save]", where,
                    quoted(file.substr(0, kMagic.size())));
  }
  const auto byte = [&](std::size_t i) -> std::uint32_t {
    if (i >= file.size()) throw UserError("{}: is truncated inside the .npy header [get the whole file]", where);
    return static_cast<unsigned char>(file[i]);
  };
  const std::uint32_t major = byte(kMagic.size());
  const std::uint32_t minor = byte(kMagic.size() + 1);
  if (major < 1 || major > 3 || minor != 0) {
    throw UserError("{}: has .npy format {}.{}, gir reads 1.0, 2.0 and 3.0", where, major, minor);
  }
  const std::size_t length_begin = kMagic.size() + 2;
  const std::size_t length_size = major == 1 ? 2 : 4;
  std::size_t length = 0;
  for (std::size_t i = 0; i < length_size; ++i) length |= std::size_t{byte(length_begin + i)} << (8 * i);
  const std::size_t begin = length_begin + length_size;
  if (file.size() - begin < length) {
    throw UserError("{}: is truncated inside the .npy header [get the whole file]", where);
  }
  NpyHeader header = HeaderReader(file.substr(begin, length), where).read();
  header.items_begin = begin + length;
  return header;
}

}  // namespace gir
