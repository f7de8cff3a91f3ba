#include <array>
#include <cstring>

#include "pickle_reader.h"
#include "sparse_rows.h"
#include "utf8.h"

namespace gir {
namespace {

/// The allow-list: a module path, a name in it, and what gir makes of it.
struct KnownName {
  std::string_view module;
  std::string_view name;
  PickleName meaning;
};

constexpr auto kKnownNames = std::to_array<KnownName>({
    {"__builtin__", "bytes", PickleName::kBytes},
    {"__builtin__", "dict", PickleName::kDict},
    {"__builtin__", "frozenset", PickleName::kSequence},
    {"__builtin__", "list", PickleName::kSequence},
    {"__builtin__", "set", PickleName::kSequence},
    {"__builtin__", "tuple", PickleName::kSequence},
    {"_codecs", "encode", PickleName::kEncode},
    {"builtins", "bytes", PickleName::kBytes},
    {"builtins", "dict", PickleName::kDict},
    {"builtins", "frozenset", PickleName::kSequence},
    {"builtins", "list", PickleName::kSequence},
    {"builtins", "set", PickleName::kSequence},
    {"builtins", "tuple", PickleName::kSequence},
    {"collections", "OrderedDict", PickleName::kDict},
    {"collections", "defaultdict", PickleName::kDefaultDict},
    {"numpy", "dtype", PickleName::kDtype},
    {"numpy", "ndarray", PickleName::kNdarray},
    {"numpy._core.multiarray", "_reconstruct", PickleName::kReconstruct},
    {"numpy._core.multiarray", "scalar", PickleName::kScalar},
    {"numpy._core.numeric", "_frombuffer", PickleName::kFromBuffer},
    {"numpy.core.multiarray", "_reconstruct", PickleName::kReconstruct},
    {"numpy.core.multiarray", "scalar", PickleName::kScalar},
    {"numpy.core.numeric", "_frombuffer", PickleName::kFromBuffer},
    {"scipy.sparse._csr", "csr_matrix", PickleName::kCsrMatrix},
    {"scipy.sparse.csr", "csr_matrix", PickleName::kCsrMatrix},
});

PickleDraft draft(PickleName what, NpyType type = {}) { return {static_cast<std::int32_t>(what), type}; }

}  // namespace

bool PickleReader::is(PickleId id, PickleName name) const {
  const auto* found = std::get_if<PickleDraft>(&target_.value(id));
  return found != nullptr && found->what == static_cast<std::int32_t>(name);
}

void PickleReader::push_name(std::string_view module, std::string_view name) {
  for (const KnownName& known : kKnownNames) {
    if (known.module == module && known.name == name) {
      push(draft(known.meaning));
      return;
    }
  }
  fail("the pickle names {}, which gir does not import [save the data as plain arrays]",
       quoted(fmt::format("{}.{}", module, name)));
}

bool PickleReader::run_object(char operation) {
  const auto pop_arguments = [this] {
    const auto* arguments = std::get_if<PickleSequence>(&value(pop()));
    if (arguments == nullptr) fail("arguments are not a tuple");
    charge(arguments->items.size() * sizeof(PickleId));
    return arguments->items;
  };
  switch (operation) {
    case 'c': {  // GLOBAL
      const std::string_view module = take_line();
      push_name(module, take_line());
      return true;
    }
    case '\x93': {  // STACK_GLOBAL
      const auto name = target_.get<PickleText>(pop(), "the name of a class");
      const auto module = target_.get<PickleText>(pop(), "the name of a module");
      push_name(module.bytes, name.bytes);
      return true;
    }
    case 'R':       // REDUCE
    case '\x81': {  // NEWOBJ
      const Items arguments = pop_arguments();
      const PickleId called = pop();
      operation == 'R' ? call(called, arguments) : make_object(called, arguments);
      return true;
    }
    case 'b': {  // BUILD
      const PickleId state = pop();
      build(top(), state);
      return true;
    }
    default:
      return false;
  }
}

void PickleReader::call(PickleId function, const Items& arguments) {
  const auto* named = std::get_if<PickleDraft>(&value(function));
  if (named == nullptr) fail("something that is not a function is called");
  switch (static_cast<PickleName>(named->what)) {
    case PickleName::kSequence:
      if (arguments.size() > 1) fail("a list is created from {} arguments", arguments.size());
      push(arguments.empty() ? PickleSequence() : target_.get<PickleSequence>(arguments[0], "a list"));
      charge(std::get<PickleSequence>(value(top())).items.size() * sizeof(PickleId));
      return;
    case PickleName::kDict:
      if (!arguments.empty()) fail("a dict is created from arguments");
      push(PickleDict());
      return;
    case PickleName::kDefaultDict:
      push(PickleDict());
      return;
    case PickleName::kBytes:
      if (!arguments.empty()) fail("bytes are created from arguments");
      push_text("", false);
      return;
    case PickleName::kEncode:
      return encode(arguments);
    case PickleName::kReconstruct:
      if (arguments.empty() || !is(arguments[0], PickleName::kNdarray)) fail("an array of an unknown class");
      push(draft(PickleName::kArray));
      return;
    case PickleName::kFromBuffer:
      return array_from_buffer(arguments);
    case PickleName::kDtype:
      return make_type(arguments);
    case PickleName::kScalar:
      return make_scalar(arguments);
    default:
      fail("something that is not a function is called");
  }
}

void PickleReader::make_object(PickleId name, const Items& arguments) {
  if (!is(name, PickleName::kCsrMatrix) || !arguments.empty()) fail("an object of an unknown class is created");
  push(draft(PickleName::kMatrix));
}

/// _codecs.encode(text, "latin1"), by which Python 3 writes bytes in protocols 0 to 2.
void PickleReader::encode(const Items& arguments) {
  if (arguments.size() != 2) fail("a string is encoded with {} arguments", arguments.size());
  const auto text = target_.get<PickleText>(arguments[0], "a string to encode");
  const auto coding = target_.get<PickleText>(arguments[1], "the name of an encoding").bytes;
  if (coding != "latin1" && coding != "latin-1") fail("the encoding {} is unknown", quoted(coding));
  charge(text.bytes.size() * sizeof(char32_t));
  const auto characters = decode_utf8(text.bytes);
  if (!characters) fail("a string is not UTF-8");
  std::string bytes;
  for (const char32_t character : *characters) {
    if (character > 0xFF) fail("a string cannot be encoded as {}", quoted(coding));
    bytes += static_cast<char>(static_cast<unsigned char>(character));
  }
  push_decoded_text(std::move(bytes), false);
}

void PickleReader::make_type(const Items& arguments) {
  if (arguments.empty()) fail("a dtype without a name");
  const auto text = target_.get<PickleText>(arguments[0], "the name of a dtype");
  push(draft(PickleName::kType, parse_npy_type(text.bytes, target_.where())));
}

NpyType PickleReader::type_of(PickleId id) const {
  if (!is(id, PickleName::kType)) fail("an array's dtype is missing");
  return std::get<PickleDraft>(target_.value(id)).type;
}

std::vector<std::int64_t> PickleReader::shape_of(PickleId id) const {
  constexpr std::size_t kMaxDimensions = 32;
  const auto& lengths = target_.get<PickleSequence>(id, "the shape of an array").items;
  if (lengths.size() > kMaxDimensions) fail("an array has {} dimensions", lengths.size());
  std::vector<std::int64_t> shape;
  for (const PickleId item : lengths) {
    shape.push_back(target_.get<std::int64_t>(item, "the length of an array"));
  }
  return shape;
}

std::unique_ptr<NpyArray> PickleReader::make_array(NpyType type, std::vector<std::int64_t> shape, PickleId bytes,
                                                   bool fortran_order) {
  const auto text = target_.get<PickleText>(bytes, "the bytes of an array");
  if (text.is_unicode || type.kind == NpyType::Kind::kObject) fail("an array's bytes are missing");
  charge(2 * text.bytes.size());
  return std::make_unique<NpyArray>(target_.where() + ": an array", type, std::move(shape),
                                    Array<char>(std::span<const char>(text.bytes)), fortran_order);
}

void PickleReader::make_scalar(const Items& arguments) {
  if (arguments.size() != 2) fail("a number is created from {} arguments", arguments.size());
  const NpyType type = type_of(arguments[0]);
  const auto item = make_array(type, {}, arguments[1], false);
  if (item->holds_text()) {
    push_decoded_text(item->to_strings()[0], type.kind == NpyType::Kind::kUnicode);
  } else if (type.kind != NpyType::Kind::kFloat) {
    push(item->to_integer());
  } else if (type == NpyType{.kind = NpyType::Kind::kFloat, .item_size = 8}) {
    double number = 0;
    std::memcpy(&number, item->bytes().data(), sizeof(number));
    push(number);
  } else {
    push(double{item->to<float>()[0]});
  }
}

/// _frombuffer(bytes, dtype, shape, order).
void PickleReader::array_from_buffer(const Items& arguments) {
  if (arguments.size() != 4) fail("an array is created from {} arguments", arguments.size());
  const auto order = target_.get<PickleText>(arguments[3], "the order of an array").bytes;
  push(make_array(type_of(arguments[1]), shape_of(arguments[2]), arguments[0], order == "F"));
}

void PickleReader::build(PickleId object, PickleId state) {
  if (is(object, PickleName::kType)) return build_type(object, state);
  if (is(object, PickleName::kArray)) return build_array(object, state);
  if (is(object, PickleName::kMatrix)) return build_matrix(object, state);
  fail("a state is given to an object that has none");
}

/// The state of a dtype: (version, byte order, base, names, fields, ...).
void PickleReader::build_type(PickleId object, PickleId state) {
  const auto& parts = target_.get<PickleSequence>(state, "the state of a dtype").items;
  if (parts.size() < 5) fail("the state of a dtype has {} parts", parts.size());
  for (const std::size_t unused : {2, 3, 4}) {
    target_.get<std::monostate>(parts[unused], "a dtype without fields");
  }
  const auto order = target_.get<PickleText>(parts[1], "the byte order of a dtype").bytes;
  if (order == ">") std::get<PickleDraft>(value(object)).type.big_endian = true;
}

/// The state of an array: (version, shape, dtype, is Fortran order, bytes or list of objects).
void PickleReader::build_array(PickleId object, PickleId state) {
  const Items parts = target_.get<PickleSequence>(state, "the state of an array").items;
  if (parts.size() != 5) fail("the state of an array has {} parts", parts.size());
  std::vector<std::int64_t> shape = shape_of(parts[1]);
  const NpyType type = type_of(parts[2]);
  const bool fortran_order = target_.get<bool>(parts[3], "the order of an array");
  if (type.kind != NpyType::Kind::kObject) {
    value(object) = make_array(type, std::move(shape), parts[4], fortran_order);
    return;
  }
  PickleSequence items = target_.get<PickleSequence>(parts[4], "the objects of an array");
  charge(items.items.size() * sizeof(PickleId));
  const std::int64_t claimed = shape.empty() ? 1 : shape[0];
  if (shape.size() > 1 || claimed != static_cast<std::int64_t>(items.items.size())) {
    fail("an array of {} objects does not have the shape it claims", items.items.size());
  }
  value(object) = std::move(items);
}

/// The state of a matrix: its attributes by name.
void PickleReader::build_matrix(PickleId object, PickleId state) {
  const auto& attributes = target_.get<PickleDict>(state, "the attributes of a matrix");
  const auto attribute = [&](std::string_view name) {
    const auto found = target_.find(attributes, name);
    if (!found) fail("a matrix has no {}", quoted(name));
    return *found;
  };
  const auto array = [&](std::string_view name) -> const NpyArray& { return target_.array(attribute(name), name); };
  const auto shape = shape_of(attribute("_shape"));
  if (shape.size() != 2) fail("a matrix has {} dimensions", shape.size());
  const NpyArray& indices = array("indices");
  const NpyArray& offsets = array("indptr");
  charge(static_cast<std::uint64_t>(offsets.size() + indices.size()) * sizeof(std::int64_t));
  auto matrix = std::make_unique<SparseMatrix>(sparse_from_arrays(shape[0], shape[1], offsets, indices, array("data")));
  sort_columns(*matrix);
  value(object) = std::move(matrix);
}

}  // namespace gir
