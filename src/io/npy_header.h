#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gir {

/// The header of a .npy file.
struct NpyHeader {
  std::string type;
  bool fortran_order = false;
  std::vector<std::int64_t> shape;
  std::size_t items_begin = 0;  ///< offset of the items in the file
};

/// UserError for anything but a header of format 1.0, 2.0 or 3.0.
NpyHeader parse_npy_header(std::string_view file, const std::string& where);

}  // namespace gir
