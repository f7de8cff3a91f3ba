#include "gir/core/file.h"

#include <iterator>

#include "support.h"

namespace gir {
namespace {

using testing::expect_user_error;
using testing::read_text;
using testing::TempDir;

std::ptrdiff_t entries_in(const TempDir& directory) {
  return std::distance(std::filesystem::directory_iterator(directory.path()), std::filesystem::directory_iterator());
}

TEST(MappedFile, HoldsTheBytesOfAFile) {
  const TempDir directory;
  const std::string bytes("a\0b\n", 4);
  EXPECT_EQ(MappedFile(directory.file("data", bytes)).text(), bytes);
}

TEST(MappedFile, ReadsAnEmptyFile) {
  const TempDir directory;
  EXPECT_EQ(MappedFile(directory.file("empty", "")).text(), "");
}

TEST(MappedFile, RefusesAMissingFile) {
  const TempDir directory;
  expect_user_error([&] { MappedFile(directory / "missing.txt"); }, "missing.txt", "No such file");
}

TEST(MappedFile, RefusesADirectory) {
  const TempDir directory;
  expect_user_error([&] { MappedFile(directory.path()); }, directory.path().string(), "directory");
}

TEST(MappedFile, RefusesWhatIsNotARegularFile) {
  expect_user_error([] { MappedFile("/dev/null"); }, "/dev/null", "not a regular file");
}

TEST(AtomicFile, AppearsOnlyWhenCommitted) {
  const TempDir directory;
  AtomicFile file(directory / "out");
  file.write("new ");
  file.write("text");
  EXPECT_FALSE(std::filesystem::exists(directory / "out"));
  file.commit();
  EXPECT_EQ(read_text(directory / "out"), "new text");
}

TEST(AtomicFile, ReplacesTheOldFile) {
  const TempDir directory;
  const auto path = directory.file("out", "old and much longer");
  write_file(path, "new");
  EXPECT_EQ(read_text(path), "new");
}

TEST(AtomicFile, KeepsTheOldFileWhenNotCommitted) {
  const TempDir directory;
  const auto path = directory.file("out", "old");
  AtomicFile(path).write("half of the n");
  EXPECT_EQ(read_text(path), "old");
}

TEST(AtomicFile, LeavesNoTemporaryFileWhenCommitted) {
  const TempDir directory;
  write_file(directory / "out", "new");
  EXPECT_EQ(entries_in(directory), 1);
}

TEST(AtomicFile, LeavesNoTemporaryFileWhenNotCommitted) {
  const TempDir directory;
  {
    AtomicFile file(directory / "out");
    file.write("x");
    EXPECT_EQ(entries_in(directory), 1);
  }
  EXPECT_EQ(entries_in(directory), 0);
}

TEST(AtomicFile, CommitsWhatALibraryWroteToItsTemporaryPath) {
  const TempDir directory;
  AtomicFile file(directory / "out");
  std::ofstream(file.temporary_path()) << "from elsewhere";
  file.commit();
  EXPECT_EQ(read_text(directory / "out"), "from elsewhere");
}

TEST(AtomicFile, RefusesAMissingFolder) {
  const TempDir directory;
  expect_user_error([&] { AtomicFile(directory / "no/such/out"); }, "no/such/out", "No such file or directory");
  EXPECT_EQ(entries_in(directory), 0);
}

TEST(AtomicFile, RefusesADirectory) {
  const TempDir directory;
  expect_user_error([&] { AtomicFile(directory.path()); }, directory.path().string(), "directory");
}

TEST(AtomicFile, RemovesTheTemporaryFileWhenAFolderAppearsAtThePathBeforeCommit) {
  const TempDir directory;
  {
    AtomicFile file(directory / "out");
    file.write("x");
    directory.file("out/inside", "y");
    expect_user_error([&] { file.commit(); }, "out", "cannot write");
  }
  EXPECT_EQ(read_text(directory / "out/inside"), "y");
  EXPECT_EQ(entries_in(directory), 1);
}

TEST(MemoryLimit, IsAReasonableNumber) {
  EXPECT_GT(memory_limit(), std::int64_t{1} << 28);
  EXPECT_LT(memory_limit(), std::int64_t{1} << 50);
}

}  // namespace
}  // namespace gir
