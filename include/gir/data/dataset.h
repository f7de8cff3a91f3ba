#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gir/core/progress.h"
#include "gir/core/registry.h"
#include "gir/data/task.h"
#include "gir/graph/attributes.h"
#include "gir/io/format.h"

namespace gir {

/// One published file.
struct DataFile {
  std::string name;      ///< inside the data set's folder: "email.txt", "raw/edge.csv.gz"
  std::string url = {};  ///< public address; empty where it comes in an archive or has none
  std::string sha256;
  std::int64_t bytes = 0;
  std::vector<std::string> other_sha256 = {};  ///< of copies that are as good
  bool optional = false;                       ///< the data set can be read without it

  /// Whether a file with this hash is the published one or as good.
  bool is_good(std::string_view found_sha256) const;
};

/// A zip archive that holds all files of a source.
struct DataArchive {
  std::string url;
  std::string sha256;
  std::string folder;  ///< inside the archive, above the files
};

/// One set of files that a data set can be read from, all in one folder.
struct DataSource {
  std::vector<DataFile> files;
  AttributedGraph (*load)(const std::filesystem::path& folder) = nullptr;
  std::optional<DataArchive> archive = {};
};

/// Sizes of models for a data set: SPEC section 7.
struct ModelSizes {
  std::int64_t hidden = 32;
  std::int64_t anchors = 64;
  std::int64_t anchor_sets = 8;
};

/// A data set that is known by name. Entries register themselves; adding one is one file.
struct DatasetEntry {
  static constexpr std::string_view kKind = "dataset";

  std::string name;
  std::string summary;
  std::string origin;  ///< where it comes from and under what terms
  Task task = Task::kNodeClassification;
  ModelSizes sizes = {};
  bool official_split = false;           ///< results are published on the split that it comes with
  std::vector<DataSource> sources = {};  ///< tried in order; the first is the one that is downloaded
  AttributedGraph (*make)() = nullptr;   ///< built-in data sets: no file is needed
  std::string folder = {};               ///< of its files, where it is another data set's

  const std::string& folder_name() const { return folder.empty() ? name : folder; }
};

/// A graph ready for work, and what is known about how to work with it.
struct Dataset {
  std::string name;
  AttributedGraph data;
  std::optional<Task> task;  ///< unset for a user's own file
  ModelSizes sizes;
  bool official_split = false;  ///< the split that it comes with is the one to use
};

/// The folder with all files that the data set needs, in the first data directory that has them.
std::optional<std::filesystem::path> find_dataset_folder(const DatasetEntry& entry,
                                                         const std::filesystem::path& data_dir = {});

/// Reads a data set by name from --data-dir (`data_dir`, may be empty), $GIR_DATA or the user's cache, in that
/// order. The files' hashes are checked. UserError that says how to get the files when they are not there.
Dataset load_dataset(std::string_view name, const std::filesystem::path& data_dir = {});

/// A registered data set, a file or folder, or a generator's graph with its default parameters: whichever
/// `name_or_path` is, in this order.
Dataset open_dataset(const std::string& name_or_path, const std::filesystem::path& data_dir = {},
                     const ReadOptions& options = {});

/// Which graph to work on, and how to read it.
struct DataRequest {
  std::string graph;     ///< name of a data set, file or folder
  std::string features;  ///< file of features, where they come apart
  std::string labels;    ///< file of labels, the same
  ReadOptions read = {};
};

/// open_dataset(), then features and labels from files of their own where the request names some.
Dataset open_data(const DataRequest& request, const std::filesystem::path& data_dir = {});

struct FetchOptions {
  std::filesystem::path data_dir = {};  ///< where to; empty: $GIR_DATA or the user's cache
  std::string mirror = {};              ///< take files from <mirror>/<dataset>/<file> instead of their public address
};

/// Downloads what is missing of a data set, checks it and moves it into place. Returns the folder.
std::filesystem::path fetch_dataset(std::string_view name, const FetchOptions& options,
                                    const ProgressCallback& progress = {});

}  // namespace gir
