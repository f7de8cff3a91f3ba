#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "gir/core/export.h"

namespace gir {

/// SHA-256 of a sequence of bytes.
class GIR_API Sha256 {
 public:
  Sha256();
  ~Sha256();

  void add(const void* data, std::size_t size);

  /// 64 lower-case hexadecimal digits. Nothing may be added afterwards.
  std::string hex();

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

/// SHA-256 of a file, as hex().
GIR_API std::string sha256_file(const std::filesystem::path& path);

/// A content hash of named arrays and values: the same content gives the same fingerprint on every machine of this byte
/// order, different content a different one. Large arrays are hashed block by block, in parallel.
class GIR_API Fingerprint {
 public:
  template <typename T>
  Fingerprint& add(std::string_view name, std::span<const T> values) {
    static_assert(std::has_unique_object_representations_v<T> || std::is_floating_point_v<T>);
    add_bytes(name, values.data(), values.size_bytes());
    return *this;
  }

  template <typename T>
  requires std::is_arithmetic_v<T> Fingerprint& add(std::string_view name, T value) {
    return add(name, std::span<const T>(&value, 1));
  }

  Fingerprint& add(std::string_view name, std::string_view text) {
    return add(name, std::span<const char>(text.data(), text.size()));
  }

  /// 32 hexadecimal digits (128 bits). Nothing may be added afterwards.
  std::string hex();

 private:
  void add_bytes(std::string_view name, const void* data, std::size_t size);

  Sha256 hash_;
};

}  // namespace gir
