#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <type_traits>
#include <utility>

#include "gir/core/error.h"
#include "gir/core/parallel.h"
#include "gir/io/npy.h"
#include "utf8.h"

namespace gir {
namespace {

constexpr std::int64_t kItemsPerBlock = 1 << 16;

/// An IEEE 754 half-precision number: 1 sign bit, 5 exponent bits, 10 fraction bits.
struct Half {
  std::uint16_t bits;
};

float widen(Half half) {
  const std::uint32_t exponent = half.bits >> 10 & 0x1F;
  const std::uint32_t fraction = half.bits & 0x3FF;
  const float sign = half.bits >> 15 ? -1.0f : 1.0f;
  if (exponent == 0) return sign * std::ldexp(static_cast<float>(fraction), -24);
  if (exponent == 0x1F) return fraction == 0 ? sign * INFINITY : NAN;
  return sign * std::ldexp(static_cast<float>(fraction | 0x400), static_cast<int>(exponent) - 25);
}

template <typename T>
T widen(T value) {
  return value;
}

/// Items stored as T, possibly unaligned and in either byte order.
template <typename T>
struct StoredItems {
  const char* data;
  bool swapped;

  auto operator[](std::int64_t i) const {
    T value;
    if (!swapped) {
      std::memcpy(&value, data + i * static_cast<std::int64_t>(sizeof(T)), sizeof(T));
    } else {
      char reversed[sizeof(T)] = {};
      std::reverse_copy(data + i * static_cast<std::int64_t>(sizeof(T)),
                        data + (i + 1) * static_cast<std::int64_t>(sizeof(T)), reversed);
      std::memcpy(&value, reversed, sizeof(T));
    }
    return widen(value);
  }
};

/// NumPy bools: one byte each, true where it is not zero.
struct StoredBools {
  const char* data;

  std::uint8_t operator[](std::int64_t i) const { return data[i] != 0; }
};

/// Calls `use(items)` with the items of a numeric array, where items[i] is a number. False for other arrays.
template <typename Use>
bool with_numbers(const NpyArray& array, const Use& use) {
  const NpyType type = array.type();
  const auto use_as = [&]<typename T>(T) {
    use(StoredItems<T>{array.bytes().data(), type.big_endian});
    return true;
  };
  switch (type.kind) {
    case NpyType::Kind::kBool:
      use(StoredBools{array.bytes().data()});
      return true;
    case NpyType::Kind::kSigned:
      if (type.item_size == 1) return use_as(std::int8_t{});
      if (type.item_size == 2) return use_as(std::int16_t{});
      return type.item_size == 4 ? use_as(std::int32_t{}) : use_as(std::int64_t{});
    case NpyType::Kind::kUnsigned:
      if (type.item_size == 1) return use_as(std::uint8_t{});
      if (type.item_size == 2) return use_as(std::uint16_t{});
      return type.item_size == 4 ? use_as(std::uint32_t{}) : use_as(std::uint64_t{});
    case NpyType::Kind::kFloat:
      if (type.item_size == 2) return use_as(Half{});
      return type.item_size == 4 ? use_as(float{}) : use_as(double{});
    default:
      return false;
  }
}

/// Whether a number can be converted without changing its value (but for the rounding of doubles to floats).
template <typename To, typename From>
bool fits(From value) {
  if constexpr (std::is_integral_v<To> && std::is_integral_v<From>) {
    return std::in_range<To>(value);
  } else if constexpr (std::is_integral_v<To>) {
    // Both limits are powers of two, which floating-point types represent exactly; NaN compares false.
    constexpr From kEnd = From{2} * (std::numeric_limits<To>::max() / 2 + 1);
    return value >= -kEnd && value < kEnd && value == std::trunc(value);
  } else if constexpr (std::is_same_v<From, double>) {
    return !std::isfinite(value) || std::isfinite(static_cast<To>(value));
  } else {
    return true;
  }
}

/// Why a number does not fit, for messages.
template <typename To, typename From>
std::string misfit(From value) {
  if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    if (std::isnan(value)) return "nan, a whole number was expected [fill in what is missing]";
    if (value != std::trunc(value)) return fmt::format("{}, a whole number was expected", value);
  }
  return fmt::format("{}, which does not fit in {} bits", value, 8 * sizeof(To));
}

/// The type of an array whose items have the memory representation of T.
template <typename T>
constexpr NpyType kNative = {.kind = std::is_integral_v<T> ? NpyType::Kind::kSigned : NpyType::Kind::kFloat,
                             .item_size = sizeof(T),
                             .big_endian = false};

/// A UTF-32 string, padded with NUL, as UTF-8; nothing where it contains an invalid character.
std::optional<std::string> utf8_item(const char* item, std::int64_t item_size, bool big_endian) {
  const StoredItems<std::uint32_t> codes{item, big_endian};
  std::int64_t length = item_size / 4;
  while (length > 0 && codes[length - 1] == 0) --length;
  std::string text;
  for (std::int64_t i = 0; i < length; ++i) {
    if (!is_character(codes[i])) return std::nullopt;
    append_utf8(text, codes[i]);
  }
  return text;
}

}  // namespace

template <typename T>
void NpyArray::copy_to(std::span<T> target) const {
  ensure(static_cast<std::int64_t>(target.size()) == size_, "expected one value per item");
  if (type_ == kNative<T>) {
    parallel_for(size_, kItemsPerBlock, [&](std::int64_t begin, std::int64_t end) {
      constexpr auto kSize = static_cast<std::int64_t>(sizeof(T));
      std::memcpy(target.data() + begin, bytes_.data() + begin * kSize,
                  static_cast<std::size_t>((end - begin) * kSize));
    });
    return;
  }
  const bool numbers = with_numbers(*this, [&](const auto& items) {
    parallel_for(size_, kItemsPerBlock, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        const auto value = items[i];
        if (!fits<T>(value)) throw UserError("{}: item {} is {}", where_, item_place(i), misfit<T>(value));
        target[static_cast<std::size_t>(i)] = static_cast<T>(value);
      }
    });
  });
  if (!numbers) throw UserError("{}: holds strings (type {}), expected numbers", where_, type_.text());
}

template <typename T>
Array<T> NpyArray::to() const {
  Array<T> values(size_);
  copy_to(values.span());
  return values;
}

template void NpyArray::copy_to(std::span<std::int32_t>) const;
template void NpyArray::copy_to(std::span<std::int64_t>) const;
template void NpyArray::copy_to(std::span<float>) const;
template Array<std::int32_t> NpyArray::to() const;
template Array<std::int64_t> NpyArray::to() const;
template Array<float> NpyArray::to() const;

std::int64_t NpyArray::to_integer() const {
  if (size_ != 1) throw UserError("{}: has shape {}, a single number was expected", where_, shape_text());
  return to<std::int64_t>()[0];
}

std::vector<std::string> NpyArray::to_strings() const {
  if (!holds_text()) throw UserError("{}: holds numbers (type {}), expected strings", where_, type_.text());
  std::vector<std::string> texts;
  texts.reserve(static_cast<std::size_t>(size_));
  for (std::int64_t i = 0; i < size_; ++i) {
    const char* item = bytes_.data() + i * type_.item_size;
    if (type_.kind == NpyType::Kind::kBytes) {
      const std::string_view padded(item, static_cast<std::size_t>(type_.item_size));
      texts.emplace_back(padded.substr(0, padded.find_last_not_of('\0') + 1));
      continue;
    }
    auto text = utf8_item(item, type_.item_size, type_.big_endian);
    if (!text) throw UserError("{}: item {} holds a number that is not a Unicode character", where_, item_place(i));
    texts.push_back(*std::move(text));
  }
  return texts;
}

NpyArray npy_strings(const std::vector<std::string>& values, std::string where) {
  const auto decode = [&](std::size_t i) {
    auto characters = decode_utf8(values[i]);
    if (!characters) throw UserError("{}: string {}, {}, is not UTF-8", where, i, quoted(values[i]));
    if (!characters->empty() && characters->back() == 0) {
      throw UserError("{}: string {}, {}, ends with a NUL character, which NumPy does not keep", where, i,
                      quoted(values[i]));
    }
    return *std::move(characters);
  };
  // Decoded twice, for the width and for the items: all strings as UTF-32 at once could take too much memory.
  std::size_t width = 1;
  for (std::size_t i = 0; i < values.size(); ++i) width = std::max(width, decode(i).size());
  const auto count = static_cast<std::int64_t>(values.size());
  const auto item_size = static_cast<std::int64_t>(width * sizeof(char32_t));
  if (count > memory_limit() / item_size) {
    throw UserError("{}: {} strings of up to {} characters do not fit in memory as an array [shorten the longest]",
                    where, count, width);
  }
  Array<char> bytes(count * item_size, '\0');
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::u32string characters = decode(i);
    if (characters.empty()) continue;
    std::memcpy(bytes.data() + static_cast<std::int64_t>(i) * item_size, characters.data(),
                characters.size() * sizeof(char32_t));
  }
  return NpyArray(std::move(where), {.kind = NpyType::Kind::kUnicode, .item_size = item_size}, {count},
                  std::move(bytes));
}

}  // namespace gir
