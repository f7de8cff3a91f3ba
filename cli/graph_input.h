#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "gir/data/dataset.h"
#include "session.h"

namespace gir::cli {

/// The flags that say which graph to work on and how to read it.
struct GraphInput {
  std::string name_or_path;
  std::string features;
  std::string labels;
  std::string read_as;  ///< format, where the file's name does not say
  bool directed = false;
  bool undirected = false;
  bool text_ids = false;
  std::int64_t num_nodes = 0;

  /// Reads the graph, and features and labels where they were given as files. Remarks of the readers go to
  /// standard error.
  Dataset open(const Session& session) const;
};

/// Adds the flags, but not the one that names the graph.
void add_graph_flags(CLI::App& command, GraphInput& input);

}  // namespace gir::cli
