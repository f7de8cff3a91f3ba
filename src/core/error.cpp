#include "gir/core/error.h"

#include "gir/core/text.h"

namespace gir {
namespace {

constexpr std::string_view kMore = ", ...]";  ///< ends a message that does not list all names

std::string with_known_names(std::string_view fact, std::string_view name, std::vector<std::string> known) {
  const bool too_many = known.size() > UnknownNameError::kMaxListed;
  known = nearest_first(canonical_name(name), std::move(known));
  if (too_many) known.resize(UnknownNameError::kMaxListed);
  return fmt::format("{} [known: {}{}", fact, join(known, ", "), too_many ? kMore : "]");
}

}  // namespace

UnknownNameError::UnknownNameError(std::string_view kind, std::string_view name, std::vector<std::string> known)
    : UnknownNameError(kind, name, std::move(known), fmt::format("unknown {} {}", kind, quoted(name))) {}

UnknownNameError::UnknownNameError(std::string_view kind, std::string_view name, std::vector<std::string> known,
                                   std::string_view fact)
    : UserError("{}", with_known_names(fact, name, std::move(known))),
      kind_(kind),
      lists_all_(!std::string_view(what()).ends_with(kMore)) {}

std::string quoted(std::string_view text) {
  constexpr std::size_t kMaxBytes = 60;
  std::string result = "\"";
  for (const char c : text.substr(0, kMaxBytes)) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\' || c == '`') {
      result += '\\';
      result += c;
    } else if (c == '\t') {
      result += "\\t";
    } else if (byte < 0x20 || byte >= 0x7f) {
      result += fmt::format("\\x{:02x}", byte);
    } else {
      result += c;
    }
  }
  result += text.size() > kMaxBytes ? "...\"" : "\"";
  return result;
}

}  // namespace gir
