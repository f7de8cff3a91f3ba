#include "gir/io/pickle.h"

#include <gmock/gmock.h>

#include "array_fixtures.h"
#include "pickle_fixtures.h"
#include "python_fixtures.h"
#include "support.h"

namespace gir {
namespace {

using namespace gir::testing;
using namespace std::string_literals;
using ::testing::ElementsAre;

std::vector<std::int64_t> integers(const Pickle& pickle, PickleId sequence) {
  std::vector<std::int64_t> numbers;
  for (const PickleId item : pickle.get<PickleSequence>(sequence, "a list").items) {
    numbers.push_back(pickle.get<std::int64_t>(item, "a number"));
  }
  return numbers;
}

TEST(Pickle, ReadsTheSameDictInEveryProtocol) {
  const std::string_view fixtures[] = {kPickleProtocol0, kPickleProtocol1, kPickleProtocol2,
                                       kPickleProtocol3, kPickleProtocol4, kPickleProtocol5};
  for (int protocol = 0; protocol < 6; ++protocol) {
    SCOPED_TRACE(protocol);
    const std::string bytes = from_hex(fixtures[protocol]);
    const Pickle pickle(bytes, "p");
    const auto& dict = pickle.get<PickleDict>(pickle.root(), "a dict");
    const auto at = [&](std::string_view key) { return pickle.find(dict, key).value(); };
    EXPECT_THAT(pickle.array(at("x"), "x").shape(), ElementsAre(2, 3));
    EXPECT_THAT(to_vector(pickle.array(at("x"), "x").to<std::int32_t>()), ElementsAre(1, 2, 3, 4, 5, 6));
    const auto& names = pickle.get<PickleSequence>(at("names"), "names").items;
    ASSERT_EQ(names.size(), 2u);
    EXPECT_EQ(pickle.get<PickleText>(names[1], "a text").bytes, "\xc3\xa9");
    EXPECT_EQ(pickle.get<std::int64_t>(at("n"), "n"), -7);
    EXPECT_EQ(pickle.get<double>(at("f"), "f"), 1.5);
    EXPECT_TRUE(std::holds_alternative<std::monostate>(pickle.value(at("none"))));
    EXPECT_EQ(pickle.get<bool>(at("flag"), "flag"), true);
    EXPECT_EQ(pickle.get<std::int64_t>(at("long"), "long"), std::int64_t{1} << 40);
    EXPECT_EQ(pickle.get<PickleText>(at("text"), "text").bytes, "\xc3\xbc\n");
    const auto& list = pickle.get<PickleSequence>(at("list"), "list").items;
    ASSERT_EQ(list.size(), 3u);
    EXPECT_THAT(integers(pickle, list[1]), ElementsAre(2));
    EXPECT_THAT(integers(pickle, list[2]), ElementsAre(3, 4));
    EXPECT_THAT(integers(pickle, at("set")), ElementsAre(5));
    EXPECT_EQ(pickle.get<PickleText>(at("b"), "b").bytes, "\xff\x00"s);
    EXPECT_FALSE(pickle.find(dict, "other"));
  }
}

TEST(Pickle, ReadsSparseMatrices) {
  for (const std::string_view fixture : {kCsrProtocol2, kCsrProtocol4}) {
    const std::string bytes = from_hex(fixture);
    const Pickle pickle(bytes, "p");
    const SparseMatrix& matrix = pickle.matrix(pickle.root(), "a matrix");
    EXPECT_EQ(matrix.rows, 2);
    EXPECT_EQ(matrix.columns, 3);
    EXPECT_THAT(to_vector(matrix.offsets), ElementsAre(0, 1, 2));
    EXPECT_THAT(to_vector(matrix.column_indices), ElementsAre(1, 0));
    EXPECT_THAT(to_vector(matrix.values), ElementsAre(2.5f, 1));
  }
}

TEST(Pickle, ReadsDefaultDicts) {
  const std::string bytes = from_hex(kDefaultDict);
  const Pickle pickle(bytes, "p");
  const auto& entries = pickle.get<PickleDict>(pickle.root(), "a dict").entries;
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_THAT(integers(pickle, entries[1].second), ElementsAre(0, 2));
}

TEST(Pickle, ReadsBigEndianAndFortranArrays) {
  const std::string bytes = from_hex(kBigEndianFortran);
  const Pickle pickle(bytes, "p");
  EXPECT_THAT(to_vector(pickle.array(pickle.root(), "an array").to<std::int32_t>()), ElementsAre(1, 2, 3, 4));
}

TEST(Pickle, ReadsTheStringsOfPython2) {
  const Pickle pickle("(S'a\\x41\\n'\nS\"it's\"\nt.", "p");
  const auto& texts = pickle.get<PickleSequence>(pickle.root(), "texts").items;
  EXPECT_EQ(pickle.get<PickleText>(texts[0], "a text").bytes, "aA\n");
  EXPECT_EQ(pickle.get<PickleText>(texts[1], "a text").bytes, "it's");
}

TEST(Pickle, NegativeLongsKeepTheirSign) {
  EXPECT_EQ(Pickle("\x8a\x01\xfe.", "p").get<std::int64_t>(0, "a number"), -2);
  EXPECT_EQ(Pickle("\x8a\x00."s, "p").get<std::int64_t>(0, "a number"), 0);
  EXPECT_EQ(Pickle("L-12L\n.", "p").get<std::int64_t>(0, "a number"), -12);
}

TEST(Pickle, AListMayContainItself) {
  const std::string bytes = "]q\x00h\x00"s + "a.";
  const Pickle pickle(bytes, "p");
  EXPECT_THAT(pickle.get<PickleSequence>(pickle.root(), "a list").items, ElementsAre(pickle.root()));
}

TEST(Pickle, DeepNestingIsSafe) {
  std::string bytes(1000000, ']');
  bytes.append(999999, 'a');
  bytes += '.';
  const Pickle pickle(bytes, "p");
  EXPECT_EQ(pickle.get<PickleSequence>(pickle.root(), "a list").items.size(), 1u);
}

TEST(Pickle, RefusesEveryOtherNameAndSaysWhich) {
  const std::string system = from_hex(kSystemCall);
  expect_user_error([&] { Pickle(system, "evil.pkl"); }, "evil.pkl: byte",
                    "\"posix.system\", which gir does not import");
  expect_user_error([] { Pickle("cbuiltins\neval\n(Vprint(1)\ntR.", "p"); }, "\"builtins.eval\"");
  expect_user_error([] { Pickle("\x8c\x02os\x8c\x06system\x93.", "p"); }, "\"os.system\"");
  expect_user_error([] { Pickle("cnumpy\nndarray.x\n.", "p"); }, "\"numpy.ndarray.x\"");
}

TEST(Pickle, RefusesOperationsThatCreateObjects) {
  for (const char* bytes : {"(ios\nsystem\n.", "Pid\n.", "NQ.", "\x82\x01.", "(cbuiltins\nlist\no.", "\x97."}) {
    expect_user_error([&] { Pickle(bytes, "p"); }, "p: byte", "does not occur in plain data");
  }
}

TEST(Pickle, RefusesStackUnderflows) {
  for (const std::string& bytes : {"."s, "0."s, "a."s, "]a."s, "s."s, "N\x86."s, "R."s, "b."s, "q\x00."s, "2."s}) {
    expect_user_error([&] { Pickle(bytes, "p"); }, "a value is missing on the stack");
  }
  expect_user_error([] { Pickle("](a.", "p"); }, "a value is missing");
  expect_user_error([] { Pickle("]e.", "p"); }, "a mark is missing");
}

TEST(Pickle, RefusesMisusedContainers) {
  expect_user_error([] { Pickle("NNa.", "p"); }, "not a list");
  expect_user_error([] { Pickle("]NNs.", "p"); }, "not a dict");
  expect_user_error([] { Pickle("}(Nu.", "p"); }, "key has no value");
  expect_user_error([] { Pickle("h\x05.", "p"); }, "value 5, which it never stored");
  expect_user_error([] { Pickle("NNR.", "p"); }, "arguments are not a tuple");
  expect_user_error([] { Pickle("N)R.", "p"); }, "not a function is called");
  expect_user_error([] { Pickle("cnumpy\nndarray\n)R.", "p"); }, "not a function is called");
  expect_user_error([] { Pickle("cnumpy\ndtype\n)\x81.", "p"); }, "an object of an unknown class");
  expect_user_error([] { Pickle("]}b.", "p"); }, "a state is given to an object that has none");
}

TEST(Pickle, RefusesSizesBeyondTheEnd) {
  expect_user_error([] { Pickle("T\xff\xff\xff\x7f"s + "abc.", "p"); }, "truncated");
  expect_user_error([] { Pickle("\x8e\xff\xff\xff\xff\xff\xff\xff\xff", "p"); }, "truncated");
  expect_user_error([] { Pickle("\x8b\xff\xff\xff\xff.", "p"); }, "truncated");
  expect_user_error(
      [] {
        Pickle(
            "\x8a\x09"
            "123456789.",
            "p");
      },
      "9 bytes is too large");
  expect_user_error([] { Pickle("", "p"); }, "truncated");
  expect_user_error([] { Pickle("N.N", "p"); }, "1 bytes follow");
  expect_user_error([] { Pickle("\x80\x06N.", "p"); }, "protocol 6");
  expect_user_error([] { Pickle("I12x\n.", "p"); }, "is not a whole number");
}

TEST(Pickle, RefusesArraysWhoseShapeAndBytesDisagree) {
  const auto refuse = [](const std::string& content, std::string_view why) {
    expect_user_error([&] { Pickle(content + ".", "p"); }, why);
  };
  const std::string good = pickled_array("u1", {2}, "S'ab'\n") + ".";
  const Pickle pickle(good, "p");
  EXPECT_EQ(pickle.array(pickle.root(), "an array").size(), 2);
  refuse(pickled_array("i4", {2}, "S'ab'\n"), "takes 8 bytes, but 2 are stored");
  refuse(pickled_array("i4", {-1}, "S'ab'\n"), "impossible shape");
  refuse(pickled_array("i4", std::vector<std::int64_t>(33, 1), "S'abcd'\n"), "33 dimensions");
  refuse(pickled_array("i4", {1}, "N"), "expected the bytes of an array");
  refuse(pickled_array("i4", {1}, "Vabcd\n"), "bytes are missing");
  refuse(pickled_array("O8", {2}, "]Na"), "shape it claims");
  refuse(pickled_array("O8", {1}, "S'ab'\n"), "the objects of an array");
  refuse(pickled_array("c8", {1}, "S'12345678'\n"), "items of type");
}

TEST(Pickle, RefusesBrokenMatrices) {
  const auto refuse = [](const std::string& content, std::string_view why) {
    expect_user_error([&] { Pickle(content + ".", "p"); }, why);
  };
  refuse(pickled_matrix({2, 2}, {0, 1}, {0}, {1}), "has 2 items, but a matrix of 2 rows has 3 offsets");
  refuse(pickled_matrix({1, 2}, {0, 1}, {2}, {1}), "columns are 0 .. 1");
  refuse(pickled_matrix({1}, {0, 1}, {0}, {1}), "1 dimensions");
  refuse(pickled_matrix({-1, 2}, {0}, {}, {}), "impossible shape");
  refuse("cscipy.sparse.csr\ncsr_matrix\n)\x81}b", "a matrix has no \"_shape\"");
}

TEST(Pickle, LimitsTheMemoryOfRepeatedContent) {
  // A list that is copied repeatedly: every copy takes a few bytes in the pickle, but its whole length in memory.
  std::string bytes = "cbuiltins\nlist\nq\x01](" + std::string(100000, 'N') + "eq\x02";
  for (int i = 0; i < 100000; ++i) bytes += "h\x01h\x02\x85R";
  expect_user_error([&] { Pickle(bytes, "p"); }, "repeats its content too often");
}

TEST(Pickle, DamagedPicklesRaiseUserErrorsOnly) {
  std::uint64_t seed = 0;
  for (const std::string_view fixture :
       {kPickleProtocol0, kPickleProtocol1, kPickleProtocol2, kPickleProtocol3, kPickleProtocol4, kPickleProtocol5,
        kCsrProtocol2, kCsrProtocol4, kDefaultDict}) {
    attack(from_hex(fixture), ++seed, 3000, [](const std::string& bytes) { Pickle(bytes, "p"); });
  }
}

}  // namespace
}  // namespace gir
