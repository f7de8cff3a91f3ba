#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "gir/io/format.h"
#include "session.h"

namespace gir::cli {

/// The flags that say where a graph goes.
struct GraphOutput {
  std::string path;
  std::string write_as;  ///< format, where the name of the file does not say

  const GraphFormat& format() const { return format_to_write(path, write_as); }

  /// Writes the graph and remarks on what the format cannot hold.
  void write(const Session& session, const AttributedGraph& data) const;
};

void add_output_flags(CLI::App& command, GraphOutput& output);

}  // namespace gir::cli
