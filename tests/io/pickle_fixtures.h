#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "array_fixtures.h"

// Hand-written pickles. Each function returns the operations that push one value; add '.' for a complete pickle.

namespace gir::testing {

inline std::string pickled_bytes(std::string_view bytes) {
  std::string result = "B";
  for (int i = 0; i < 4; ++i) result += static_cast<char>(bytes.size() >> (8 * i) & 0xFF);
  return result.append(bytes);
}

inline std::string pickled_tuple(const std::vector<std::int64_t>& numbers) {
  std::string result = "(";
  for (const std::int64_t number : numbers) result += fmt::format("I{}\n", number);
  return result + "t";
}

/// An array whose state ends with the value that `content` pushes.
inline std::string pickled_array(std::string_view type, const std::vector<std::int64_t>& shape,
                                 std::string_view content) {
  return fmt::format(
      "cnumpy.core.multiarray\n_reconstruct\n(cnumpy\nndarray\n(I0\ntS'b'\ntR(I1\n{}cnumpy\ndtype\n(S'{}'\nI0\nI1\ntR"
      "(I3\nS'<'\nNNNI-1\nI-1\nI0\ntbI00\n{}tb",
      pickled_tuple(shape), type, content);
}

inline std::string pickled_floats(const std::vector<float>& values, std::vector<std::int64_t> shape) {
  return pickled_array("f4", shape, pickled_bytes(raw(values)));
}

inline std::string pickled_integers(const std::vector<std::int32_t>& values) {
  return pickled_array("i4", {static_cast<std::int64_t>(values.size())}, pickled_bytes(raw(values)));
}

inline std::string pickled_matrix(std::vector<std::int64_t> shape, const std::vector<std::int32_t>& offsets,
                                  const std::vector<std::int32_t>& columns, const std::vector<float>& values) {
  return "cscipy.sparse.csr\ncsr_matrix\n)\x81}(S'_shape'\n" + pickled_tuple(shape) + "S'indptr'\n" +
         pickled_integers(offsets) + "S'indices'\n" + pickled_integers(columns) + "S'data'\n" +
         pickled_floats(values, {static_cast<std::int64_t>(values.size())}) + "ub";
}

/// A .npy file of the one object that `content` pushes, as numpy.save writes it.
inline std::string npy_object(std::string_view content) {
  return npy_file("|O", "()",
                  pickled_array("O8", {},
                                fmt::format("]("
                                            "{}e",
                                            content)) +
                      ".");
}

}  // namespace gir::testing
