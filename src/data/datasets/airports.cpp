#include "gir/data/dataset.h"
#include "gir/io/tables.h"

namespace gir {
namespace {

const std::string kRepository =
    "https://raw.githubusercontent.com/leoribeiro/struc2vec/77b4cc63e79a37b1496f340c7772d932038417ec/";
const char* const kOrigin = "air traffic, from struc2vec (MIT)";

AttributedGraph load_airports(const std::filesystem::path& folder, const std::string& country) {
  AttributedGraph airports = read_graph(folder / (country + "-airports.edgelist"));
  airports.labels = read_labels(folder / ("labels-" + country + "-airports.txt"), airports.graph.names());
  return airports;
}

const Registered<DatasetEntry> europe{{
    .name = "europe",
    .summary = "flights between European airports; 4 levels of activity as classes",
    .origin = kOrigin,
    .task = Task::kNodeClassification,
    .sizes = {.hidden = 16, .anchors = 8, .anchor_sets = 4},
    .sources = {{.files = {{.name = "europe-airports.edgelist",
                            .url = kRepository + "graph/europe-airports.edgelist",
                            .sha256 = "bd202178d0d1253c15bd3c9a22cc2a25f630244bbef9060bc30adbf0a5e130f6",
                            .bytes = 40007},
                           {.name = "labels-europe-airports.txt",
                            .url = kRepository + "graph/labels-europe-airports.txt",
                            .sha256 = "92bace031cc02937ac9629d6c69387458e5d5016a7dab98490fbf33e392cec4e",
                            .bytes = 2295}},
                 .load = [](const std::filesystem::path& folder) { return load_airports(folder, "europe"); }}},
}};

const Registered<DatasetEntry> usa{{
    .name = "usa",
    .summary = "flights between airports of the USA; 4 levels of activity as classes",
    .origin = kOrigin,
    .task = Task::kNodeClassification,
    .sizes = {.hidden = 32, .anchors = 64, .anchor_sets = 8},
    .sources = {{.files = {{.name = "usa-airports.edgelist",
                            .url = kRepository + "graph/usa-airports.edgelist",
                            .sha256 = "c73fec3eef27ed6d6ef4d8dfa7fd1604b959601a38d399eeaa1f87e8d8d58fc0",
                            .bytes = 163188},
                           {.name = "labels-usa-airports.txt",
                            .url = kRepository + "graph/labels-usa-airports.txt",
                            .sha256 = "d4062ff3b3a67c3ae72b581bb68228433223e35d6f0b2d41844d197ad3772195",
                            .bytes = 9531}},
                 .load = [](const std::filesystem::path& folder) { return load_airports(folder, "usa"); }}},
}};

}  // namespace
}  // namespace gir
