#pragma once

#include <unordered_map>

#include "gir/io/pickle.h"

namespace gir {

/// Everything a pickle may name (see kKnownNames). kArray, kMatrix and kType are objects that some of them create.
enum class PickleName : std::int32_t {
  kSequence,     // list, tuple, set, frozenset
  kDict,         // dict, OrderedDict
  kDefaultDict,  // defaultdict
  kBytes,        // bytes
  kEncode,       // _codecs.encode
  kReconstruct,  // creates an empty NumPy array, whose state follows
  kFromBuffer,   // creates a NumPy array in protocol 5
  kNdarray,
  kDtype,
  kScalar,
  kCsrMatrix,
  kArray,
  kMatrix,
  kType,
};

/// Interprets a pickle, which is a program for a stack machine. Where Python would import a class and create an object,
/// this creates plain data, and only for the names of the allow-list.
class PickleReader {
 public:
  PickleReader(Pickle& target, std::string_view bytes);

  void read();

 private:
  using Items = std::vector<PickleId>;

  // The bytes: pickle.cpp.
  template <typename... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) const {
    throw UserError("{}: byte {}: {}", target_.where_, all_.size() - left_.size(),
                    fmt::format(format, std::forward<Args>(args)...));
  }
  std::string_view take(std::uint64_t size);
  std::uint64_t take_unsigned(int bytes);
  std::string_view take_line();
  void charge(std::uint64_t bytes);

  // The stack: pickle.cpp.
  PickleId push(PickleValue value);
  void push_text(std::string_view bytes, bool is_unicode);
  void push_decoded_text(std::string text, bool is_unicode);
  PickleId pop();
  PickleId top();
  Items pop_to_mark();

  void append(PickleId sequence, const Items& items);
  void set_entries(PickleId dict, const Items& keys_and_values);

  // Each executes the operations of one group; false for an operation of another group.
  bool run_container(char operation);
  bool run_memory(char operation);
  bool run_number(char operation);
  bool run_text(char operation);
  bool run_object(char operation);

  // Numbers and strings: pickle_values.cpp.
  std::int64_t parse_decimal(std::string_view line) const;
  std::int64_t take_long(std::uint64_t size);
  std::string unescape(std::string_view line) const;
  std::string unescape_unicode(std::string_view line) const;

  // Names and the objects they create: pickle_objects.cpp.
  void push_name(std::string_view module, std::string_view name);
  void call(PickleId function, const Items& arguments);
  void make_object(PickleId name, const Items& arguments);
  void build(PickleId object, PickleId state);
  void encode(const Items& arguments);
  void make_type(const Items& arguments);
  void make_scalar(const Items& arguments);
  void array_from_buffer(const Items& arguments);
  void build_type(PickleId object, PickleId state);
  void build_array(PickleId object, PickleId state);
  void build_matrix(PickleId object, PickleId state);

  PickleValue& value(PickleId id) { return target_.values_[static_cast<std::size_t>(id)]; }
  bool is(PickleId id, PickleName name) const;
  NpyType type_of(PickleId id) const;
  std::vector<std::int64_t> shape_of(PickleId id) const;
  std::unique_ptr<NpyArray> make_array(NpyType type, std::vector<std::int64_t> shape, PickleId bytes,
                                       bool fortran_order);

  Pickle& target_;
  std::string_view all_;
  std::string_view left_;      ///< bytes that have not been read
  std::uint64_t memory_left_;  ///< see charge()
  Items stack_;
  std::vector<std::size_t> marks_;  ///< sizes of the stack at MARK operations
  std::unordered_map<std::uint64_t, PickleId> memo_;
};

}  // namespace gir
