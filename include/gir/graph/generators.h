#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "gir/core/export.h"
#include "gir/core/registry.h"
#include "gir/graph/attributes.h"

namespace gir {

/// An integer or a real number.
using GeneratorValue = std::variant<std::int64_t, double>;

/// `value` as a user would write it: "1000", "0.25".
GIR_API std::string to_text(const GeneratorValue& value);

/// One parameter of a generator.
struct GIR_API GeneratorParameter {
  std::string name;              ///< in lower case with hyphens: "p-in"
  GeneratorValue default_value;  ///< its type is the parameter's type
  double minimum = 0;            ///< smallest value allowed
  double maximum = 1;            ///< largest value allowed
  std::string meaning;           ///< for help texts
};

/// Values for some parameters of a generator, by name: `{{"nodes", 1000}, {"p-in", 0.1}}`. Underscores count as
/// hyphens.
class GIR_API GeneratorParameters {
 public:
  GeneratorParameters() = default;
  GeneratorParameters(std::initializer_list<std::pair<std::string_view, GeneratorValue>> values);

  void set(std::string_view name, GeneratorValue value);

  /// Parses `text` ("1000", "0.25", "1e6"); UserError where it is not a number.
  void set_text(std::string_view name, std::string_view text);

  const std::map<std::string, GeneratorValue, std::less<>>& values() const { return values_; }

  /// The value of a parameter that is set and has that type: for generators, whose parameters have been checked.
  std::int64_t integer(std::string_view name) const;
  double real(std::string_view name) const;

 private:
  std::map<std::string, GeneratorValue, std::less<>> values_;
};

/// A family of graphs. Generators register themselves; adding one is one file.
struct GIR_API Generator {
  static constexpr std::string_view kKind = "generator";

  std::string name;
  std::string summary;
  std::vector<GeneratorParameter> parameters;

  /// Called by generate_graph() with a valid value for every parameter.
  AttributedGraph (*make)(const GeneratorParameters& parameters, std::uint64_t seed) = nullptr;
};

/// Generates an undirected graph with node ids 0 .. n-1; the same graph for the same parameters and seed on any number
/// of threads. Parameters that are not given have their defaults. UserError for an unknown kind or parameter, a value
/// out of range and a graph that does not fit in memory, all before anything is allocated.
GIR_API AttributedGraph generate_graph(std::string_view kind, const GeneratorParameters& given = {},
                                       std::uint64_t seed = 0);

}  // namespace gir
