#include <charconv>
#include <cmath>

#include "gir/core/error.h"
#include "gir/core/text.h"
#include "gir/graph/generators.h"

namespace gir {
namespace {

/// Parses the whole of `text`.
template <typename Number>
bool parse(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

double as_real(const GeneratorValue& value) {
  return std::visit([](auto number) { return static_cast<double>(number); }, value);
}

/// The parameter of that name; UserError that lists the generator's parameters where there is none.
const GeneratorParameter& find_parameter(const Generator& generator, const std::string& name) {
  std::vector<std::string> names;
  for (const GeneratorParameter& parameter : generator.parameters) {
    if (parameter.name == name) return parameter;
    names.push_back(parameter.name);
  }
  if (names.empty()) throw UserError("{}: unknown parameter {} [it has none]", generator.name, quoted(name));
  throw UserError("{}: unknown parameter {} [known: {}]", generator.name, quoted(name),
                  join(nearest_first(name, std::move(names)), ", "));
}

/// `value` in the parameter's type, within its range. Integers may be written as real numbers (1e6).
GeneratorValue checked(const Generator& generator, const GeneratorParameter& parameter, const GeneratorValue& value) {
  const double real = as_real(value);
  const bool whole = std::holds_alternative<std::int64_t>(parameter.default_value);
  if (!(real >= parameter.minimum && real <= parameter.maximum)) {
    throw UserError("{}: `{}` is {}, out of range [choose {} .. {}]", generator.name, parameter.name, to_text(value),
                    parameter.minimum, parameter.maximum);
  }
  if (!whole) return real;
  if (std::holds_alternative<std::int64_t>(value)) return value;
  if (real != std::floor(real)) {
    throw UserError("{}: `{}` is {}, not a whole number [choose one in {} .. {}]", generator.name, parameter.name,
                    to_text(value), parameter.minimum, parameter.maximum);
  }
  return static_cast<std::int64_t>(real);
}

}  // namespace

std::string to_text(const GeneratorValue& value) {
  return std::visit([](auto number) { return fmt::format("{}", number); }, value);
}

GeneratorParameters::GeneratorParameters(std::initializer_list<std::pair<std::string_view, GeneratorValue>> values) {
  for (const auto& [name, value] : values) set(name, value);
}

void GeneratorParameters::set(std::string_view name, GeneratorValue value) { values_[canonical_name(name)] = value; }

void GeneratorParameters::set_text(std::string_view name, std::string_view text) {
  std::int64_t whole = 0;
  double real = 0;
  if (parse(text, whole)) {
    set(name, whole);
  } else if (parse(text, real) && std::isfinite(real)) {
    set(name, real);
  } else {
    throw UserError("`{}`: expected a number such as 10, 0.5 or 1e6, got {}", canonical_name(name), quoted(text));
  }
}

std::int64_t GeneratorParameters::integer(std::string_view name) const {
  const auto place = values_.find(name);
  ensure(place != values_.end() && std::holds_alternative<std::int64_t>(place->second), "no such integer parameter");
  return std::get<std::int64_t>(place->second);
}

double GeneratorParameters::real(std::string_view name) const {
  const auto place = values_.find(name);
  ensure(place != values_.end() && std::holds_alternative<double>(place->second), "no such real parameter");
  return std::get<double>(place->second);
}

AttributedGraph generate_graph(std::string_view kind, const GeneratorParameters& given, std::uint64_t seed) {
  const Generator& generator = Registry<Generator>::get(kind);
  GeneratorParameters all;
  for (const GeneratorParameter& parameter : generator.parameters) all.set(parameter.name, parameter.default_value);
  for (const auto& [name, value] : given.values()) {
    all.set(name, checked(generator, find_parameter(generator, name), value));
  }
  return generator.make(all, seed);
}

}  // namespace gir
