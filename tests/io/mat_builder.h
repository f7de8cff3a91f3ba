#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "gir/io/gzip.h"

namespace gir::testing {

namespace mat {
enum Storage : std::uint32_t { kInt8 = 1, kUInt8 = 2, kInt32 = 5, kUInt32 = 6, kDouble = 9, kMatrix = 14, kZlib = 15 };
enum Class : std::uint32_t { kCharClass = 4, kSparseClass = 5, kDoubleClass = 6, kUInt8Class = 9 };
}  // namespace mat

/// Builds the bytes of a MATLAB 5 file by hand, in either byte order.
class MatBuilder {
 public:
  using Storage = mat::Storage;
  using Class = mat::Class;

  explicit MatBuilder(bool big_endian = false) : big_endian_(big_endian) {
    bytes_ = "MATLAB 5.0 MAT-file, written by a test";
    bytes_.resize(124, ' ');
    bytes_ += big_endian ? std::string("\x01\x00MI", 4) : std::string("\x00\x01IM", 4);
  }

  template <typename T>
  std::string element(Storage storage, const std::vector<T>& values) const {
    std::string data;
    for (const T value : values) data += number(value);
    std::string result = number(static_cast<std::uint32_t>(storage)) + number(static_cast<std::uint32_t>(data.size()));
    result += data;
    result.resize((result.size() + 7) / 8 * 8, '\0');
    return result;
  }

  std::string bytes_element(Storage storage, const std::string& data) const {
    return element(storage, std::vector<char>(data.begin(), data.end()));
  }

  std::string matrix(Class type, std::int32_t rows, std::int32_t columns, const std::string& name,
                     const std::string& content, std::uint32_t flags = 0) const {
    return bytes_element(mat::kMatrix, element(mat::kUInt32, std::vector<std::uint32_t>{type | flags, 0}) +
                                           element(mat::kInt32, std::vector<std::int32_t>{rows, columns}) +
                                           bytes_element(mat::kInt8, name) + content);
  }

  std::string sparse(std::int32_t rows, std::int32_t columns, const std::string& name,
                     const std::vector<std::int32_t>& row_indices, const std::vector<std::int32_t>& column_ends,
                     const std::vector<double>& values, std::uint32_t flags = 0) const {
    return matrix(mat::kSparseClass, rows, columns, name,
                  element(mat::kInt32, row_indices) + element(mat::kInt32, column_ends) + element(mat::kDouble, values),
                  flags);
  }

  std::string full(std::int32_t rows, std::int32_t columns, const std::string& name,
                   const std::vector<double>& values) const {
    return matrix(mat::kDoubleClass, rows, columns, name, element(mat::kDouble, values));
  }

  /// A zlib stream is a gzip member with another header and trailer.
  std::string compressed(const std::string& variable) const {
    const std::string member = gzip(variable);
    std::uint32_t a = 1;
    std::uint32_t b = 0;
    for (const char c : variable) {
      a = (a + static_cast<unsigned char>(c)) % 65521;
      b = (b + a) % 65521;
    }
    std::string stream = "\x78\x9c" + member.substr(10, member.size() - 18);
    for (const std::uint32_t part : {b >> 8, b & 255, a >> 8, a & 255}) stream += static_cast<char>(part);
    return number(static_cast<std::uint32_t>(mat::kZlib)) + number(static_cast<std::uint32_t>(stream.size())) + stream;
  }

  MatBuilder& add(const std::string& variable) {
    bytes_ += variable;
    return *this;
  }

  const std::string& bytes() const { return bytes_; }

 private:
  template <typename T>
  std::string number(T value) const {
    std::string text(sizeof(T), '\0');
    std::memcpy(text.data(), &value, sizeof(T));
    return big_endian_ ? std::string(text.rbegin(), text.rend()) : text;
  }

  bool big_endian_;
  std::string bytes_;
};

}  // namespace gir::testing
