#include "packed.h"

#include <bit>

namespace gir::html {
namespace {

static_assert(std::endian::native == std::endian::little, "the page reads little-endian numbers");

template <typename T>
nlohmann::ordered_json packed_as(const char* type, std::span<const T> values) {
  return {{"type", type}, {"data", base64({reinterpret_cast<const char*>(values.data()), values.size_bytes()})}};
}

}  // namespace

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t three = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      three = three << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      text += i + k <= bytes.size() ? kDigits[three >> (18 - 6 * k) & 63] : '=';
    }
  }
  return text;
}

nlohmann::ordered_json packed(std::span<const std::uint8_t> values) { return packed_as("u8", values); }
nlohmann::ordered_json packed(std::span<const std::uint16_t> values) { return packed_as("u16", values); }
nlohmann::ordered_json packed(std::span<const std::uint32_t> values) { return packed_as("u32", values); }
nlohmann::ordered_json packed(std::span<const float> values) { return packed_as("f32", values); }

}  // namespace gir::html
