#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "gir/data/dataset.h"
#include "session.h"

namespace gir::cli {

/// Reads what is asked for.
Dataset read_graph(const Session& session, const DataRequest& request);

/// What readers have to remark goes to standard error.
void tell_notes(const Session& session, const Dataset& dataset);

/// The flags that say which graph to work on and how to read it.
struct GraphInput {
  DataRequest request;
  bool directed = false;
  bool undirected = false;
  std::int64_t num_nodes = 0;

  /// The request with all flags in it.
  DataRequest complete() const;

  /// Reads the graph, and features and labels where they were given as files.
  Dataset open(const Session& session) const;
};

/// Adds the flags, but not the one that names the graph.
void add_graph_flags(CLI::App& command, GraphInput& input);

}  // namespace gir::cli
