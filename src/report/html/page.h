#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace gir::html {

/// web/dist/report.html, which is part of the library.
std::string_view empty_page();

/// The page with what it is to show. Nothing in `payload` can end the element that holds it or be taken for markup.
std::string page_with(const nlohmann::ordered_json& payload);

}  // namespace gir::html
