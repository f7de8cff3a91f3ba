#include "gir/io/npz.h"

#include <algorithm>

#include "gir/core/error.h"
#include "gir/core/text.h"

namespace gir {
namespace {

constexpr std::string_view kEnding = ".npy";

std::string member_name(std::string_view array) { return std::string(array) + std::string(kEnding); }

}  // namespace

NpzFile::NpzFile(std::filesystem::path path) : archive_(std::move(path)) {
  for (const std::string& name : archive_.names()) {
    if (name.find_first_of("/\\") != std::string::npos) {
      throw UserError(archive_.path(), "holds {}, an array in a folder [save the arrays under plain names]",
                      quoted(name));
    }
    if (name.ends_with(kEnding)) names_.push_back(name.substr(0, name.size() - kEnding.size()));
  }
}

bool NpzFile::has(std::string_view name) const { return std::find(names_.begin(), names_.end(), name) != names_.end(); }

Array<char> NpzFile::read_bytes(std::string_view name) const {
  if (!has(name)) {
    throw UserError(archive_.path(), "has no array {} [it has: {}]", quoted(name), join(names_, ", "));
  }
  return archive_.read(member_name(name), name);
}

NpyArray NpzFile::read(std::string_view name) const {
  return parse_npy(read_bytes(name), fmt::format("{}: {}", archive_.path().string(), name));
}

void write_npz(const std::filesystem::path& path, const std::vector<NpzMember>& members) {
  std::vector<std::string> headers;
  for (const NpzMember& member : members) headers.push_back(npy_header(member.array));
  std::vector<ZipEntry> zipped;
  for (std::size_t i = 0; i < members.size(); ++i) {
    zipped.push_back({.name = member_name(members[i].name), .parts = {headers[i], members[i].array.bytes}});
  }
  write_zip(path, zipped);
}

}  // namespace gir
