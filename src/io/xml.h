#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gir {

/// `text` with &amp;, &#233; and the like replaced by the characters they stand for; nothing for an unknown entity, of
/// which XML has five.
std::optional<std::string> without_entities(std::string_view text);

/// Reads an XML document from front to back. Namespaces are dropped; entities of the document's own are refused, so
/// that it cannot expand to more than its size, and nothing outside of it is ever read. UserError with path and line
/// where the document is not well-formed.
class XmlReader {
 public:
  enum class Event { kStart, kEnd, kText, kEndOfFile };

  /// `text` must outlive this object.
  XmlReader(std::filesystem::path path, std::string_view text);

  /// Reads on to the beginning or end of an element, or to a text between them.
  Event next();

  /// Name of the element that begins or ends, without the prefix of its namespace.
  std::string_view name() const { return name_; }

  /// Attribute of the element that begins.
  std::optional<std::string> attribute(std::string_view name) const;

  const std::string& text() const { return content_; }

  /// Line of the event in the file.
  std::int64_t line() const { return line_; }

 private:
  [[noreturn]] void refuse(std::string_view what) const;
  void advance(std::size_t bytes);
  bool take(std::string_view wanted);
  std::string_view take_until(std::string_view end, std::string_view what);
  std::string_view take_name();
  void skip_blanks();
  void read_declaration(std::string_view declaration);
  void skip_doctype();
  std::string decoded(std::string_view raw) const;
  std::string in_utf8(std::string_view raw) const;
  Event read_tag();
  Event read_end_tag();
  Event read_text();

  std::filesystem::path path_;
  std::string_view rest_;
  std::int64_t place_line_ = 1;  ///< line of `rest_`
  std::int64_t line_ = 1;
  bool latin1_ = false;
  bool ends_at_once_ = false;  ///< the element that began is empty: <node/>
  std::string_view name_;
  std::string content_;
  std::vector<std::string_view> open_;
  std::vector<std::pair<std::string_view, std::string>> attributes_;
};

}  // namespace gir
