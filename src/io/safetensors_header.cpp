#include "safetensors_header.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "gir/core/error.h"
#include "gir/core/text.h"
#include "utf8.h"

namespace gir {
namespace {

using nlohmann::json;

constexpr std::string_view kMetadata = "__metadata__";

/// Receives the events of a JSON parser. Values that do not belong into a header are refused at once, so that a damaged
/// header is never built up as a tree in memory.
class HeaderHandler {
 public:
  explicit HeaderHandler(const std::filesystem::path& path) : path_(path) {}

  SafetensorsHeader take() { return std::move(header_); }

  bool key(std::string& text) {
    std::set<std::string>& seen = depth_ == 1 ? names_ : fields_;
    if (!seen.insert(text).second) refuse_second(text);
    (depth_ == 1 ? name_ : field_) = std::move(text);
    if (depth_ == 2 && !in_metadata() && field_ != "dtype" && !is_list(field_)) {
      refuse_tensor("has the unknown property {} [known: dtype, shape, data_offsets]", quoted(std::as_const(field_)));
    }
    return true;
  }

  bool start_object(std::size_t) {
    if (depth_ == 2) refuse_value();
    if (++depth_ == 2) {
      fields_.clear();
      if (!in_metadata()) header_.entries.emplace_back().name = name_;
    }
    return true;
  }

  bool end_object() {
    if (depth_ == 2 && !in_metadata() && fields_.size() != 3) {
      refuse_tensor("does not have all of dtype, shape and data_offsets [write it again]");
    }
    --depth_;
    return true;
  }

  bool string(std::string& text) {
    if (depth_ == 2 && in_metadata()) {
      header_.metadata.emplace(field_, std::move(text));
      return true;
    }
    if (depth_ != 2 || field_ != "dtype") refuse_value();
    header_.entries.back().type = type_named(text);
    return true;
  }

  bool start_array(std::size_t) {
    if (depth_ != 2 || in_list_ || in_metadata() || !is_list(field_)) refuse_value();
    in_list_ = true;
    numbers_.clear();
    return true;
  }

  bool number_unsigned(std::uint64_t number) {
    if (!in_list_ || !std::in_range<std::int64_t>(number)) refuse_value();
    numbers_.push_back(static_cast<std::int64_t>(number));
    return true;
  }

  bool end_array() {
    in_list_ = false;
    SafetensorsEntry& entry = header_.entries.back();
    if (field_ == "shape") {
      entry.shape = numbers_;
      return true;
    }
    if (numbers_.size() != 2) refuse_tensor("has {} data_offsets, not a begin and an end", numbers_.size());
    entry.begin = numbers_[0];
    entry.end = numbers_[1];
    return true;
  }

  bool null() { refuse_value(); }
  bool boolean(bool) { refuse_value(); }
  bool number_integer(std::int64_t) { refuse_value(); }
  bool number_float(double, const std::string&) { refuse_value(); }
  bool binary(json::binary_t&) { refuse_value(); }

  bool parse_error(std::size_t position, const std::string&, const json::exception&) {
    throw UserError(path_, "the header is not valid JSON at its byte {} [get the whole file]", position);
  }

 private:
  static bool is_list(std::string_view field) { return field == "shape" || field == "data_offsets"; }
  bool in_metadata() const { return name_ == kMetadata; }

  template <typename... Args>
  [[noreturn]] void refuse_tensor(fmt::format_string<Args...> fact, Args&&... args) const {
    throw UserError(path_, "tensor {} {}", quoted(name_), fmt::format(fact, std::forward<Args>(args)...));
  }

  [[noreturn]] void refuse_second(const std::string& key) const {
    const std::string place = depth_ == 1 ? "the header" : quoted(name_);
    throw UserError(path_, "{} has {} twice [write it again]", place, quoted(key));
  }

  [[noreturn]] void refuse_value() const {
    if (depth_ < 2) throw UserError(path_, "the header's entry {} is not an object [write it again]", quoted(name_));
    if (in_metadata()) throw UserError(path_, "the metadata {} is not a string [write it again]", quoted(field_));
    const std::string_view expected = field_ == "dtype" ? "a string" : "a list of whole numbers";
    refuse_tensor("has a value of {} that is not {} [write it again]", field_, expected);
  }

  SafetensorsType type_named(const std::string& text) const {
    if (const auto type = find_safetensors_type(text)) return *type;
    constexpr std::size_t kCompared = 16;  // longer than every name; bounds the cost of comparing
    refuse_tensor("is of the unknown type {} [known: {}]", quoted(text),
                  join(nearest_first(text.substr(0, kCompared), safetensors_type_names()), ", "));
  }

  const std::filesystem::path& path_;
  SafetensorsHeader header_;
  int depth_ = 0;  ///< number of open objects
  bool in_list_ = false;
  std::string name_;   ///< the last key of the outer object
  std::string field_;  ///< the last key of the inner one
  std::set<std::string> names_;
  std::set<std::string> fields_;
  std::vector<std::int64_t> numbers_;
};

/// `text` as a JSON string.
std::string json_text(const std::string& text, const std::filesystem::path& path) {
  if (!decode_utf8(text)) throw UserError(path, "cannot hold {}, which is not UTF-8 [use UTF-8]", quoted(text));
  return json(text).dump();
}

}  // namespace

SafetensorsHeader parse_safetensors_header(std::string_view text, const std::filesystem::path& path) {
  // The parser treats NUL as the end of the text.
  if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos) {
    throw UserError(path, "the header is not valid JSON at its byte {} [get the whole file]", nul + 1);
  }
  HeaderHandler handler(path);
  json::sax_parse(text.begin(), text.end(), &handler);
  return handler.take();
}

std::string safetensors_header_json(const SafetensorsHeader& header, const std::filesystem::path& path) {
  std::vector<std::string> members;
  if (!header.metadata.empty()) {
    std::vector<std::string> metadata;
    for (const auto& [key, value] : header.metadata) {
      metadata.push_back(fmt::format("{}:{}", json_text(key, path), json_text(value, path)));
    }
    members.push_back(fmt::format("\"{}\":{{{}}}", kMetadata, fmt::join(metadata, ",")));
  }
  std::set<std::string_view> names = {kMetadata};
  for (const SafetensorsEntry& entry : header.entries) {
    ensure(names.insert(entry.name).second, "two tensors have the same name, or one the name of the metadata");
    members.push_back(fmt::format(R"({}:{{"dtype":"{}","shape":[{}],"data_offsets":[{},{}]}})",
                                  json_text(entry.name, path), safetensors_type_name(entry.type),
                                  fmt::join(entry.shape, ","), entry.begin, entry.end));
  }
  return fmt::format("{{{}}}", fmt::join(members, ","));
}

}  // namespace gir
