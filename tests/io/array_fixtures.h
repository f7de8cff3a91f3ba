#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gir/core/array.h"
#include "gir/core/error.h"
#include "gir/core/random.h"
#include "gir/graph/attributes.h"

namespace gir::testing {

inline std::string from_hex(std::string_view digits) {
  std::string bytes;
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    bytes += static_cast<char>(static_cast<unsigned char>(std::stoi(std::string(digits.substr(i, 2)), nullptr, 16)));
  }
  return bytes;
}

inline Array<char> to_array(std::string_view bytes) {
  return Array<char>(std::span<const char>(bytes.data(), bytes.size()));
}

/// The memory representation of values.
template <typename T>
std::string raw(const std::vector<T>& values) {
  std::string bytes(values.size() * sizeof(T), '\0');
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

/// A .npy file with any header dict, valid or not.
inline std::string npy_with_dict(std::string_view dict, std::string_view items, int major = 1) {
  std::string file = "\x93NUMPY";
  file += static_cast<char>(major);
  file += '\0';
  for (int i = 0; i < (major == 1 ? 2 : 4); ++i) file += static_cast<char>(dict.size() >> (8 * i) & 0xFF);
  return file.append(dict).append(items);
}

inline std::string npy_file(std::string_view type, std::string_view shape, std::string_view items, int major = 1) {
  return npy_with_dict(fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}\n", type, shape), items,
                       major);
}

/// Runs `action`; anything but success and UserError fails the test.
template <typename Action>
void expect_success_or_user_error(const Action& action, std::string_view what) {
  try {
    action();
  } catch (const UserError& error) {
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << what << ": " << error.what();
  } catch (const std::exception& error) {
    ADD_FAILURE() << what << ": " << error.what();
  }
}

/// Calls `action(damaged)` for a hundred truncations of `good` and for many copies with one to four bytes changed.
template <typename Action>
void attack(const std::string& good, std::uint64_t seed, int changes, const Action& action) {
  const std::size_t step = std::max<std::size_t>(1, good.size() / 100);
  for (std::size_t size = 0; size < good.size(); size += step) {
    expect_success_or_user_error([&] { action(good.substr(0, size)); }, fmt::format("cut after {}", size));
  }
  Rng rng(seed, "attack");
  for (int i = 0; i < changes; ++i) {
    std::string damaged = good;
    std::string what = "changed";
    for (auto left = 1 + rng.below(4); left > 0; --left) {
      const auto place = static_cast<std::size_t>(rng.below(good.size()));
      // Small changes of lengths and opcodes are more likely to pass the first checks than random bytes.
      const auto byte = static_cast<unsigned char>(damaged[place]);
      const unsigned choices[] = {byte ^ 1u, byte + 1u, byte - 1u, 0u, 0xFFu, static_cast<unsigned>(rng.below(256))};
      damaged[place] = static_cast<char>(static_cast<unsigned char>(choices[rng.below(6)]));
      what += fmt::format(" {}={:02x}", place, static_cast<unsigned char>(damaged[place]));
    }
    expect_success_or_user_error([&] { action(damaged); }, what);
  }
}

template <typename T>
std::vector<T> to_vector(const Array<T>& values) {
  return std::vector<T>(values.begin(), values.end());
}

inline void expect_same_features(const Features& actual, const Features& expected) {
  ASSERT_EQ(actual.index(), expected.index());
  if (const auto* dense = std::get_if<DenseMatrix>(&expected)) {
    const auto& other = std::get<DenseMatrix>(actual);
    EXPECT_EQ(other.rows, dense->rows);
    EXPECT_EQ(other.columns, dense->columns);
    EXPECT_EQ(to_vector(other.values), to_vector(dense->values));
  }
  if (const auto* sparse = std::get_if<SparseMatrix>(&expected)) {
    const auto& other = std::get<SparseMatrix>(actual);
    EXPECT_EQ(other.rows, sparse->rows);
    EXPECT_EQ(other.columns, sparse->columns);
    EXPECT_EQ(to_vector(other.offsets), to_vector(sparse->offsets));
    EXPECT_EQ(to_vector(other.column_indices), to_vector(sparse->column_indices));
    EXPECT_EQ(to_vector(other.values), to_vector(sparse->values));
  }
}

inline void expect_same_split(const std::optional<NodeSplit>& actual, const std::optional<NodeSplit>& expected) {
  ASSERT_EQ(actual.has_value(), expected.has_value());
  if (!expected) return;
  EXPECT_EQ(actual->train, expected->train);
  EXPECT_EQ(actual->valid, expected->valid);
  EXPECT_EQ(actual->test, expected->test);
}

inline void expect_same_graph(const AttributedGraph& actual, const AttributedGraph& expected) {
  EXPECT_EQ(actual.graph.num_nodes(), expected.graph.num_nodes());
  EXPECT_EQ(actual.graph.num_arcs(), expected.graph.num_arcs());
  EXPECT_EQ(actual.graph.fingerprint(), expected.graph.fingerprint());
  expect_same_features(actual.features, expected.features);
  EXPECT_EQ(to_vector(actual.labels.classes), to_vector(expected.labels.classes));
  expect_same_split(actual.split, expected.split);
}

/// A small graph with all attributes that a format may store.
struct GraphChoices {
  bool directed = false;
  bool weighted = false;
  bool text_names = false;
  bool sparse = false;
};

inline AttributedGraph example_graph(const GraphChoices& choices) {
  EdgeInput input;
  input.arcs = {{0, 1}, {2, 1}, {3, 0}, {2, 2}};
  if (choices.weighted) input.weights = {0.5f, 2, 3, 4};
  input.directed = choices.directed;
  input.names = choices.text_names ? NodeNames::strings({"a", "\xc3\xa9", "", "long name", "z"})
                                   : NodeNames::integers({10, 7, -3, 99, 12});
  AttributedGraph result;
  result.graph = build_graph(std::move(input));
  if (choices.sparse) {
    result.features = SparseMatrix{
        .rows = 5, .columns = 3, .offsets = {0, 1, 1, 3, 3, 4}, .column_indices = {2, 0, 1, 2}, .values = {1, 2, 3, 4}};
  } else {
    result.features = DenseMatrix{.rows = 5, .columns = 2, .values = {0, 1, 2, 3, 4, 5, 6, 7, 8, -9}};
  }
  result.labels = Labels{.classes = {1, 0, Labels::kNone, 1, 0}, .names = {"cat", "dog"}};
  result.split = NodeSplit{.train = {4, 0}, .valid = {}, .test = {3}};
  return result;
}

}  // namespace gir::testing
