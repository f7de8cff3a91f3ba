#include "gir/data/dataset.h"

#include <algorithm>

#include "gir/core/error.h"
#include "gir/core/hash.h"
#include "gir/data/data_directory.h"
#include "gir/graph/generators.h"
#include "gir/io/tables.h"

namespace gir {
namespace {

namespace fs = std::filesystem;

bool is_complete(const DataSource& source, const fs::path& folder) {
  return std::all_of(source.files.begin(), source.files.end(),
                     [&](const DataFile& file) { return file.optional || fs::exists(folder / file.name); });
}

void check_hashes(const DatasetEntry& entry, const DataSource& source, const fs::path& folder) {
  for (const DataFile& file : source.files) {
    const fs::path path = folder / file.name;
    if (file.optional && !fs::exists(path)) continue;
    const std::string found = sha256_file(path);
    if (file.is_good(found)) continue;
    throw UserError(path,
                    "is not the published file of {}: its sha256 is {}, not {} [delete it and run: gir data "
                    "fetch {}]",
                    entry.name, found, file.sha256, entry.name);
  }
}

/// A source all of whose files are in a folder.
struct LocatedSource {
  const DataSource* source;
  fs::path folder;
};

std::optional<LocatedSource> locate(const DatasetEntry& entry, const fs::path& data_dir) {
  for (const fs::path& directory : data_directories(data_dir)) {
    const fs::path folder = directory / entry.folder_name();
    for (const DataSource& source : entry.sources) {
      if (is_complete(source, folder)) return LocatedSource{&source, folder};
    }
  }
  return std::nullopt;
}

AttributedGraph load_entry(const DatasetEntry& entry, const fs::path& data_dir) {
  if (entry.make != nullptr) return entry.make();
  if (const auto found = locate(entry, data_dir)) {
    check_hashes(entry, *found->source, found->folder);
    return found->source->load(found->folder);
  }
  std::vector<std::string> looked_in;
  for (const fs::path& directory : data_directories(data_dir))
    looked_in.push_back((directory / entry.folder_name()).string());
  throw UserError("the files of {} are not here [run: gir data fetch {}; looked in {}]", entry.name, entry.name,
                  join(looked_in, ", "));
}

/// Graphs known by name have a direction of their own or none; the options may only do away with it.
void set_direction(Dataset& dataset, const ReadOptions& options) {
  if (!options.directed || *options.directed == dataset.data.graph.directed()) return;
  if (*options.directed) throw UserError("the edges of {} have no direction [leave --directed away]", dataset.name);
  dataset.data.graph = as_undirected(dataset.data.graph);
}

/// How to read a file means nothing for a graph that is known by name.
void refuse_reading_flags(std::string_view name, const ReadOptions& options) {
  if (options.text_ids || options.num_nodes || !options.format.empty()) {
    throw UserError(
        "--text-ids, --num-nodes and --read-as are for files, and {} is the name of a graph [leave them "
        "away]",
        quoted(name));
  }
}

Dataset from_generator(const Generator& generator, const ReadOptions& options) {
  refuse_reading_flags(generator.name, options);
  Dataset dataset;
  dataset.name = generator.name;
  dataset.data = generate_graph(generator.name);
  set_direction(dataset, options);
  return dataset;
}

[[noreturn]] void refuse_unknown(const std::string& name_or_path) {
  if (name_or_path.find_first_of("/.") != std::string::npos) {
    throw UserError(fs::path(name_or_path), "no such file [check the name; gir data list shows graphs known by name]");
  }
  std::vector<std::string> names;
  for (const DatasetEntry& entry : Registry<DatasetEntry>::all()) names.push_back(entry.name);
  for (const Generator& generator : Registry<Generator>::all()) names.push_back(generator.name);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  throw UserError("{} is neither a file nor a known graph [known: {}]", quoted(name_or_path),
                  join(nearest_first(canonical_name(name_or_path), std::move(names)), ", "));
}

}  // namespace

bool DataFile::is_good(std::string_view found_sha256) const {
  return found_sha256 == sha256 ||
         std::find(other_sha256.begin(), other_sha256.end(), found_sha256) != other_sha256.end();
}

std::optional<fs::path> find_dataset_folder(const DatasetEntry& entry, const fs::path& data_dir) {
  const auto found = locate(entry, data_dir);
  return found ? std::optional(found->folder) : std::nullopt;
}

Dataset load_dataset(std::string_view name, const fs::path& data_dir) {
  const DatasetEntry& entry = Registry<DatasetEntry>::get(name);
  return {.name = entry.name,
          .data = load_entry(entry, data_dir),
          .task = entry.task,
          .sizes = entry.sizes,
          .official_split = entry.official_split};
}

Dataset open_dataset(const std::string& name_or_path, const fs::path& data_dir, const ReadOptions& options) {
  if (Registry<DatasetEntry>::find(name_or_path) != nullptr) {
    refuse_reading_flags(name_or_path, options);
    Dataset dataset = load_dataset(name_or_path, data_dir);
    set_direction(dataset, options);
    return dataset;
  }
  const fs::path path(name_or_path);
  if (fs::exists(path)) {
    const fs::path name = path.has_filename() ? path.filename() : path.parent_path().filename();
    return {.name = name.string(), .data = read_graph(path, options), .task = std::nullopt, .sizes = {}};
  }
  if (const Generator* generator = Registry<Generator>::find(name_or_path)) return from_generator(*generator, options);
  refuse_unknown(name_or_path);
}

Dataset open_data(const DataRequest& request, const fs::path& data_dir) {
  Dataset dataset = open_dataset(request.graph, data_dir, request.read);
  const NodeNames& names = dataset.data.graph.names();
  if (!request.features.empty()) dataset.data.features = read_features(request.features, names);
  if (request.labels.empty()) return dataset;
  dataset.data.labels = read_labels(request.labels, names);
  dataset.data.split.reset();
  const auto& classes = dataset.data.labels.classes;
  if (const auto without = std::count(classes.begin(), classes.end(), Labels::kNone); without > 0) {
    dataset.data.notes.push_back(
        fmt::format("{}: {} of {} nodes have no label", request.labels, without, classes.size()));
  }
  return dataset;
}

}  // namespace gir
