#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace gir {

/// Where the attributes of an edge begin in a line, as networkx writes them: at the brace that begins the third or a
/// later cell of a line that ends with a brace, {'weight': 0.5, 'kind': 'x'}. npos where there are none.
std::size_t find_dictionary(std::string_view line);

/// The line without its attributes and the separator before them.
std::string_view without_dictionary(std::string_view line);

/// An entry of a dictionary that Python has printed.
struct DictionaryEntry {
  std::string_view key;  ///< without quotes
  std::string_view value;
};

/// The entries of a dictionary, those of dictionaries inside of it not counted.
std::vector<DictionaryEntry> entries_of(std::string_view dictionary);

/// The number that a value prints, 0.5 in np.float64(0.5).
std::string_view bare_number(std::string_view value);

}  // namespace gir
