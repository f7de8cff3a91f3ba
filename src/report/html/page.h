#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace gir::html {

/// web/dist/report.html, which is embedded into the library.
std::string_view empty_page();

/// The page with its payload. Nothing in `payload` can end the element that contains it or be interpreted as markup.
std::string page_with(const nlohmann::ordered_json& payload);

}  // namespace gir::html
