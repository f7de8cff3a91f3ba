#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "gir/core/error.h"
#include "gir/graph/attributes.h"
#include "gir/io/npy.h"

namespace gir {

/// Index of a value of a Pickle. Values refer to each other by index, as Python objects do: several may refer to the
/// same value, even in a cycle.
using PickleId = std::int32_t;

/// A str (UTF-8) or bytes.
struct PickleText {
  std::string_view bytes;
  bool is_unicode = false;
};

/// A list, tuple, set or array of Python objects.
struct PickleSequence {
  std::vector<PickleId> items;
};

/// In the order of the file; a key may occur twice.
struct PickleDict {
  std::vector<std::pair<PickleId, PickleId>> entries;
};

/// A name of the allow-list, or an object whose state has not been read yet. Used while reading only.
struct PickleDraft {
  std::int32_t what = 0;
  NpyType type;
};

/// monostate is None.
using PickleValue = std::variant<std::monostate, bool, std::int64_t, double, PickleText, PickleSequence, PickleDict,
                                 std::unique_ptr<NpyArray>, std::unique_ptr<SparseMatrix>, PickleDraft>;

/// The content of a Python pickle (protocols 0 to 5) as plain data. Nothing is imported or executed: the pickle may
/// name NumPy's arrays, dtypes and scalars, SciPy's csr_matrix and Python's built-in containers; every other name is
/// refused. UserError for bytes that are not such a pickle. Uses at most 64 times the pickle's size in memory.
class Pickle {
 public:
  /// `bytes` must outlive this object. `where` is the place that messages name.
  Pickle(std::string_view bytes, std::string where);

  PickleId root() const { return root_; }
  const PickleValue& value(PickleId id) const { return values_[static_cast<std::size_t>(id)]; }
  const std::string& where() const { return where_; }

  /// The value as a T of PickleValue; UserError, saying that `what` was expected, where it has another type.
  template <typename T>
  const T& get(PickleId id, std::string_view what) const {
    if (const T* found = std::get_if<T>(&value(id))) return *found;
    throw UserError("{}: expected {}, but the pickle holds something else", where_, what);
  }

  const NpyArray& array(PickleId id, std::string_view what) const { return *get<std::unique_ptr<NpyArray>>(id, what); }
  const SparseMatrix& matrix(PickleId id, std::string_view what) const {
    return *get<std::unique_ptr<SparseMatrix>>(id, what);
  }

  /// The same, moved out of the pickle.
  SparseMatrix take_matrix(PickleId id, std::string_view what) {
    return std::move(*get<std::unique_ptr<SparseMatrix>>(id, what));
  }

  /// The value of a dict under a string key.
  std::optional<PickleId> find(const PickleDict& dict, std::string_view key) const;

 private:
  friend class PickleReader;

  std::string where_;
  PickleId root_ = 0;
  std::vector<PickleValue> values_;
  std::deque<std::string> texts_;  ///< strings that had to be decoded; the others point into the pickle's bytes
};

}  // namespace gir
