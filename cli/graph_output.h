#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "gir/cli/session.h"
#include "gir/io/format.h"

namespace gir::cli {

/// The flags that say where to write a graph.
struct GraphOutput {
  std::string path;
  std::string write_as;  ///< name of the format; empty: by the ending of the path

  const GraphFormat& format() const { return format_to_write(path, write_as); }

  /// Writes the graph, and prints a note on attributes that the format cannot store.
  void write(const Session& session, const AttributedGraph& data) const;
};

void add_output_flags(CLI::App& command, GraphOutput& output);

}  // namespace gir::cli
