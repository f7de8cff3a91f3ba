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

/// A value of a Pickle, by number. Values name each other this way, as Python objects do: several may name
/// the same one, even in a circle.
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

/// In the order of the file; a key may stand twice.
struct PickleDict {
  std::vector<std::pair<PickleId, PickleId>> entries;
};

/// A name of the allow-list, or an object whose content is still to come. Never the answer to a question.
struct PickleDraft {
  std::int32_t what = 0;
  NpyType type;
};

/// monostate is None.
using PickleValue = std::variant<std::monostate, bool, std::int64_t, double, PickleText, PickleSequence, PickleDict,
                                 std::unique_ptr<NpyArray>, std::unique_ptr<SparseMatrix>, PickleDraft>;

/// What is in a Python pickle (protocols 0 to 5), as plain data. Nothing is imported or run: the file may
/// name numpy's arrays, dtypes and scalars, scipy's csr_matrix and Python's own containers, and everything
/// else is refused by name. UserError for bytes that are no such pickle. Memory stays below 64 times the
/// pickle's size.
class Pickle {
 public:
  /// `bytes` must live as long as this. `where` is the place for messages.
  Pickle(std::string_view bytes, std::string where);

  PickleId root() const { return root_; }
  const PickleValue& value(PickleId id) const { return values_[static_cast<std::size_t>(id)]; }
  const std::string& where() const { return where_; }

  /// The value as a T of PickleValue; UserError, saying that `what` was expected, when it is another.
  template <typename T>
  const T& get(PickleId id, std::string_view what) const {
    if (const T* found = std::get_if<T>(&value(id))) return *found;
    throw UserError("{}: expected {}, which is not what the pickle holds", where_, what);
  }

  const NpyArray& array(PickleId id, std::string_view what) const { return *get<std::unique_ptr<NpyArray>>(id, what); }
  const SparseMatrix& matrix(PickleId id, std::string_view what) const {
    return *get<std::unique_ptr<SparseMatrix>>(id, what);
  }

  /// The same, moved out of the pickle.
  SparseMatrix take_matrix(PickleId id, std::string_view what) {
    return std::move(*get<std::unique_ptr<SparseMatrix>>(id, what));
  }

  /// What a dict has under a text key.
  std::optional<PickleId> find(const PickleDict& dict, std::string_view key) const;

 private:
  friend class PickleReader;

  std::string where_;
  PickleId root_ = 0;
  std::vector<PickleValue> values_;
  std::deque<std::string> texts_;  ///< texts that are not in the pickle as they are
};

}  // namespace gir
