#include "page.h"

#include "gir/core/error.h"

// Embeds the bytes of the page when this file is assembled.
__asm__(
    ".section .rodata\n"
    ".global gir_report_page_begin\n"
    ".hidden gir_report_page_begin\n"
    "gir_report_page_begin:\n"
    ".incbin \"" GIR_REPORT_PAGE
    "\"\n"
    ".global gir_report_page_end\n"
    ".hidden gir_report_page_end\n"
    "gir_report_page_end:\n"
    ".byte 0\n"
    ".previous\n");

extern "C" {
extern const char gir_report_page_begin[];
extern const char gir_report_page_end[];
}

namespace gir::html {
namespace {

constexpr std::string_view kPlaceholder = "__GIR_PAYLOAD__";

/// Escapes characters that are special in HTML or end a line in JavaScript.
std::string escaped(std::string_view json) {
  std::string text;
  text.reserve(json.size());
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (c == '<' || c == '>' || c == '&') {
      text += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
    } else if (json.substr(i).starts_with("\xE2\x80\xA8") || json.substr(i).starts_with("\xE2\x80\xA9")) {
      text += json[i + 2] == '\xA8' ? "\\u2028" : "\\u2029";
      i += 2;
    } else {
      text += c;
    }
  }
  return text;
}

}  // namespace

std::string_view empty_page() {
  return {gir_report_page_begin, static_cast<std::size_t>(gir_report_page_end - gir_report_page_begin)};
}

std::string page_with(const nlohmann::ordered_json& payload) {
  const std::string_view page = empty_page();
  const std::size_t position = page.find(kPlaceholder);
  ensure(position != std::string_view::npos && page.find(kPlaceholder, position + 1) == std::string_view::npos,
         "one placeholder in the page of the report");
  const std::string json = payload.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  std::string result(page.substr(0, position));
  result += escaped(json);
  result += page.substr(position + kPlaceholder.size());
  return result;
}

}  // namespace gir::html
