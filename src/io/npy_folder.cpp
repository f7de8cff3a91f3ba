#include <unistd.h>

#include <algorithm>
#include <system_error>

#include "gir/core/error.h"
#include "gir/io/format.h"
#include "graph_arrays.h"

namespace gir {
namespace {

namespace fs = std::filesystem;

constexpr const char* kEnding = ".npy";

/// A folder that is filled under a temporary name and renamed when it is complete.
class AtomicFolder {
 public:
  /// UserError where `path` is a file or a folder that is not empty. The path is normalised, because a trailing slash
  /// would make the temporary folder one inside it.
  explicit AtomicFolder(const fs::path& path) : path_(fs::absolute(path / "").lexically_normal().parent_path()) {
    const fs::file_status status = fs::status(path_);
    if (fs::exists(status) && !fs::is_directory(status)) {
      throw UserError(path, "exists and is not a folder [name a new folder]");
    }
    if (fs::exists(status) && !fs::is_empty(path_)) throw UserError(path, "is not empty [name a new folder]");
    temporary_ = path_;
    temporary_.replace_filename(fmt::format(".{}.tmp-{}", path_.filename().string(), ::getpid()));
    std::error_code error;
    if (!fs::create_directory(temporary_, error)) fail(error);
  }

  ~AtomicFolder() {
    std::error_code ignored;
    if (!temporary_.empty()) fs::remove_all(temporary_, ignored);
  }

  AtomicFolder(const AtomicFolder&) = delete;
  AtomicFolder& operator=(const AtomicFolder&) = delete;

  const fs::path& temporary_path() const { return temporary_; }

  void commit() {
    std::error_code error;
    fs::rename(temporary_, path_, error);
    if (error) fail(error);
    temporary_.clear();
  }

 private:
  [[noreturn]] void fail(const std::error_code& error) const {
    throw UserError(path_, "cannot create: {}", error ? error.message() : "a folder of that name is being written");
  }

  fs::path path_;
  fs::path temporary_;
};

bool is_npy_folder(const fs::path& path) { return fs::is_regular_file(path / "edges.npy"); }

AttributedGraph read_npy_folder(const fs::path& path, const ReadOptions& options) {
  if (!is_npy_folder(path)) throw UserError(path, "has no edges.npy [a folder of arrays needs at least this one]");
  ArraySource source{.where = path.string(), .names = {}, .read = [&](const std::string& name) {
                       return read_npy(path / (name + kEnding));
                     }};
  for (const auto& entry : fs::directory_iterator(path)) {
    if (entry.path().extension() == kEnding) source.names.push_back(entry.path().stem().string());
  }
  return read_edge_arrays(source, options);
}

void write_npy_folder(const fs::path& path, const AttributedGraph& graph) {
  AtomicFolder folder(path);
  const GraphArrays arrays(graph, path.string());
  for (const NpzMember& member : arrays.members()) {
    write_npy(folder.temporary_path() / (member.name + kEnding), member.array);
  }
  folder.commit();
}

AttributedGraph read_npy_edges(const fs::path& path, const ReadOptions& options) {
  return read_edge_array(read_npy(path), options);
}

const Registered<GraphFormat> npy_folder{{.name = "npy-folder",
                                          .summary = "folder of NumPy arrays: edges.npy, features.npy, labels.npy, ...",
                                          .endings = {},
                                          .recognises = is_npy_folder,
                                          .read = read_npy_folder,
                                          .holds_attributes = true,
                                          .write = write_npy_folder}};

const Registered<GraphFormat> npy{{.name = "npy",
                                   .summary = "NumPy array of edges, one row of two nodes per edge (read only)",
                                   .endings = {".npy"},
                                   .read = read_npy_edges}};

}  // namespace
}  // namespace gir
