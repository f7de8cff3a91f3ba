#include "gir/io/pickle.h"

#include <cstring>

#include "pickle_reader.h"

namespace gir {

Pickle::Pickle(std::string_view bytes, std::string where) : where_(std::move(where)) {
  PickleReader(*this, bytes).read();
}

std::optional<PickleId> Pickle::find(const PickleDict& dict, std::string_view key) const {
  for (const auto& [name, content] : dict.entries) {
    const auto* text = std::get_if<PickleText>(&value(name));
    if (text != nullptr && text->bytes == key) return content;
  }
  return std::nullopt;
}

PickleReader::PickleReader(Pickle& target, std::string_view bytes)
    : target_(target), all_(bytes), left_(bytes), memory_left_((std::uint64_t{1} << 20) + 64 * bytes.size()) {}

void PickleReader::read() {
  constexpr char kStop = '.';
  for (char operation = take(1)[0]; operation != kStop; operation = take(1)[0]) {
    if (run_number(operation) || run_text(operation) || run_container(operation) || run_memory(operation) ||
        run_object(operation)) {
      continue;
    }
    fail("operation 0x{:02x} does not occur in plain data [this is not a pickle of plain arrays]",
         static_cast<unsigned char>(operation));
  }
  target_.root_ = pop();
  if (!left_.empty()) fail("{} bytes follow the end of the pickle", left_.size());
}

std::string_view PickleReader::take(std::uint64_t size) {
  if (size > left_.size()) fail("the pickle is truncated [get the whole file]");
  const std::string_view taken = left_.substr(0, size);
  left_.remove_prefix(size);
  return taken;
}

std::uint64_t PickleReader::take_unsigned(int bytes) {
  std::uint64_t number = 0;
  std::memcpy(&number, take(static_cast<std::uint64_t>(bytes)).data(), static_cast<std::size_t>(bytes));
  return number;
}

std::string_view PickleReader::take_line() {
  const std::size_t end = left_.find('\n');
  if (end == std::string_view::npos) fail("the pickle is truncated [get the whole file]");
  return take(end + 1).substr(0, end);
}

/// Accounts for allocated memory, so that a small pickle cannot use a lot of it by repeating a part.
void PickleReader::charge(std::uint64_t bytes) {
  if (bytes > memory_left_) fail("the pickle repeats its content too often");
  memory_left_ -= bytes;
}

PickleId PickleReader::push(PickleValue value) {
  charge(sizeof(PickleValue));
  const auto id = static_cast<PickleId>(target_.values_.size());
  if (target_.values_.size() >= std::size_t{1} << 31) fail("the pickle has too many values");
  target_.values_.push_back(std::move(value));
  stack_.push_back(id);
  return id;
}

void PickleReader::push_text(std::string_view bytes, bool is_unicode) { push(PickleText{bytes, is_unicode}); }

void PickleReader::push_decoded_text(std::string text, bool is_unicode) {
  charge(text.size());
  push_text(target_.texts_.emplace_back(std::move(text)), is_unicode);
}

PickleId PickleReader::top() {
  if (stack_.size() <= (marks_.empty() ? 0 : marks_.back())) fail("a value is missing on the stack");
  return stack_.back();
}

PickleId PickleReader::pop() {
  const PickleId id = top();
  stack_.pop_back();
  return id;
}

PickleReader::Items PickleReader::pop_to_mark() {
  if (marks_.empty()) fail("a mark is missing on the stack");
  const auto begin = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
  Items items(begin, stack_.end());
  stack_.erase(begin, stack_.end());
  marks_.pop_back();
  return items;
}

// Opcodes are those of Python's pickletools; their names there are given in the comments.
bool PickleReader::run_container(char operation) {
  const auto push_tuple = [this](int size) {
    Items items(static_cast<std::size_t>(size));
    for (auto item = items.rbegin(); item != items.rend(); ++item) *item = pop();
    push(PickleSequence{std::move(items)});
  };
  switch (operation) {
    case ']':     // EMPTY_LIST
    case ')':     // EMPTY_TUPLE
    case '\x8f':  // EMPTY_SET
      push(PickleSequence());
      return true;
    case '}':  // EMPTY_DICT
      push(PickleDict());
      return true;
    case '\x85':  // TUPLE1
    case '\x86':  // TUPLE2
    case '\x87':  // TUPLE3
      push_tuple(operation - '\x84');
      return true;
    case '(':  // MARK
      marks_.push_back(stack_.size());
      return true;
    case 't':     // TUPLE
    case 'l':     // LIST
    case '\x91':  // FROZENSET
      push(PickleSequence{pop_to_mark()});
      return true;
    case 'd': {  // DICT
      const Items entries = pop_to_mark();
      set_entries(push(PickleDict()), entries);
      return true;
    }
    case 'a': {  // APPEND
      const PickleId item = pop();
      append(top(), {item});
      return true;
    }
    case 'e':       // APPENDS
    case '\x90': {  // ADDITEMS
      const Items items = pop_to_mark();
      append(top(), items);
      return true;
    }
    case 's': {  // SETITEM
      const PickleId content = pop();
      const PickleId key = pop();
      set_entries(top(), {key, content});
      return true;
    }
    case 'u': {  // SETITEMS
      const Items entries = pop_to_mark();
      set_entries(top(), entries);
      return true;
    }
    default:
      return false;
  }
}

void PickleReader::append(PickleId sequence, const Items& items) {
  auto* target = std::get_if<PickleSequence>(&value(sequence));
  if (target == nullptr) fail("items are added to something that is not a list");
  target->items.insert(target->items.end(), items.begin(), items.end());
}

void PickleReader::set_entries(PickleId dict, const Items& keys_and_values) {
  auto* target = std::get_if<PickleDict>(&value(dict));
  if (target == nullptr) fail("entries are added to something that is not a dict");
  if (keys_and_values.size() % 2 != 0) fail("a dict's key has no value");
  for (std::size_t i = 0; i < keys_and_values.size(); i += 2) {
    target->entries.emplace_back(keys_and_values[i], keys_and_values[i + 1]);
  }
}

bool PickleReader::run_memory(char operation) {
  const auto recall = [this](std::uint64_t place) {
    const auto found = memo_.find(place);
    if (found == memo_.end()) fail("the pickle recalls value {}, which it never stored", place);
    stack_.push_back(found->second);
  };
  const auto line_number = [this] { return static_cast<std::uint64_t>(parse_decimal(take_line())); };
  switch (operation) {
    case '\x80':  // PROTO
      if (const std::uint64_t protocol = take_unsigned(1); protocol > 5)
        fail("pickle protocol {} is unknown", protocol);
      return true;
    case '\x95':  // FRAME: its length is of use to readers of streams only
      take_unsigned(8);
      return true;
    case '0':  // POP
      pop();
      return true;
    case '1':  // POP_MARK
      pop_to_mark();
      return true;
    case '2':  // DUP
      stack_.push_back(top());
      return true;
    case 'p':  // PUT
      memo_[line_number()] = top();
      return true;
    case 'q':  // BINPUT
      memo_[take_unsigned(1)] = top();
      return true;
    case 'r':  // LONG_BINPUT
      memo_[take_unsigned(4)] = top();
      return true;
    case '\x94': {  // MEMOIZE
      const std::uint64_t place = memo_.size();
      memo_[place] = top();
      return true;
    }
    case 'g':  // GET
      recall(line_number());
      return true;
    case 'h':  // BINGET
      recall(take_unsigned(1));
      return true;
    case 'j':  // LONG_BINGET
      recall(take_unsigned(4));
      return true;
    default:
      return false;
  }
}

}  // namespace gir
