#pragma once

#include <filesystem>

#include "gir/io/format.h"

namespace gir {

/// Whether `folder` has the layout of a node property prediction dataset of the Open Graph Benchmark.
bool is_ogb_folder(const std::filesystem::path& folder);

/// Reads such a folder:
///
///     raw/num-node-list.csv.gz    one number
///     raw/num-edge-list.csv.gz    one number
///     raw/edge.csv.gz             'source,target' a line, nodes 0 .. n-1
///     raw/node-label.csv.gz       a whole number a node, nan for none (may be missing)
///     raw/node-feat.csv.gz        a row a node (may be missing; a note then says so)
///     split/NAME/{train,valid,test}.csv.gz   a node a line (may be missing)
///
/// Directed unless the options say otherwise. UserError with file and line for everything that does not fit
/// together.
AttributedGraph read_ogb(const std::filesystem::path& folder, const ReadOptions& options = {});

}  // namespace gir
