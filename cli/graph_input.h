#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "gir/cli/session.h"
#include "gir/data/dataset.h"

namespace gir::cli {

/// Opens the requested graph; with --verbose, prints how long that took.
Dataset read_graph(const Session& session, const DataRequest& request);

/// Prints the notes of the readers.
void print_notes(const Session& session, const Dataset& dataset);

/// The flags that choose a graph and say how to read it.
struct GraphInput {
  DataRequest request;
  bool directed = false;
  bool undirected = false;
  std::int64_t num_nodes = 0;

  /// The request with all flags applied.
  DataRequest complete() const;

  /// The given flags as a shell accepts them, each after a blank; without the name of the graph.
  std::string flags() const;

  /// Reads the graph, with features and labels from separate files where they were given, and prints its notes.
  Dataset open(const Session& session) const;
};

/// Adds all of these flags but the one that names the graph.
void add_graph_flags(CLI::App& command, GraphInput& input);

}  // namespace gir::cli
