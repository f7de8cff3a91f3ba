#include "gir/core/hash.h"

#include <set>
#include <vector>

#include "gir/core/parallel.h"
#include "support.h"

namespace gir {
namespace {

std::string sha256(std::string_view text) {
  Sha256 hash;
  hash.add(text.data(), text.size());
  return hash.hex();
}

TEST(Sha256, GivesThePublishedDigests) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256(std::string(1000000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, DoesNotDependOnHowBytesAreSplit) {
  Sha256 hash;
  hash.add("a", 1);
  hash.add("bc", 2);
  EXPECT_EQ(hash.hex(), sha256("abc"));
}

TEST(Sha256, ReadsAFile) {
  const testing::TempDir directory;
  EXPECT_EQ(sha256_file(directory.file("abc", "abc")), sha256("abc"));
}

TEST(Sha256, AgreesWithTheListOfDataFiles) {
  GIR_NEEDS_DATA();
  const auto file = *testing::data_directory() / "europe/europe-airports.edgelist";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "skipped: no europe graph [put it into the data directory]";
  EXPECT_EQ(sha256_file(file), "bd202178d0d1253c15bd3c9a22cc2a25f630244bbef9060bc30adbf0a5e130f6");
}

std::string fingerprint(std::string_view name, const std::vector<int>& values) {
  return Fingerprint().add(name, std::span<const int>(values)).hex();
}

TEST(Fingerprint, HasThirtyTwoHexadecimalDigits) {
  const std::string print = fingerprint("x", {1, 2});
  EXPECT_EQ(print.size(), 32u);
  EXPECT_EQ(print.find_first_not_of("0123456789abcdef"), std::string::npos) << print;
}

TEST(Fingerprint, IsEqualForEqualContent) { EXPECT_EQ(fingerprint("x", {1, 2}), fingerprint("x", {1, 2})); }

TEST(Fingerprint, DiffersForDifferentContent) {
  std::set<std::string> prints = {fingerprint("x", {1, 2}), fingerprint("x", {2, 1}), fingerprint("y", {1, 2}),
                                  fingerprint("x", {1}),    fingerprint("x", {}),     fingerprint("", {})};
  prints.insert(Fingerprint().add("x", 1).add("x", 2).hex());
  prints.insert(Fingerprint().add("x", std::string_view("12")).hex());
  EXPECT_EQ(prints.size(), 8u);
}

TEST(Fingerprint, DependsOnTheArrayAValueBelongsTo) {
  const std::vector<int> one = {1};
  const std::vector<int> two = {1, 1};
  const std::string first = Fingerprint().add<int>("a", one).add<int>("b", two).hex();
  const std::string second = Fingerprint().add<int>("a", two).add<int>("b", one).hex();
  EXPECT_NE(first, second);
}

TEST(Fingerprint, IsTheSameOnAnyNumberOfThreads) {
  std::vector<int> values(1 << 20);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int>(i);
  const ThreadScope one(1);
  const std::string serial = fingerprint("x", values);
  {
    const ThreadScope four(4);
    EXPECT_EQ(fingerprint("x", values), serial);
  }
  values.back() ^= 1;
  EXPECT_NE(fingerprint("x", values), serial);
}

}  // namespace
}  // namespace gir
