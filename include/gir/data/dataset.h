#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gir/core/error.h"
#include "gir/core/export.h"
#include "gir/core/progress.h"
#include "gir/core/registry.h"
#include "gir/data/split.h"
#include "gir/data/task.h"
#include "gir/graph/attributes.h"
#include "gir/io/format.h"

namespace gir {

/// One published file of a data set.
struct GIR_API DataFile {
  std::string name;      ///< relative to the data set's folder: "email.txt", "raw/edge.csv.gz"
  std::string url = {};  ///< public address; empty where the file is part of an archive or cannot be downloaded
  std::string sha256;
  std::int64_t bytes = 0;
  std::vector<std::string> other_sha256 = {};  ///< of other files with the same content
  bool optional = false;                       ///< features: the data set can be read without them

  /// Whether a file with this hash is the published one or an equivalent one.
  bool is_good(std::string_view found_sha256) const;
};

/// A zip archive with all files of a source.
struct GIR_API DataArchive {
  std::string url;
  std::string sha256;
  std::string folder;  ///< of the files in the archive
};

/// One set of files that a data set can be read from, all in one folder.
struct GIR_API DataSource {
  std::vector<DataFile> files;
  AttributedGraph (*load)(const std::filesystem::path& folder) = nullptr;
  std::optional<DataArchive> archive = {};
};

/// Model sizes for a data set; for the graphs of the GIR paper, those of its experiments.
struct GIR_API ModelSizes {
  std::int64_t hidden = 32;
  std::int64_t anchors = 64;
  std::int64_t anchor_sets = 8;
};

/// Splits of the edges that published results are made on.
struct GIR_API PublishedSplits {
  std::vector<std::filesystem::path> files = {};  ///< of split 0, 1, ...; read_pair_lists() reads them
  SplitShares shares = {};                        ///< for the validation part, where the files have none
};

/// A data set with a name. Entries register themselves; adding one is one file.
struct GIR_API DatasetEntry {
  static constexpr std::string_view kKind = "dataset";

  std::string name;
  std::string summary;
  std::string origin;  ///< where it comes from and under what terms
  Task task = Task::kNodeClassification;
  ModelSizes sizes = {};
  bool official_split = false;           ///< published results use the split that comes with the data
  std::vector<DataSource> sources = {};  ///< tried in order; the first one is downloaded
  AttributedGraph (*make)() = nullptr;   ///< for built-in data sets, which need no files
  std::string folder = {};               ///< folder of its files, where it is that of another data set
  PublishedSplits link_splits = {};      ///< for `official_split` of edges; files relative to the folder

  const std::string& folder_name() const { return folder.empty() ? name : folder; }
};

/// A graph with its attributes, and defaults for experiments on it.
struct GIR_API Dataset {
  std::string name;
  AttributedGraph data;
  std::optional<Task> task;  ///< unset for a user's own file
  ModelSizes sizes;
  bool official_split = false;  ///< use the split that comes with the data
  PublishedSplits link_splits = {};
};

/// The file of a published split of the edges, counted from 0. UserError if the data set has fewer.
GIR_API const std::filesystem::path& published_split(const Dataset& dataset, std::uint64_t number);

/// The task where none is chosen: that of the data set; for a user's own graph node classification if it has labels,
/// else link prediction.
GIR_API Task default_task(const Dataset& dataset);

/// The files of a data set are missing or not the published ones; fetch_dataset() gets them.
class GIR_API DatasetFilesError : public UserError {
 public:
  DatasetFilesError(std::string dataset, std::string_view message)
      : UserError("{}", message), dataset_(std::move(dataset)) {}

  /// The name of the data set.
  const std::string& dataset() const { return dataset_; }

 private:
  std::string dataset_;
};

/// The folder with all required files of the data set, in the first data directory that has them.
GIR_API std::optional<std::filesystem::path> find_dataset_folder(const DatasetEntry& entry,
                                                                 const std::filesystem::path& data_dir = {});

/// Reads a data set by name from the first of data_directories(data_dir) that has its files, and checks their hashes.
/// DatasetFilesError where files are missing or wrong.
GIR_API Dataset load_dataset(std::string_view name, const std::filesystem::path& data_dir = {});

/// Opens a registered data set, a file or folder, or the graph of a generator with default parameters: the first of
/// these that `name_or_path` is.
GIR_API Dataset open_dataset(const std::string& name_or_path, const std::filesystem::path& data_dir = {},
                             const ReadOptions& options = {});

/// Which graph to open, and how to read it.
struct GIR_API DataRequest {
  std::string graph = {};     ///< name of a data set, file or folder
  std::string features = {};  ///< file with node features; empty: those of the graph
  std::string labels = {};    ///< file with node labels; empty: those of the graph
  ReadOptions read = {};
  std::string split_from = {};  ///< split that the user provides; without `graph`, its edges are the graph

  /// What messages call the data.
  const std::string& name() const { return graph.empty() ? split_from : graph; }
};

/// Replaces features and labels by those in the separate files that the request names, if any. A split that the data
/// brings is dropped with its labels.
GIR_API void read_node_files(Dataset& dataset, const DataRequest& request);

/// open_dataset(), then read_node_files(). Without a graph, the graph of the positive pairs of a split: its nodes are
/// names_of_split().
GIR_API Dataset open_data(const DataRequest& request, const std::filesystem::path& data_dir = {});

struct GIR_API FetchOptions {
  std::filesystem::path data_dir = {};  ///< target folder; empty: $GIR_DATA or the user's cache
  std::string mirror = {};              ///< download from <mirror>/<dataset>/<file> instead of the public address
};

/// Downloads the missing files of a data set, verifies them and moves them into place. Returns the folder.
GIR_API std::filesystem::path fetch_dataset(std::string_view name, const FetchOptions& options,
                                            const ProgressCallback& progress = {});

}  // namespace gir
