#include "gir/io/gzip.h"

#include <gtest/gtest.h>

#include <string>

#include "gir/core/random.h"
#include "support.h"

namespace gir {
namespace {

using testing::expect_user_error;
using testing::TempDir;

std::string content_of(const std::string& compressed) {
  const Array<char> content = gunzip(compressed, std::filesystem::path("data.gz"));
  return {content.begin(), content.end()};
}

std::string sample_text(std::int64_t lines) {
  std::string text;
  for (std::int64_t i = 0; i < lines; ++i) text += fmt::format("{} {}\n", i, i * i % 1013);
  return text;
}

TEST(Gzip, RecognisesAGzipFileByItsFirstBytes) {
  EXPECT_TRUE(is_gzip(gzip("")));
  EXPECT_TRUE(is_gzip("\x1f\x8b"));
  EXPECT_FALSE(is_gzip("\x1f"));
  EXPECT_FALSE(is_gzip("0 1\n"));
  EXPECT_FALSE(is_gzip(""));
}

TEST(Gzip, ReadsBytesThatTheGzipProgramWrote) {
  // printf 'hi\n' | gzip -n
  const std::string bytes(
      "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xcb\xc8\xe4\x02\x00\x7a\x7a\x6f\xed\x03\x00\x00\x00", 23);
  EXPECT_EQ(content_of(bytes), "hi\n");
}

TEST(Gzip, DecompressesWhatWasCompressed) {
  for (const std::int64_t lines : {0, 1, 10, 100000}) {
    const std::string text = sample_text(lines);
    EXPECT_EQ(content_of(gzip(text)), text);
  }
}

TEST(Gzip, CompressesEqualContentToEqualBytes) { EXPECT_EQ(gzip("graph"), gzip("graph")); }

TEST(Gzip, ConcatenatesAllMembersOfAFile) {
  EXPECT_EQ(content_of(gzip("one ") + gzip("") + gzip("two ") + gzip(sample_text(50000))),
            "one two " + sample_text(50000));
}

TEST(Gzip, IgnoresZeroBytesAtTheEnd) { EXPECT_EQ(content_of(gzip("text") + std::string(512, '\0')), "text"); }

TEST(Gzip, RefusesOtherBytesAtTheEnd) {
  expect_user_error([] { content_of(gzip("text") + "rubbish"); }, "data.gz: ", "not gzip data", "[");
}

TEST(Gzip, RefusesAFileThatIsNotGzip) {
  expect_user_error([] { content_of("0 1\n"); }, "data.gz: ", "is not a gzip file");
}

TEST(Gzip, NamesATruncatedFile) {
  const std::string whole = gzip(sample_text(2000));
  for (std::size_t size = 2; size < whole.size(); size += 97) {
    expect_user_error([&] { content_of(whole.substr(0, size)); }, "data.gz: ", "end too early", "[get the file again]");
  }
  expect_user_error([&] { content_of(whole.substr(0, whole.size() - 1)); }, "end too early");
}

TEST(Gzip, NamesACorruptFile) {
  std::string bytes = gzip(sample_text(2000));
  bytes[bytes.size() - 6] ^= 1;  // the checksum
  expect_user_error([&] { content_of(bytes); }, "data.gz: ", "corrupt", "incorrect data check");
}

TEST(Gzip, StopsADecompressionBombAtTheLimit) {
  const std::string bomb = gzip(std::string(10'000'000, '\0'));
  const std::filesystem::path path("bomb.gz");
  expect_user_error([&] { gunzip(bomb, path, 1'000'000); }, "bomb.gz: ", "976.6 KiB", "memory");
  EXPECT_EQ(gunzip(bomb, path, 10'000'000).size(), 10'000'000);
}

TEST(Gzip, DoesNotTrustTheSizeThatAFileClaims) {
  std::string bytes = gzip("text");
  bytes[bytes.size() - 1] = '\x7f';
  expect_user_error([&] { content_of(bytes); }, "corrupt", "length");
}

TEST(Gzip, EndsInUserErrorOrSuccessWhateverBitIsFlipped) {
  const std::string whole = gzip(sample_text(300));
  Rng rng(1, "flip gzip bits");
  for (int trial = 0; trial < 2000; ++trial) {
    std::string bytes = whole.substr(0, trial % 4 == 0 ? rng.below(whole.size()) : whole.size());
    if (!bytes.empty()) bytes[rng.below(bytes.size())] ^= static_cast<char>(1 << rng.below(8));
    try {
      content_of(bytes);
    } catch (const UserError&) {
    }
  }
}

TEST(TextFile, HoldsAPlainFileUnchanged) {
  const TempDir dir;
  EXPECT_EQ(TextFile(dir.file("a.txt", "0 1\n")).text(), "0 1\n");
  EXPECT_EQ(TextFile(dir.file("empty.txt", "")).text(), "");
}

TEST(TextFile, DecompressesRegardlessOfTheName) {
  const TempDir dir;
  EXPECT_EQ(TextFile(dir.file("a.txt", gzip("0 1\n"))).text(), "0 1\n");
  EXPECT_EQ(TextFile(dir.file("plain.gz", "0 1\n")).text(), "0 1\n");
}

TEST(TextFile, DropsAByteOrderMark) {
  const TempDir dir;
  EXPECT_EQ(TextFile(dir.file("a.txt",
                              "\xEF\xBB\xBF"
                              "0 1\n"))
                .text(),
            "0 1\n");
  EXPECT_EQ(TextFile(dir.file("b.txt", gzip("\xEF\xBB\xBF"
                                            "0 1\n")))
                .text(),
            "0 1\n");
}

TEST(TextFile, NamesAMissingFile) {
  expect_user_error([] { TextFile("/nowhere/a.txt"); }, "/nowhere/a.txt: ", "cannot open");
}

TEST(TextFileWriter, WritesPlainAndCompressedByName) {
  const TempDir dir;
  const std::string text = sample_text(200000);
  for (const char* name : {"a.txt", "a.txt.gz"}) {
    TextFileWriter writer(dir / name);
    writer.line("# {} lines", 200000);
    writer.write(text);
    writer.commit();
    EXPECT_EQ(TextFile(dir / name).text(), "# 200000 lines\n" + text);
  }
  EXPECT_FALSE(is_gzip(testing::read_text(dir / "a.txt")));
  EXPECT_TRUE(is_gzip(testing::read_text(dir / "a.txt.gz")));
}

TEST(TextFileWriter, LeavesNothingBehindWithoutCommit) {
  const TempDir dir;
  { TextFileWriter(dir / "a.txt.gz").write("half"); }
  EXPECT_TRUE(std::filesystem::is_empty(dir.path()));
}

}  // namespace
}  // namespace gir
