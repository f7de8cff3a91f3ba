#include "gir/io/zip.h"

#include <gmock/gmock.h>

#include "array_fixtures.h"
#include "support.h"
#include "zip_fixtures.h"

namespace gir {
namespace {

using namespace gir::testing;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::string read_member(const ZipArchive& archive, std::string_view name) {
  const Array<char> bytes = archive.read(name, name);
  return {bytes.begin(), bytes.end()};
}

/// An archive of one deflated member "m" whose directory claims another size.
std::string deflated_with_size(const TempDir& folder, std::string_view content, std::uint32_t claimed) {
  write_zip(folder / "a.zip", {{.name = "m", .parts = {content}}});
  std::string bytes = read_text(folder / "a.zip");
  const std::size_t entry = bytes.rfind("PK\x01\x02");
  std::string number;
  put(number, claimed);
  return bytes.replace(entry + 24, number.size(), number);
}

TEST(Zip, ReadsWhatItWrote) {
  const TempDir folder;
  const std::string zeros(3000000, '\0');
  write_zip(folder / "a.zip", {{.name = "a/\u00fc.txt", .parts = {"one ", "", "two"}},
                               {.name = "zeros", .parts = {zeros}},
                               {.name = "empty", .parts = {}}});
  EXPECT_LT(std::filesystem::file_size(folder / "a.zip"), 5000u);
  const ZipArchive archive(folder / "a.zip");
  EXPECT_THAT(archive.names(), ElementsAre("a/\u00fc.txt", "zeros", "empty"));
  EXPECT_EQ(read_member(archive, "a/\u00fc.txt"), "one two");
  EXPECT_EQ(read_member(archive, "zeros"), zeros);
  EXPECT_EQ(read_member(archive, "empty"), "");
}

TEST(Zip, AcceptsAnArchiveWithoutMembers) {
  const TempDir folder;
  write_zip(folder / "a.zip", {});
  EXPECT_THAT(ZipArchive(folder / "a.zip").names(), IsEmpty());
}

TEST(Zip, HoldsMoreMembersThanFitInSixteenBits) {
  const TempDir folder;
  std::vector<ZipEntry> members;
  for (int i = 0; i < 70000; ++i) members.push_back({.name = fmt::format("m{}", i), .parts = {}});
  members.push_back({.name = "last", .parts = {"the end"}});
  write_zip(folder / "a.zip", members);
  const ZipArchive archive(folder / "a.zip");
  EXPECT_EQ(archive.names().size(), members.size());
  EXPECT_EQ(read_member(archive, "last"), "the end");
}

TEST(Zip, ACommentMayFollowTheDirectory) {
  const TempDir folder;
  std::string bytes = zip_bytes({{"m", "content"}});
  const std::string comment = "PK\x05\x06 is how an end begins, and here is one more line of at least 22 bytes";
  bytes.resize(bytes.size() - 2);
  put(bytes, static_cast<std::uint16_t>(comment.size()));
  EXPECT_EQ(read_member(ZipArchive(folder.file("a.zip", bytes + comment)), "m"), "content");
}

TEST(Zip, RefusesDeflatedMembersOfAnotherSize) {
  const TempDir folder;
  const auto read = [&](std::uint32_t claimed) {
    const std::string bytes = deflated_with_size(folder, "twelve bytes", claimed);
    return read_member(ZipArchive(folder.file("b.zip", bytes)), "m");
  };
  EXPECT_EQ(read(12), "twelve bytes");
  expect_user_error([&] { read(11); }, "b.zip: m: is longer than the 11 bytes it claims");
  expect_user_error([&] { read(13); }, "b.zip: m: ends after 12 of 13 bytes", "[get the whole file]");
}

TEST(Zip, RefusesATruncatedArchive) {
  const TempDir folder;
  const std::string good = zip_bytes({{"m", "content"}, {"n", "more content"}});
  for (std::size_t size = 0; size < good.size(); ++size) {
    expect_user_error([&] { ZipArchive(folder.file("a.zip", good.substr(0, size))); },
                      "a.zip: cannot open as a zip archive", "[get the whole file]");
  }
  // Missing bytes at the front shift everything that the directory points to.
  expect_user_error([&] { ZipArchive(folder.file("a.zip", good.substr(10))); }, "its directory");
}

TEST(Zip, DamagedArchivesRaiseUserErrorsOnly) {
  const TempDir folder;
  write_zip(folder / "good.zip", {{.name = "a", .parts = {"some text, some text, some text"}},
                                  {.name = "b", .parts = {std::string_view("\0\1\2", 3)}}});
  attack(read_text(folder / "good.zip"), 7, 500, [&](const std::string& bytes) {
    const ZipArchive archive(folder.file("a.zip", bytes));
    for (const std::string& name : archive.names()) archive.read(name, name);
  });
}

}  // namespace
}  // namespace gir
