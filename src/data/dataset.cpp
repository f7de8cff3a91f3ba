#include "gir/data/dataset.h"

#include <algorithm>

#include "gir/core/error.h"
#include "gir/core/hash.h"
#include "gir/core/text.h"
#include "gir/data/data_directory.h"
#include "gir/graph/add_nodes.h"
#include "gir/graph/generators.h"
#include "gir/io/split_files.h"
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
    throw DatasetFilesError(entry.name,
                            fmt::format("{}: is not the published file of {}: its sha256 is {}, not {} [delete it and "
                                        "fetch the data set again]",
                                        path.string(), entry.name, found, file.sha256));
  }
}

/// A source, and a folder that has all its files.
struct LocatedSource {
  const DataSource* source;
  fs::path folder;
};

/// The first source whose files are all in a data directory; directories take precedence over sources.
std::optional<LocatedSource> locate(const DatasetEntry& entry, const fs::path& data_dir) {
  for (const fs::path& directory : data_directories(data_dir)) {
    const fs::path folder = directory / entry.folder_name();
    for (const DataSource& source : entry.sources) {
      if (is_complete(source, folder)) return LocatedSource{&source, folder};
    }
  }
  return std::nullopt;
}

/// The source to read a data set from, whose files are the published ones.
LocatedSource find_source(const DatasetEntry& entry, const fs::path& data_dir) {
  if (const auto found = locate(entry, data_dir)) {
    check_hashes(entry, *found->source, found->folder);
    return *found;
  }
  std::vector<std::string> looked_in;
  for (const fs::path& directory : data_directories(data_dir))
    looked_in.push_back((directory / entry.folder_name()).string());
  throw DatasetFilesError(
      entry.name, fmt::format("the files of {} are missing; searched in {} [fetch the data set first]", entry.name,
                              join(looked_in, ", ")));
}

/// Applies the option `directed` to a graph that is known by name: a directed graph can be made undirected, but not the
/// other way round.
void set_direction(Dataset& dataset, const ReadOptions& options) {
  if (!options.directed || *options.directed == dataset.data.graph.directed()) return;
  if (*options.directed) throw UserError("{} is an undirected graph [omit `directed`]", dataset.name);
  dataset.data.graph = as_undirected(dataset.data.graph);
}

/// UserError for options that say how to read a file, which do not apply to a graph that is known by name.
void refuse_file_options(std::string_view name, const ReadOptions& options) {
  const bool chooses_edges = chooses_edge_columns(options);
  if (options.text_ids || options.num_nodes || !options.format.empty() || chooses_edges ||
      options.header != HeaderLine::kAuto) {
    throw UserError(
        "`text-ids`, `num-nodes`, `columns`, `header` and `read-as` apply to files, but {} is the name of a "
        "graph [omit them]",
        quoted(name));
  }
}

Dataset from_generator(const Generator& generator, const ReadOptions& options) {
  refuse_file_options(generator.name, options);
  Dataset dataset;
  dataset.name = generator.name;
  dataset.data = generate_graph(generator.name);
  set_direction(dataset, options);
  return dataset;
}

/// Whether it can be a misspelt name, not a path: names may have a folder, as in links/USAir.
bool is_like_a_name(const std::string& text) {
  const std::string folder = canonical_name(text.substr(0, text.find('/') + 1));
  const auto& entries = Registry<DatasetEntry>::all();
  return std::any_of(entries.begin(), entries.end(),
                     [&](const DatasetEntry& entry) { return entry.name.starts_with(folder); }) &&
         text.find('.') == std::string::npos;
}

[[noreturn]] void refuse_unknown(const std::string& name_or_path) {
  if (!is_like_a_name(name_or_path)) {
    throw UserError(fs::path(name_or_path), "no such file [check the path, or use the name of a data set]");
  }
  std::vector<std::string> names;
  for (const DatasetEntry& entry : Registry<DatasetEntry>::all()) names.push_back(entry.name);
  for (const Generator& generator : Registry<Generator>::all()) names.push_back(generator.name);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  throw UnknownNameError(DatasetEntry::kKind, name_or_path, std::move(names),
                         fmt::format("{} is neither a file nor a known graph", quoted(name_or_path)));
}

}  // namespace

bool DataFile::is_good(std::string_view found_sha256) const {
  return found_sha256 == sha256 ||
         std::find(other_sha256.begin(), other_sha256.end(), found_sha256) != other_sha256.end();
}

Task default_task(const Dataset& dataset) {
  if (dataset.task) return *dataset.task;
  return dataset.data.labels.empty() ? Task::kLinkPrediction : Task::kNodeClassification;
}

std::optional<fs::path> find_dataset_folder(const DatasetEntry& entry, const fs::path& data_dir) {
  const auto found = locate(entry, data_dir);
  return found ? std::optional(found->folder) : std::nullopt;
}

Dataset load_dataset(std::string_view name, const fs::path& data_dir) {
  const DatasetEntry& entry = Registry<DatasetEntry>::get(name);
  Dataset dataset{.name = entry.name,
                  .data = {},
                  .task = entry.task,
                  .sizes = entry.sizes,
                  .official_split = entry.official_split,
                  .link_splits = entry.link_splits};
  if (entry.make != nullptr) {
    dataset.data = entry.make();
    return dataset;
  }
  const LocatedSource found = find_source(entry, data_dir);
  dataset.data = found.source->load(found.folder);
  for (fs::path& file : dataset.link_splits.files) file = found.folder / file;
  return dataset;
}

const fs::path& published_split(const Dataset& dataset, std::uint64_t number) {
  const std::vector<fs::path>& files = dataset.link_splits.files;
  ensure(!files.empty(), "a data set with published splits");
  if (number < files.size()) return files[number];
  throw UserError("{} has {} published splits, so there is no split {} [`split` 0 to {}; `split-shares` draws others]",
                  dataset.name, files.size(), number, files.size() - 1);
}

Dataset open_dataset(const std::string& name_or_path, const fs::path& data_dir, const ReadOptions& options) {
  if (Registry<DatasetEntry>::find(name_or_path) != nullptr) {
    refuse_file_options(name_or_path, options);
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

namespace {

/// A note on the nodes that occur in negative pairs only.
void note_negative_nodes(AttributedGraph& data, const PairLists& lists, const fs::path& path) {
  std::vector<bool> is_noted(static_cast<std::size_t>(data.graph.num_nodes()), false);
  std::vector<NodeId> nodes;
  for (const ListedPairs* list : {&lists.train_negatives, &lists.valid_negatives, &lists.test_negatives}) {
    for (const auto& [first, second] : list->items) {
      for (const NodeId node : {first, second}) {
        const bool has_edge = data.graph.out_degree(node) + data.graph.in_degree(node) > 0;
        if (has_edge || is_noted[static_cast<std::size_t>(node)]) continue;
        is_noted[static_cast<std::size_t>(node)] = true;
        nodes.push_back(node);
      }
    }
  }
  if (nodes.empty()) return;
  data.notes.push_back(fmt::format("{}: {} of {} nodes occur in negative pairs only, such as {}: they have no edges",
                                   path.string(), nodes.size(), data.graph.num_nodes(),
                                   quoted(data.graph.names().name(nodes.front()))));
}

/// The graph of a split that comes without one.
Dataset graph_of_split(const fs::path& path, const ReadOptions& options) {
  std::vector<std::string> notes;
  EdgeInput input{
      .arcs = {}, .directed = options.directed.value_or(false), .names = names_of_split(path, options, &notes)};
  const PairLists lists = read_pair_lists(path, input.names, {.line = options.header, .own_nodes = true});
  const auto parts = {&lists.train, &lists.valid, &lists.test};
  std::int64_t edges = 0;
  for (const ListedPairs* part : parts) edges += std::ssize(part->items);
  input.arcs = Array<Arc>(edges);
  std::int64_t next = 0;
  for (const ListedPairs* part : parts) {
    for (const auto& [source, target] : part->items) input.arcs[next++] = {source, target};
  }
  const fs::path name = path.has_filename() ? path.filename() : path.parent_path().filename();
  Dataset dataset{.name = name.string(), .data = {}, .task = std::nullopt, .sizes = {}};
  dataset.data.graph = build_graph(std::move(input));
  dataset.data.notes = std::move(notes);
  if (!options.num_nodes) note_negative_nodes(dataset.data, lists, path);
  return dataset;
}

/// Adds the nodes that a file of features or labels names and the graph lacks, where the graph's own file cannot tell
/// nodes without edges.
void add_named_nodes(AttributedGraph& data, const std::string& file, const std::vector<std::string>& ids) {
  if (!data.may_lack_nodes || ids.empty()) return;
  const NodeNames& names = data.graph.names();
  std::vector<std::string> unknown;
  for (const std::string& id : ids) {
    if (names.find(id)) continue;
    if (names.kind() != NodeNames::Kind::kStrings && parse_integer(id).value_or(-1) < 0)
      return;  // the reader reports it
    if (!id.empty()) unknown.push_back(id);
  }
  if (unknown.empty()) return;
  const std::string example = unknown.front();
  if (unknown.size() == ids.size()) {
    throw UserError(fs::path(file),
                    "names none of the graph's nodes: its ids are like {}, those of the graph like {} "
                    "[use the ids of the graph]",
                    quoted(example), quoted(names.name(0)));
  }
  const std::int64_t before = data.graph.num_nodes();
  data.graph = add_nodes(data.graph, unknown);
  data.notes.push_back(fmt::format("{}: {} nodes without edges were added, such as {}", file,
                                   data.graph.num_nodes() - before, quoted(example)));
}

}  // namespace

void read_node_files(Dataset& dataset, const DataRequest& request) {
  AttributedGraph& data = dataset.data;
  const LabelTableOptions options{.columns = request.read.columns, .header = request.read.header};
  if (data.may_lack_nodes && !request.labels.empty()) {
    add_named_nodes(data, request.labels, ids_of_labels(request.labels, data.graph.names(), options));
  }
  if (data.may_lack_nodes && !request.features.empty()) {
    add_named_nodes(data, request.features, ids_of_features(request.features, data.graph.names()));
  }
  const NodeNames& names = data.graph.names();
  if (!request.features.empty()) data.features = read_features(request.features, names, &data.notes);
  if (request.labels.empty()) return;
  data.labels = read_labels(request.labels, names, options, &data.notes);
  if (data.split) {
    data.notes.push_back(fmt::format("the split of {} belongs to its own labels and is not used with those of {}",
                                     request.graph, request.labels));
    data.split.reset();
  }
  const auto& classes = data.labels.classes;
  const auto without = std::count(classes.begin(), classes.end(), Labels::kNone);
  if (without > 0) {
    data.notes.push_back(fmt::format("{}: {} of {} nodes have no label", request.labels, without, classes.size()));
  }
  constexpr std::int64_t kFew = 10;
  if (const std::int64_t labelled = std::ssize(classes) - without;
      labelled >= kFew && 2 * data.labels.num_classes() > labelled) {
    data.notes.push_back(fmt::format(
        "{}: {} different labels of {} nodes, so hardly any two nodes have the same one and there is nothing to learn "
        "[are these names or numbers? `columns` label=NAME chooses another column]",
        request.labels, data.labels.num_classes(), labelled));
  }
}

Dataset open_data(const DataRequest& request, const fs::path& data_dir) {
  ReadOptions read = request.read;
  if (!request.labels.empty()) read = without_label_options(request.graph, read);
  Dataset dataset = request.graph.empty() && !request.split_from.empty() ? graph_of_split(request.split_from, read)
                                                                         : open_dataset(request.graph, data_dir, read);
  read_node_files(dataset, request);
  return dataset;
}

}  // namespace gir
