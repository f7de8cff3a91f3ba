#include "xml.h"

#include <algorithm>
#include <charconv>

#include "gir/core/error.h"
#include "gir/core/text.h"
#include "utf8.h"

namespace gir {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::string_view local_name(std::string_view name) {
  const auto colon = name.find(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

/// The character of a reference without & and ;.
std::optional<std::uint32_t> referenced_character(std::string_view name) {
  constexpr std::pair<std::string_view, char> kNamed[] = {
      {"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};
  for (const auto& [known, character] : kNamed) {
    if (name == known) return character;
  }
  if (!name.starts_with('#')) return std::nullopt;
  const bool hexadecimal = name.starts_with("#x") || name.starts_with("#X");
  const std::string_view digits = name.substr(hexadecimal ? 2 : 1);
  std::uint32_t code = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), code, hexadecimal ? 16 : 10);
  if (error != std::errc() || end != digits.data() + digits.size() || !is_character(code)) return std::nullopt;
  return code;
}

}  // namespace

std::optional<std::string> without_entities(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const auto begin = text.find('&');
    result += text.substr(0, begin);
    if (begin == std::string_view::npos) break;
    const auto end = text.find(';', begin);
    if (end == std::string_view::npos) return std::nullopt;
    const auto character = referenced_character(text.substr(begin + 1, end - begin - 1));
    if (!character) return std::nullopt;
    append_utf8(result, *character);
    text.remove_prefix(end + 1);
  }
  return result;
}

XmlReader::XmlReader(std::filesystem::path path, std::string_view text) : path_(std::move(path)), rest_(text) {
  skip_blanks();
  if (!rest_.starts_with('<')) refuse("does not begin like an XML document");
}

std::optional<std::string> XmlReader::attribute(std::string_view name) const {
  for (const auto& [known, value] : attributes_) {
    if (known == name) return value;
  }
  return std::nullopt;
}

XmlReader::Event XmlReader::next() {
  if (ends_at_once_) {
    ends_at_once_ = false;
    return Event::kEnd;
  }
  while (!rest_.empty()) {
    line_ = place_line_;
    if (take("<!--")) {
      take_until("-->", "a comment");
    } else if (take("<?")) {
      read_declaration(take_until("?>", "a processing instruction"));
    } else if (rest_.starts_with("<!DOCTYPE")) {
      skip_doctype();
    } else if (rest_.starts_with("</")) {
      return read_end_tag();
    } else if (rest_.starts_with("<![CDATA[") || !rest_.starts_with('<')) {
      if (open_.empty()) {
        skip_blanks();
        if (!rest_.empty() && !rest_.starts_with('<')) refuse("has text outside of its root element");
        if (rest_.starts_with("<![CDATA[")) refuse("has text outside of its root element");
        continue;
      }
      return read_text();
    } else {
      return read_tag();
    }
  }
  if (!open_.empty()) refuse("ends before element " + quoted(open_.back()) + " does [is the file truncated?]");
  return Event::kEndOfFile;
}

void XmlReader::refuse(std::string_view what) const { throw UserError(path_, place_line_, "{}", what); }

void XmlReader::advance(std::size_t bytes) {
  place_line_ += std::count(rest_.begin(), rest_.begin() + static_cast<std::ptrdiff_t>(bytes), '\n');
  rest_.remove_prefix(bytes);
}

bool XmlReader::take(std::string_view wanted) {
  if (!rest_.starts_with(wanted)) return false;
  advance(wanted.size());
  return true;
}

std::string_view XmlReader::take_until(std::string_view end, std::string_view what) {
  const auto at = rest_.find(end);
  if (at == std::string_view::npos) refuse(std::string(what) + " begins here and does not end");
  const std::string_view inside = rest_.substr(0, at);
  advance(at + end.size());
  return inside;
}

std::string_view XmlReader::take_name() {
  const auto is_end = [](char c) { return is_space(c) || c == '>' || c == '/' || c == '=' || c == '<'; };
  const auto end = std::find_if(rest_.begin(), rest_.end(), is_end);
  const std::string_view name = rest_.substr(0, static_cast<std::size_t>(end - rest_.begin()));
  if (name.empty()) refuse("expected a name in a tag");
  advance(name.size());
  return name;
}

void XmlReader::skip_blanks() {
  const auto end = std::find_if(rest_.begin(), rest_.end(), [](char c) { return !is_space(c); });
  advance(static_cast<std::size_t>(end - rest_.begin()));
}

/// Takes the encoding from <?xml version="1.0" encoding="..."?>. Text in UTF-16 has been converted by TextFile.
void XmlReader::read_declaration(std::string_view declaration) {
  if (!declaration.starts_with("xml")) return;
  const auto at = declaration.find("encoding");
  if (at == std::string_view::npos) return;
  const auto begin = declaration.find_first_of("\"'", at);
  if (begin == std::string_view::npos) return;
  const auto end = declaration.find(declaration[begin], begin + 1);
  const std::string encoding = canonical_name(declaration.substr(begin + 1, end - begin - 1));
  latin1_ = encoding == "iso-8859-1" || encoding == "latin1";
  if (!latin1_ && encoding != "utf-8" && encoding != "utf8" && encoding != "us-ascii" && encoding != "utf-16") {
    refuse("has the encoding " + quoted(encoding) + " [convert it to UTF-8, with iconv]");
  }
}

void XmlReader::skip_doctype() {
  const std::string_view inside = take_until(">", "a document type");
  if (inside.find('[') != std::string_view::npos) {
    refuse("declares entities of its own, which gir does not read [remove the DOCTYPE]");
  }
}

std::string XmlReader::in_utf8(std::string_view raw) const {
  if (!latin1_) return std::string(raw);
  std::string text;
  for (const char c : raw) append_utf8(text, static_cast<unsigned char>(c));
  return text;
}

std::string XmlReader::decoded(std::string_view raw) const {
  const auto text = without_entities(raw);
  if (!text) refuse("has an entity that XML does not define in " + quoted(raw) + " [write & as &amp;]");
  return in_utf8(*text);
}

XmlReader::Event XmlReader::read_tag() {
  advance(1);
  const std::string_view name = take_name();
  name_ = local_name(name);
  attributes_.clear();
  for (skip_blanks(); !rest_.starts_with('>') && !rest_.starts_with("/>"); skip_blanks()) {
    if (rest_.empty()) refuse("ends inside a tag [is the file truncated?]");
    const std::string_view attribute = take_name();
    skip_blanks();
    if (!take("=")) refuse("attribute " + quoted(attribute) + " has no value");
    skip_blanks();
    const bool single = rest_.starts_with('\'');
    if (!take(single ? "'" : "\"")) refuse("the value of attribute " + quoted(attribute) + " is not in quotes");
    attributes_.emplace_back(local_name(attribute),
                             decoded(take_until(single ? "'" : "\"", "the value of an attribute")));
  }
  ends_at_once_ = take("/>");
  if (!ends_at_once_) {
    advance(1);
    open_.push_back(name);
  }
  return Event::kStart;
}

XmlReader::Event XmlReader::read_end_tag() {
  advance(2);
  const std::string_view name = take_name();
  skip_blanks();
  if (!take(">")) refuse("expected '>' after the name of an element that ends");
  if (open_.empty() || open_.back() != name) {
    refuse("element " + quoted(name) + " ends where " + (open_.empty() ? "none" : quoted(open_.back())) + " is open");
  }
  open_.pop_back();
  name_ = local_name(name);
  return Event::kEnd;
}

XmlReader::Event XmlReader::read_text() {
  content_.clear();
  while (!rest_.empty()) {
    if (take("<![CDATA[")) {
      content_ += in_utf8(take_until("]]>", "a CDATA section"));
    } else if (rest_.starts_with('<')) {
      break;
    } else {
      const std::string_view raw = rest_.substr(0, rest_.find('<'));
      content_ += decoded(raw);
      advance(raw.size());
    }
  }
  return Event::kText;
}

}  // namespace gir
