#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "gir/core/export.h"
#include "gir/data/dataset.h"
#include "gir/data/split.h"
#include "gir/data/task.h"
#include "gir/io/node_lists.h"

namespace gir {

/// The split that a user asks for.
struct GIR_API SplitChoice {
  Task task = Task::kNodeClassification;
  std::uint64_t number = 0;                ///< `split`
  std::optional<SplitShares> shares = {};  ///< unset: those of the published split, else default_shares()
  std::filesystem::path from = {};         ///< the user's file or folder; empty: none
  PairHeader header = {};                  ///< of its files
  bool official = false;                   ///< the split that the data comes with
};

/// A split, and what to know about it.
struct GIR_API ChosenSplit {
  NodeSplit nodes = {};                 ///< of nc
  std::optional<PairSplit> pairs = {};  ///< of lp and npc
  std::vector<std::string> notes = {};
};

/// Whether a data set asks for the split that comes with it, unless the user asks for another one. There may be several
/// published splits of edges, among which the number chooses; of nodes there is one, so that a number that is given
/// asks for another.
GIR_API bool prefers_official_split(const Dataset& dataset, const SplitChoice& choice, bool number_is_given);

/// Whether a choice means one of the published splits of edges.
GIR_API bool uses_published_links(const Dataset& dataset, const SplitChoice& choice);

/// UserError where the official split is asked for and the data has none for the task.
GIR_API void check_official_split(const Dataset& dataset, const SplitChoice& choice);

/// The file or folder with the split: the user's, or a published one of the data set; empty for splits that are drawn.
/// UserError for a published split that does not exist.
GIR_API std::filesystem::path split_file(const Dataset& dataset, const SplitChoice& choice);

/// The split itself: drawn, official, published or brought by the user.
GIR_API ChosenSplit choose_split(const Dataset& dataset, const SplitChoice& choice);

}  // namespace gir
