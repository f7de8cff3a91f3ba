#include "gir/io/npy.h"

#include <gmock/gmock.h>

#include <cmath>

#include "array_fixtures.h"
#include "python_fixtures.h"
#include "support.h"

namespace gir {
namespace {

using namespace gir::testing;
using ::testing::ElementsAre;

NpyArray parse(const std::string& file) { return parse_npy(to_array(file), "a.npy"); }

TEST(Npy, ReadsIntegersOfEveryWidthAndSign) {
  EXPECT_THAT(parse(npy_file("|i1", "(2,)", raw<std::int8_t>({-5, 7}))).to<std::int64_t>(), ElementsAre(-5, 7));
  EXPECT_THAT(parse(npy_file("<i2", "(2,)", raw<std::int16_t>({-500, 7}))).to<std::int64_t>(), ElementsAre(-500, 7));
  EXPECT_THAT(parse(npy_file("<i4", "(1,)", raw<std::int32_t>({-70000}))).to<std::int64_t>(), ElementsAre(-70000));
  EXPECT_THAT(parse(npy_file("<i8", "(1,)", raw<std::int64_t>({1ll << 40}))).to<std::int64_t>(),
              ElementsAre(1ll << 40));
  EXPECT_THAT(parse(npy_file("|u1", "(1,)", "\xff")).to<std::int32_t>(), ElementsAre(255));
  EXPECT_THAT(parse(npy_file("<u2", "(1,)", raw<std::uint16_t>({65535}))).to<std::int32_t>(), ElementsAre(65535));
  EXPECT_THAT(parse(npy_file("<u4", "(1,)", raw<std::uint32_t>({4000000000}))).to<std::int64_t>(),
              ElementsAre(4000000000));
  EXPECT_THAT(parse(npy_file("<u8", "(1,)", raw<std::uint64_t>({12}))).to<std::int32_t>(), ElementsAre(12));
}

TEST(Npy, ReadsBooleansAsZeroAndOne) {
  const std::string items("\x00\x01\x02", 3);
  EXPECT_THAT(parse(npy_file("|b1", "(3,)", items)).to<float>(), ElementsAre(0, 1, 1));
}

TEST(Npy, ReadsBothByteOrders) {
  EXPECT_THAT(parse(npy_file(">i4", "(1,)", std::string("\x00\x00\x01\x02", 4))).to<std::int32_t>(), ElementsAre(258));
  EXPECT_THAT(parse(npy_file(">f8", "(1,)", std::string("\x3f\xf8\x00\x00\x00\x00\x00\x00", 8))).to<float>(),
              ElementsAre(1.5f));
}

TEST(Npy, ReadsFloatsOfEveryWidth) {
  EXPECT_THAT(parse(npy_file("<f4", "(2,)", raw<float>({1.25f, -3}))).to<float>(), ElementsAre(1.25f, -3));
  EXPECT_THAT(parse(npy_file("<f8", "(2,)", raw<double>({0.1, 1e300 * 0}))).to<float>(), ElementsAre(0.1f, 0));
  EXPECT_THAT(parse(from_hex(kNpyHalf)).to<float>(), ElementsAre(1.5f, -2, INFINITY, std::ldexp(1.0f, -24), 65504));
}

TEST(Npy, ReadsFormats1And2And3) {
  for (const int major : {1, 2, 3}) {
    EXPECT_THAT(parse(npy_file("<i4", "(2,)", raw<std::int32_t>({3, 4}), major)).to<std::int32_t>(), ElementsAre(3, 4));
  }
}

TEST(Npy, TransposesFortranOrder) {
  const NpyArray array = parse(from_hex(kNpyFortran));
  EXPECT_THAT(array.shape(), ElementsAre(2, 3));
  EXPECT_THAT(array.to<std::int32_t>(), ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST(Npy, TransposesFortranOrderOfThreeDimensions) {
  // Item (i, j, k) is 100 i + 10 j + k, the first index running fastest in the file.
  std::vector<std::int32_t> items;
  for (int k = 0; k < 4; ++k) {
    for (int j = 0; j < 3; ++j) {
      for (int i = 0; i < 2; ++i) items.push_back(100 * i + 10 * j + k);
    }
  }
  const auto array = parse(npy_with_dict("{'descr':'<i4','fortran_order':True,'shape':(2,3,4)}", raw(items)));
  const auto rows = array.to<std::int32_t>();
  for (int i = 0; i < 24; ++i) EXPECT_EQ(rows[i], 100 * (i / 12) + 10 * (i / 4 % 3) + i % 4);
}

TEST(Npy, ReadsStrings) {
  EXPECT_THAT(parse(from_hex(kNpyTexts)).to_strings(), ElementsAre("a",
                                                                   "Gr\xc3\xbc\xc3\x9f"
                                                                   "e",
                                                                   "\xf0\x9f\x98\x80"));
  EXPECT_THAT(parse(npy_file("|S3", "(2,)", std::string("ab\0xyz", 6))).to_strings(), ElementsAre("ab", "xyz"));
  EXPECT_THAT(parse(npy_file(">U1", "(1,)", std::string("\0\0\0A", 4))).to_strings(), ElementsAre("A"));
}

TEST(Npy, ReadsScalarsAndEmptyArrays) {
  EXPECT_EQ(parse(npy_file("<i8", "()", raw<std::int64_t>({42}))).to_integer(), 42);
  const NpyArray empty = parse(npy_file("<i8", "(0, 2)", ""));
  EXPECT_EQ(empty.size(), 0);
  EXPECT_TRUE(empty.to<std::int32_t>().empty());
}

TEST(Npy, ReadsTheHeadersOfPython2) {
  EXPECT_THAT(parse(npy_file("<i4", "(2L, 1L)", raw<std::int32_t>({1, 2}))).shape(), ElementsAre(2, 1));
}

TEST(Npy, KeysMayHaveAnyOrder) {
  const auto array = parse(npy_with_dict("{\"shape\": (1,), 'fortran_order': False, 'descr': '|u1'}", "\x09"));
  EXPECT_EQ(array.to_integer(), 9);
}

TEST(Npy, AFileIsReadLikeItsBytes) {
  const TempDir folder;
  const auto path = folder.file("x.npy", npy_file("<i4", "(2, 2)", raw<std::int32_t>({1, 2, 3, 4})));
  const NpyArray array = read_npy(path);
  EXPECT_EQ(array.where(), path.string());
  EXPECT_THAT(array.to<std::int32_t>(), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(array.to<float>(), ElementsAre(1, 2, 3, 4));
}

TEST(Npy, AnArrayCanBeMoved) {
  NpyArray first = parse(npy_file("<i4", "(2,)", raw<std::int32_t>({8, 9})));
  const NpyArray second = std::move(first);
  EXPECT_THAT(second.to<std::int32_t>(), ElementsAre(8, 9));
}

TEST(Npy, RefusesOtherFiles) {
  expect_user_error([] { parse("PK\x03\x04 something"); }, "a.npy: is not a .npy file", "[");
  expect_user_error([] { parse(""); }, "is not a .npy file");
}

TEST(Npy, RefusesUnknownFormats) {
  expect_user_error([] { parse(npy_file("<i4", "()", "1234", 4)); }, "format 4.0");
}

TEST(Npy, RefusesATruncatedHeader) {
  const std::string good = npy_file("<i4", "(1,)", "1234");
  expect_user_error([&] { parse(good.substr(0, 8)); }, "truncated");
  expect_user_error([&] { parse(good.substr(0, 30)); }, "truncated");
}

TEST(Npy, RefusesItemsThatAreMissingOrTooMany) {
  expect_user_error(
      [] {
        parse(npy_file("<i4", "(3,)", raw<std::int32_t>({1, 2})));
      },
      "[3]", "takes 12 bytes, but 8 are stored");
  expect_user_error(
      [] {
        parse(npy_file("<i4", "(1,)", raw<std::int32_t>({1, 2})));
      },
      "takes 4 bytes, but 8 are stored");
}

TEST(Npy, RefusesShapesWhoseSizeOverflows) {
  expect_user_error([] { parse(npy_file("<i8", "(4294967296, 4294967296)", "")); }, "impossible shape");
  expect_user_error([] { parse(npy_file("<i8", "(2305843009213693952,)", "")); }, "impossible shape");
  expect_user_error([] { parse(npy_file("<i8", "(99999999999999999999,)", "")); }, "a length was expected");
}

TEST(Npy, RefusesBadHeaders) {
  const auto refuse = [](std::string_view dict, std::string_view why) {
    expect_user_error([&] { parse(npy_with_dict(dict, "1234")); }, "bad .npy header", why);
  };
  refuse("", "'{' was expected");
  refuse("{'descr': '<i4', 'fortran_order': False}", "are needed");
  refuse("{'descr': '<i4', 'descr': '<i4'}", "repeated key");
  refuse("{'descr': '<i4', 'other': 1}", "unknown");
  refuse("{'descr': '<i4' 'shape': ()}", "comma");
  refuse("{'descr': '<i4', 'fortran_order': 0, 'shape': ()}", "True or False");
  refuse("{'descr': '<i4', 'fortran_order': False, 'shape': (1)}", "a comma was expected");
  refuse("{'descr': '<i4', 'fortran_order': False, 'shape': (-1,)}", "a length was expected");
  refuse("{'descr': '<i4', 'fortran_order': False, 'shape': (1,)} x", "text follows");
  refuse("{'descr': '<i4", "does not end");
}

TEST(Npy, RefusesAPickledArray) {
  const std::string file = from_hex(kNpyObject);
  expect_user_error([&] { parse(file); }, "is a Python pickle, which gir does not load [save it with");
  const auto pickle = npy_pickle(file, "a.npy");
  ASSERT_TRUE(pickle);
  EXPECT_EQ(pickle->back(), '.');
}

TEST(Npy, RefusesTypesThatAreNeitherNumbersNorStrings) {
  for (const char* type : {"<c8", "<M8[ns]", "|V8", "<f16", "<i3", "<i0", "<U0", "", "<", "<i", "<i4x", "<U-1"}) {
    expect_user_error([&] { parse(npy_file(type, "()", "12345678")); }, "has items of type", type);
  }
  expect_user_error([] { parse(npy_with_dict("{'descr': [('x', '<i4')], 'shape': ()}", "1234")); }, "several fields");
}

TEST(Npy, NamesTheItemThatDoesNotFit) {
  const auto wide = parse(npy_file("<i8", "(2, 2)", raw<std::int64_t>({1, 2, 3000000000, 4})));
  expect_user_error([&] { wide.to<std::int32_t>(); },
                    "a.npy: item [1, 0] is 3000000000, which does not fit in 32 bits");
  const auto unsigned_wide = parse(npy_file("<u8", "(1,)", raw<std::uint64_t>({~0ull})));
  expect_user_error([&] { unsigned_wide.to<std::int64_t>(); }, "item [0] is 18446744073709551615");
  const auto large = parse(npy_file("<f8", "(1,)", raw<double>({1e300})));
  expect_user_error([&] { large.to<float>(); }, "item [0] is 1e+300, which does not fit");
  expect_user_error([&] { large.to<std::int64_t>(); }, "does not fit in 64 bits");
}

TEST(Npy, FloatsBecomeIntegersOnlyWhereIntegral) {
  EXPECT_THAT(parse(npy_file("<f4", "(2,)", raw<float>({2, -7}))).to<std::int32_t>(), ElementsAre(2, -7));
  const auto broken = parse(npy_file("<f8", "(2,)", raw<double>({2, 2.5})));
  expect_user_error([&] { broken.to<std::int64_t>(); }, "item [1] is 2.5, a whole number was expected");
  const auto missing = parse(npy_file("<f4", "(1,)", raw<float>({NAN})));
  expect_user_error([&] { missing.to<std::int32_t>(); }, "item [0] is nan, a whole number was expected");
  const auto endless = parse(npy_file("<f4", "(1,)", raw<float>({INFINITY})));
  expect_user_error([&] { endless.to<std::int32_t>(); }, "item [0] is inf");
}

TEST(Npy, TheLimitsOfIntegersFit) {
  const double end = 9223372036854775808.0;
  EXPECT_THAT(parse(npy_file("<f8", "(1,)", raw<double>({-end}))).to<std::int64_t>(), ElementsAre(INT64_MIN));
  const auto beyond = parse(npy_file("<f8", "(1,)", raw<double>({end})));
  expect_user_error([&] { beyond.to<std::int64_t>(); }, "does not fit in 64 bits");
}

TEST(Npy, RefusesStringsForNumbersAndNumbersForStrings) {
  expect_user_error([] { parse(npy_file("|S2", "(1,)", "12")).to<float>(); }, "holds strings");
  expect_user_error([] { parse(npy_file("<i2", "(1,)", "12")).to_strings(); }, "holds numbers");
}

TEST(Npy, RefusesCharactersThatDoNotExist) {
  const auto array = parse(npy_file("<U1", "(2,)", raw<std::uint32_t>({65, 0x110000})));
  expect_user_error([&] { array.to_strings(); }, "item [1]", "not a Unicode character");
  const auto surrogate = parse(npy_file("<U1", "(1,)", raw<std::uint32_t>({0xD800})));
  expect_user_error([&] { surrogate.to_strings(); }, "not a Unicode character");
}

TEST(Npy, RefusesSeveralItemsForOneNumber) {
  expect_user_error([] { parse(npy_file("|u1", "(2,)", "12")).to_integer(); }, "has shape [2], a single number");
}

TEST(Npy, WritesWhatNumPyWrites) {
  const std::vector<std::int32_t> values = {1, 2, 3, 4, 5, 6};
  const std::string bytes = npy_bytes(npy_view(std::span<const std::int32_t>(values), {3, 2}));
  ASSERT_EQ(bytes.size(), 128 + 24u);
  EXPECT_EQ(bytes.substr(0, 10), std::string("\x93NUMPY\x01\x00v\x00", 10));
  EXPECT_EQ(bytes.substr(10, 60), "{'descr': '<i4', 'fortran_order': False, 'shape': (3, 2), } ");
  EXPECT_EQ(bytes[127], '\n');
  EXPECT_EQ(bytes.substr(128), raw(values));
}

TEST(Npy, ReadsWhatItWrote) {
  const TempDir folder;
  const std::vector<float> floats = {0.5f, -1, NAN};
  write_npy(folder / "f.npy", npy_view(std::span<const float>(floats), {3}));
  const auto read_floats = read_npy(folder / "f.npy").to<float>();
  EXPECT_EQ(read_floats[1], -1);
  EXPECT_TRUE(std::isnan(read_floats[2]));
  const std::vector<std::int64_t> number = {1ll << 60};
  write_npy(folder / "n.npy", npy_view(std::span<const std::int64_t>(number), {}));
  EXPECT_EQ(read_npy(folder / "n.npy").to_integer(), 1ll << 60);
  const std::vector<std::string> texts = {"", "x", "\xf0\x9f\x98\x80\xc3\xa9"};
  write_npy(folder / "t.npy", npy_strings(texts, "t").view());
  EXPECT_EQ(read_npy(folder / "t.npy").to_strings(), texts);
}

TEST(Npy, RefusesToWriteStringsThatNumPyCannotHold) {
  expect_user_error([] { npy_strings({"ok", "\xff"}, "t.npy: names"); }, "t.npy: names: string 1", "is not UTF-8");
  expect_user_error([] { npy_strings({std::string("a\0", 2)}, "t"); }, "NUL");
  expect_user_error([] { npy_strings({"\xc0\x80"}, "t"); }, "is not UTF-8");
  expect_user_error([] { npy_strings({"\xed\xa0\x80"}, "t"); }, "is not UTF-8");
}

TEST(Npy, WritesNothingOnFailure) {
  const TempDir folder;
  const std::vector<float> one = {1};
  expect_user_error([&] { write_npy(folder / "no/such/folder.npy", npy_view(std::span<const float>(one), {1})); },
                    "cannot create");
}

TEST(Npy, RandomIntegersSurviveEveryWidthThatHoldsThem) {
  Rng rng(1, "npy");
  std::vector<std::int64_t> expected;
  std::vector<std::int16_t> narrow;
  std::vector<double> floats;
  for (int i = 0; i < 200000; ++i) {
    expected.push_back(static_cast<std::int64_t>(rng.below(60000)) - 30000);
    narrow.push_back(static_cast<std::int16_t>(expected.back()));
    floats.push_back(static_cast<double>(expected.back()));
  }
  EXPECT_EQ(to_vector(parse(npy_file("<i2", "(200000,)", raw(narrow))).to<std::int64_t>()), expected);
  EXPECT_EQ(to_vector(parse(npy_file("<f8", "(200000,)", raw(floats))).to<std::int64_t>()), expected);
  floats[150000] = 0.5;
  const auto broken = parse(npy_file("<f8", "(400, 500)", raw(floats)));
  expect_user_error([&] { broken.to<std::int64_t>(); }, "item [300, 0] is 0.5");
}

TEST(Npy, DamagedFilesRaiseUserErrorsOnly) {
  const auto use = [](const std::string& bytes) {
    const NpyArray array = parse(bytes);
    if (array.holds_text()) {
      array.to_strings();
    } else {
      array.to<float>();
      array.to<std::int64_t>();
    }
  };
  attack(npy_file("<i4", "(3, 2)", raw<std::int32_t>({1, 2, 3, 4, 5, 6})), 1, 4000, use);
  attack(from_hex(kNpyFortran), 2, 4000, use);
  attack(from_hex(kNpyTexts), 3, 4000, use);
  attack(from_hex(kNpyHalf), 4, 4000, use);
}

}  // namespace
}  // namespace gir
