#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

namespace gir::html {

/// Base64 with padding.
std::string base64(std::string_view bytes);

/// Packs numbers for the page: the type `Packed` of web/src/payload.ts.
nlohmann::ordered_json packed(std::span<const std::uint8_t> values);
nlohmann::ordered_json packed(std::span<const std::uint16_t> values);
nlohmann::ordered_json packed(std::span<const std::uint32_t> values);
nlohmann::ordered_json packed(std::span<const float> values);

}  // namespace gir::html
