#include "gir/io/safetensors.h"

#include <gmock/gmock.h>

#include <fstream>
#include <functional>
#include <map>
#include <numeric>

#include "array_fixtures.h"
#include "support.h"

namespace gir {
namespace {

using namespace gir::testing;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

using Type = SafetensorsType;

/// A file with any header, valid or not.
std::string file_with(std::string_view header, std::string_view data) {
  std::string file;
  for (int i = 0; i < 8; ++i) file += static_cast<char>(header.size() >> (8 * i) & 0xFF);
  return file.append(header).append(data);
}

/// The header entry of one tensor of bytes.
std::string entry(std::string_view name, int begin, int end) {
  return fmt::format(R"("{}":{{"dtype":"U8","shape":[{}],"data_offsets":[{},{}]}})", name, end - begin, begin, end);
}

void expect_refused(std::string_view content, std::string_view why) {
  const TempDir folder;
  const auto path = folder.file("a.safetensors", content);
  expect_user_error([&] { SafetensorsFile file(path); }, path.string() + ": ", why);
}

void expect_header_refused(std::string_view header, std::string_view why) {
  expect_refused(file_with(header, "12345678"), why);
}

/// Opens a file and reads every byte of it.
std::int64_t sum_of_bytes(const std::filesystem::path& path) {
  const SafetensorsFile file(path);
  std::int64_t sum = 0;
  for (const std::string& name : file.names()) {
    const std::string_view bytes = file.find(name)->bytes;
    sum = std::accumulate(bytes.begin(), bytes.end(), sum);
  }
  return sum;
}

/// A small file with everything in it.
std::string example_file() {
  const TempDir folder;
  const std::string weight = raw<float>({1, -2.5});
  const std::string steps = raw<std::int32_t>({7});
  write_safetensors(folder / "x",
                    {{"layer.weight", {Type::kF32, {2, 1}, weight}},
                     {"steps", {Type::kI32, {}, steps}},
                     {"mask", {Type::kBool, {3}, std::string_view("\0\1\1", 3)}},
                     {"none", {Type::kI64, {0, 4}, ""}}},
                    {{"format", "pt"}});
  return read_text(folder / "x");
}

TEST(Safetensors, ReadsAHandWrittenFile) {
  const TempDir folder;
  const std::string header =
      "{\"b\":{\"dtype\":\"I32\",\"shape\":[2,1],\"data_offsets\":[4,12]},"
      "\"__metadata__\":{\"model\":\"gir-a\"},"
      "\"a\":{\"shape\":[],\"data_offsets\":[0,4],\"dtype\":\"F32\"}}   ";
  const auto path = folder.file("a", file_with(header, raw<float>({1.5f}) + raw<std::int32_t>({-1, 70000})));
  const SafetensorsFile file(path);
  EXPECT_EQ(file.path(), path);
  EXPECT_THAT(file.names(), ElementsAre("b", "a"));
  EXPECT_THAT(file.metadata(), ElementsAre(Pair("model", "gir-a")));
  ASSERT_NE(file.find("a"), nullptr);
  EXPECT_EQ(file.find("a")->type, Type::kF32);
  EXPECT_THAT(file.find("a")->shape, IsEmpty());
  EXPECT_EQ(file.find("a")->bytes, raw<float>({1.5f}));
  EXPECT_EQ(file.find("b")->type, Type::kI32);
  EXPECT_THAT(file.find("b")->shape, ElementsAre(2, 1));
  EXPECT_EQ(file.find("b")->bytes, raw<std::int32_t>({-1, 70000}));
  EXPECT_EQ(file.find("c"), nullptr);
  EXPECT_EQ(file.find("__metadata__"), nullptr);
}

TEST(Safetensors, WritesTheseBytes) {
  const TempDir folder;
  const std::string ints = raw<std::int64_t>({1, -1});
  write_safetensors(folder / "x", {{"ii", {Type::kI64, {2}, ints}}, {"u", {Type::kU8, {1, 3}, "abc"}}}, {{"k", "v"}});
  const std::string header =
      "{\"__metadata__\":{\"k\":\"v\"},"
      "\"ii\":{\"dtype\":\"I64\",\"shape\":[2],\"data_offsets\":[0,16]},"
      "\"u\":{\"dtype\":\"U8\",\"shape\":[1,3],\"data_offsets\":[16,19]}}       ";
  ASSERT_EQ(header.size(), 144u);
  EXPECT_EQ(read_text(folder / "x"), std::string("\x90\0\0\0\0\0\0\0", 8) + header +
                                         std::string("\1\0\0\0\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff", 16) + "abc");
}

TEST(Safetensors, ReadsBackWhatWasWritten) {
  const TempDir folder;
  const std::vector<double> values = {0.1, -3, 1e300, 5, 6, 7};
  const std::string doubles = raw(values);
  const std::map<std::string, std::string> metadata = {
      {"", "empty"}, {"line\nbreak", "\"quoted\\\""}, {"nul", std::string("\0x", 2)}, {"utf-8", "Gr\xc3\xbc\xc3\x9f"}};
  write_safetensors(folder / "x",
                    {{"z", {Type::kF64, {3, 2}, doubles}},
                     {"a \"name\"\n", {Type::kF32, {1}, "1234"}},
                     {"", {Type::kU8, {5}, "12345"}},
                     {"empty", {Type::kI32, {7, 0}, ""}},
                     {"half", {Type::kBF16, {}, "12"}}},
                    metadata);
  const SafetensorsFile file(folder / "x");
  EXPECT_THAT(file.names(), ElementsAre("z", "a \"name\"\n", "", "empty", "half"));
  EXPECT_EQ(file.metadata(), metadata);
  EXPECT_EQ(file.find("z")->bytes, doubles);
  EXPECT_THAT(file.find("z")->shape, ElementsAre(3, 2));
  EXPECT_EQ(file.find("a \"name\"\n")->bytes, "1234");
  EXPECT_EQ(file.find("")->bytes, "12345");
  EXPECT_THAT(file.find("empty")->shape, ElementsAre(7, 0));
  EXPECT_EQ(file.find("half")->type, Type::kBF16);
}

TEST(Safetensors, ReadsBackWhatWasWrittenForRandomTensors) {
  const TempDir folder;
  const auto names = safetensors_type_names();
  for (std::uint64_t round = 0; round < 100; ++round) {
    Rng rng(round, "safetensors");
    std::vector<std::string> contents(rng.below(6));
    std::vector<SafetensorsMember> members;
    for (std::string& content : contents) {
      const Type type = *find_safetensors_type(names[rng.below(names.size())]);
      // Eight items or a multiple of that fill whole bytes whatever the type.
      std::vector<std::int64_t> shape = {8};
      for (auto left = rng.below(3); left > 0; --left) shape.push_back(static_cast<std::int64_t>(rng.below(4)));
      const std::int64_t items = std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
      content.resize(static_cast<std::size_t>(items * safetensors_item_bits(type) / 8));
      for (char& c : content) c = static_cast<char>(rng.below(256));
      members.push_back({fmt::format("tensor {}", members.size()), {type, shape, content}});
    }
    write_safetensors(folder / "x", members);
    const SafetensorsFile file(folder / "x");
    ASSERT_EQ(file.names().size(), members.size());
    for (const auto& [name, tensor] : members) {
      EXPECT_EQ(file.find(name)->type, tensor.type);
      EXPECT_EQ(file.find(name)->shape, tensor.shape);
      EXPECT_EQ(file.find(name)->bytes, tensor.bytes);
    }
  }
}

TEST(Safetensors, DataBeginsAtAMultipleOfEightBytes) {
  const TempDir folder;
  for (std::size_t length = 0; length < 20; ++length) {
    write_safetensors(folder / "x", {{std::string(length, 'n'), {Type::kU8, {5}, "12345"}}});
    EXPECT_EQ((read_text(folder / "x").size() - 5) % 8, 0u);
  }
}

TEST(Safetensors, AFileMayHoldNoTensor) {
  const TempDir folder;
  write_safetensors(folder / "x", {});
  EXPECT_EQ(read_text(folder / "x"), std::string("\x08\0\0\0\0\0\0\0{}      ", 16));
  const SafetensorsFile file(folder / "x");
  EXPECT_THAT(file.names(), IsEmpty());
  EXPECT_THAT(file.metadata(), IsEmpty());
}

TEST(Safetensors, TensorsMayHaveAnotherOrderThanTheirNames) {
  const TempDir folder;
  const auto path = folder.file(
      "x", file_with("{" + entry("b", 3, 5) + "," + entry("none", 3, 3) + "," + entry("a", 0, 3) + "}", "12345"));
  const SafetensorsFile file(path);
  EXPECT_EQ(file.find("a")->bytes, "123");
  EXPECT_EQ(file.find("b")->bytes, "45");
  EXPECT_EQ(file.find("none")->bytes, "");
}

TEST(Safetensors, AFileCanBeMoved) {
  const TempDir folder;
  SafetensorsFile first(folder.file("x", example_file()));
  const SafetensorsFile second = std::move(first);
  EXPECT_EQ(second.find("steps")->bytes, raw<std::int32_t>({7}));
}

TEST(Safetensors, EveryTypeIsKnownByItsName) {
  const auto names = safetensors_type_names();
  EXPECT_EQ(names.size(), 22u);
  for (const std::string& name : names) EXPECT_EQ(safetensors_type_name(find_safetensors_type(name).value()), name);
  EXPECT_EQ(find_safetensors_type("f32"), std::nullopt);
  EXPECT_EQ(safetensors_item_bits(Type::kF32), 32);
  EXPECT_EQ(safetensors_item_bits(Type::kBool), 8);
  EXPECT_EQ(safetensors_item_bits(Type::kF4), 4);
}

TEST(Safetensors, ItemsOfFourBitsMustFillWholeBytes) {
  const TempDir folder;
  const auto path = folder.file("x", file_with(R"({"a":{"dtype":"F4","shape":[3,2],"data_offsets":[0,3]}})", "123"));
  EXPECT_EQ(SafetensorsFile(path).find("a")->bytes, "123");
  expect_refused(file_with(R"({"a":{"dtype":"F4","shape":[3],"data_offsets":[0,2]}})", "12"), "impossible shape [3]");
}

TEST(Safetensors, AHeaderWhoseLengthLooksLikeAPickleIsRead) {
  const TempDir folder;
  std::string header = "{" + entry("a", 0, 1) + "}";
  header.resize(0x0280, ' ');
  EXPECT_EQ(SafetensorsFile(folder.file("x", file_with(header, "1"))).find("a")->bytes, "1");
}

TEST(Safetensors, NamesTheFormatOfOtherFiles) {
  expect_refused("", "is empty");
  expect_refused(std::string("PK\x03\x04\x14\0\0\0\x08\0 something", 20), "is a zip archive");
  expect_refused(std::string("\x80\x02}q\0(X\x06\0\0\0weight", 18), "is a Python pickle");
  expect_refused("\x80\x04]", "is a Python pickle");
  expect_refused("short", "is not a safetensors file");
  expect_refused("{\"weights\": [1, 2, 3]} and more text", "but 28 follow");
  expect_refused(std::string(64, '\0'), "is not a safetensors file");
}

TEST(Safetensors, RefusesHeadersOfImpossibleLength) {
  expect_refused(std::string(8, '\xff') + "{}", "claims a header of 18446744073709551615 bytes, but 2 follow");
  expect_refused(std::string("\x03\0\0\0\0\0\0\0{}", 10), "claims a header of 3 bytes, but 2 follow");
}

TEST(Safetensors, RefusesACompleteHeaderThatIsTooLong) {
  const TempDir folder;
  const auto path = folder.file("x", std::string("\x01\xe1\xf5\x05\0\0\0\0{}", 10));
  std::filesystem::resize_file(path, 100'000'100);  // a hole in the file, which takes no space
  expect_user_error([&] { SafetensorsFile file(path); },
                    "claims a header of 100000001 bytes, at most 100000000 are allowed");
}

TEST(Safetensors, RefusesHeadersThatAreNotJson) {
  expect_header_refused("[1, 2]", "no header begins at byte 8");
  expect_header_refused("{", "not valid JSON at its byte 2");
  expect_header_refused("{} x", "not valid JSON at its byte 4");
  expect_header_refused("{'a': 1}", "not valid JSON at its byte 2");
  expect_header_refused("{\"a\xff\": 1}", "not valid JSON");
  expect_header_refused("{" + entry("a", 0, 8) + ",}", "not valid JSON");
  expect_header_refused("{" + entry("a", 0, 8) + "}" + std::string(3, '\0'), "not valid JSON");
}

TEST(Safetensors, RefusesEntriesOfTheWrongForm) {
  expect_header_refused(R"({"a": 1})", "entry \"a\" is not an object");
  expect_header_refused(R"({"a": [1]})", "entry \"a\" is not an object");
  expect_header_refused(R"({"a": "x"})", "entry \"a\" is not an object");
  expect_header_refused(R"({"a": null})", "entry \"a\" is not an object");
  expect_header_refused(R"({"__metadata__": true})", "entry \"__metadata__\" is not an object");
  expect_header_refused(R"({"__metadata__": {"k": 1}})", "metadata \"k\" is not a string");
  expect_header_refused(R"({"__metadata__": {"k": ["v"]}})", "metadata \"k\" is not a string");
  expect_header_refused(R"({"__metadata__": {"k": {}}})", "metadata \"k\" is not a string");
  expect_header_refused(R"({"a":{}})", "does not have all of dtype, shape and data_offsets");
  expect_header_refused(R"({"a":{"dtype":"U8","shape":[8]}})", "tensor \"a\" does not have all of");
  expect_header_refused(R"({"a":{"dtype":"U8","size":[8]}})", "unknown property \"size\" [known: dtype");
}

TEST(Safetensors, RefusesPropertiesOfTheWrongForm) {
  const auto refuse = [](std::string_view property, std::string_view why) {
    expect_header_refused(fmt::format(R"({{"a":{{{}}}}})", property), why);
  };
  refuse(R"("dtype":1)", "tensor \"a\" has a value of dtype that is not a string");
  refuse(R"("dtype":["U8"])", "tensor \"a\" has a value of dtype that is not a string");
  refuse(R"("shape":8)", "tensor \"a\" has a value of shape that is not a list of whole numbers");
  refuse(R"("shape":"8")", "tensor \"a\" has a value of shape that is not a list of whole numbers");
  refuse(R"("shape":["8"])", "tensor \"a\" has a value of shape that is not a list of whole numbers");
  refuse(R"("shape":[[8]])", "tensor \"a\" has a value of shape that is not a list of whole numbers");
  refuse(R"("shape":[{}])", "tensor \"a\" has a value of shape that is not a list of whole numbers");
  refuse(R"("shape":[-8])", "tensor \"a\" has a value of shape that is not a list of whole numbers");
  refuse(R"("shape":[8.0])", "tensor \"a\" has a value of shape that is not a list of whole numbers");
  refuse(R"("shape":[true])", "tensor \"a\" has a value of shape that is not a list of whole numbers");
  refuse(R"("shape":[9223372036854775808])", "tensor \"a\" has a value of shape that is not a list of whole numbers");
  refuse(R"("shape":[99999999999999999999])", "tensor \"a\" has a value of shape that is not a list of whole numbers");
  refuse(R"("data_offsets":[0])", "has 1 data_offsets");
  refuse(R"("data_offsets":[0,4,8])", "has 3 data_offsets");
  refuse(R"("data_offsets":{"begin":0})", "tensor \"a\" has a value of data_offsets that is not a list");
}

TEST(Safetensors, UnknownTypesListTheNearestFirst) {
  expect_header_refused(R"({"a":{"dtype":"F33"}})", "unknown type \"F33\" [known: F32");
}

TEST(Safetensors, RefusesRepeatedNames) {
  expect_header_refused("{" + entry("a", 0, 4) + "," + entry("a", 4, 8) + "}", "the header has \"a\" twice");
  expect_header_refused("{" + entry("a", 0, 4) + "," + entry("\\u0061", 4, 8) + "}", "the header has \"a\" twice");
  expect_header_refused(R"({"__metadata__":{},"__metadata__":{}})", "has \"__metadata__\" twice");
  expect_header_refused(R"({"__metadata__":{"k":"1","k":"2"}})", "\"__metadata__\" has \"k\" twice");
  expect_header_refused(R"({"a":{"dtype":"U8","dtype":"U8"}})", "\"a\" has \"dtype\" twice");
}

TEST(Safetensors, RefusesOffsetsThatOverlap) {
  expect_header_refused("{" + entry("a", 0, 5) + "," + entry("b", 4, 8) + "}",
                        "tensor \"b\" begins at byte 4 of the data, but those before it end at 5");
  expect_header_refused("{" + entry("a", 0, 8) + "," + entry("b", 0, 8) + "}", "begins at byte 0");
  expect_header_refused("{" + entry("a", 0, 8) + "," + entry("none", 5, 5) + "}", "\"none\" begins at byte 5");
}

TEST(Safetensors, RefusesGapsBetweenTensors) {
  expect_header_refused("{" + entry("a", 0, 3) + "," + entry("b", 4, 8) + "}",
                        "tensor \"b\" begins at byte 4 of the data, but those before it end at 3");
  expect_header_refused("{" + entry("a", 1, 8) + "}", "tensor \"a\" begins at byte 1");
}

TEST(Safetensors, RefusesOffsetsOutsideTheFile) {
  expect_header_refused("{" + entry("a", 0, 9) + "}", "tensor \"a\" ends at byte 9 of the data, which have 8");
  expect_header_refused(R"({"a":{"dtype":"U8","shape":[9223372036854775800],"data_offsets":[0,9223372036854775800]}})",
                        "impossible shape");
  expect_header_refused(R"({"a":{"dtype":"U8","shape":[8],"data_offsets":[8,0]}})", "before it begins");
}

TEST(Safetensors, RefusesBytesAfterTheLastTensor) {
  expect_header_refused("{" + entry("a", 0, 6) + "}", "has 2 bytes after the last tensor");
  expect_header_refused("{}", "has 8 bytes after the last tensor");
}

TEST(Safetensors, RefusesShapesThatDoNotMatchTheOffsets) {
  expect_header_refused(R"({"a":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}})",
                        "shape [3] of F32 takes 12 bytes, but its offsets hold 8");
  expect_header_refused(R"({"a":{"dtype":"F64","shape":[2,0],"data_offsets":[0,8]}})", "takes 0 bytes");
  expect_header_refused(R"({"a":{"dtype":"F64","shape":[],"data_offsets":[0,0]}})", "takes 8 bytes");
}

TEST(Safetensors, RefusesShapesWhoseSizeOverflows) {
  for (const char* shape : {"4294967296,4294967296", "2305843009213693952", "4294967296,4294967296,4294967296"}) {
    expect_header_refused(fmt::format(R"({{"a":{{"dtype":"U8","shape":[{}],"data_offsets":[0,0]}}}})", shape),
                          "claims the impossible shape");
  }
}

TEST(Safetensors, DeeplyNestedHeadersAreRefusedAtTheirFirstLevels) {
  expect_header_refused("{\"a\":" + std::string(1000000, '['), "entry \"a\" is not an object");
}

TEST(Safetensors, RefusesEveryTruncation) {
  const TempDir folder;
  const std::string good = example_file();
  for (std::size_t size = 0; size < good.size(); ++size) {
    const auto path = folder.file("cut", good.substr(0, size));
    expect_user_error([&] { sum_of_bytes(path); }, path.string() + ": ");
  }
}

TEST(Safetensors, AnyChangeOfOneByteIsReadOrRefused) {
  const TempDir folder;
  const std::string good = example_file();
  const auto path = folder.file("changed", good);
  std::fstream stream(path, std::ios::binary | std::ios::in | std::ios::out);
  const auto put = [&](std::size_t place, char byte) {
    stream.seekp(static_cast<std::streamoff>(place)).put(byte).flush();
  };
  for (std::size_t place = 0; place < good.size(); ++place) {
    for (int byte = 0; byte < 256; ++byte) {
      put(place, static_cast<char>(byte));
      expect_success_or_user_error([&] { sum_of_bytes(path); }, fmt::format("{}={:02x}", place, byte));
    }
    put(place, good[place]);
  }
  EXPECT_EQ(read_text(path), good);
}

TEST(Safetensors, ManyChangesAreReadOrRefused) {
  const TempDir folder;
  attack(example_file(), 5, 3000, [&](const std::string& damaged) { sum_of_bytes(folder.file("x", damaged)); });
}

TEST(Safetensors, WritingRefusesStringsThatAreNotUtf8) {
  const TempDir folder;
  expect_user_error(
      [&] {
        write_safetensors(folder / "x", {{"a\xff", {Type::kU8, {1}, "1"}}});
      },
      (folder / "x").string() + ": ", "not UTF-8");
  expect_user_error([&] { write_safetensors(folder / "x", {}, {{"k", "\xc3"}}); }, "not UTF-8");
  EXPECT_FALSE(std::filesystem::exists(folder / "x"));
}

TEST(Safetensors, WritingInconsistentTensorsIsAnInternalError) {
  const TempDir folder;
  const SafetensorsView byte{Type::kU8, {1}, "1"};
  EXPECT_THROW(write_safetensors(folder / "x", {{"a", byte}, {"a", byte}}), InternalError);
  EXPECT_THROW(write_safetensors(folder / "x", {{"__metadata__", byte}}), InternalError);
  EXPECT_THROW(write_safetensors(folder / "x", {{"a", {Type::kF32, {1}, "123"}}}), InternalError);
  EXPECT_THROW(write_safetensors(folder / "x", {{"a", {Type::kU8, {-1}, ""}}}), InternalError);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Safetensors, KeepsTheOldFileWhenWritingFails) {
  const TempDir folder;
  const auto path = folder.file("x", "old");
  expect_user_error([&] { write_safetensors(path, {}, {{"k", "\xff"}}); }, "not UTF-8");
  EXPECT_EQ(read_text(path), "old");
  expect_user_error([&] { write_safetensors(folder / "missing/x", {}); }, "cannot create");
}

}  // namespace
}  // namespace gir
