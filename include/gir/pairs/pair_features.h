#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gir/core/registry.h"
#include "gir/core/types.h"
#include "gir/data/pairs.h"
#include "gir/graph/graph.h"

namespace gir {

/// What pair features may look at. Everything must outlive them.
struct PairContext {
  const Graph& graph;                             ///< all that may be seen
  std::span<const Graph> training_graphs = {};    ///< the same without the edges that training asks about meanwhile
  std::span<const NodeId> anchors = {};

  std::int64_t num_views() const { return 1 + std::ssize(training_graphs); }

  /// View 0 is the graph, view i + 1 training graph i.
  const Graph& view(std::int64_t number) const {
    return number == 0 ? graph : training_graphs[static_cast<std::size_t>(number - 1)];
  }
};

/// Numbers that a graph gives for a pair of nodes, in whichever order they are named.
class PairFeature {
 public:
  virtual ~PairFeature() = default;
  PairFeature(const PairFeature&) = delete;
  PairFeature& operator=(const PairFeature&) = delete;

  /// Numbers a pair.
  virtual std::int64_t width() const = 0;

  /// Writes them for every pair as seen in a view: row i begins at out[i * stride]. The same on any number of threads.
  virtual void describe(std::span<const NodePair> pairs, std::int64_t view, float* out, std::int64_t stride) const = 0;

 protected:
  PairFeature() = default;
};

/// A kind of pair feature. They register themselves; adding one is one file.
struct PairFeatureEntry {
  static constexpr std::string_view kKind = "pair feature";

  std::string name;
  std::string summary;
  bool uses_anchors = false;
  std::unique_ptr<PairFeature> (*make)(const PairContext& context) = nullptr;
};

/// Several of them side by side, brought to mean 0 and standard deviation 1.
class PairDescription {
 public:
  /// `names` of registered features, with commas between them; none: the width is 0. `sample` are the pairs that mean
  /// and deviation are taken from, in view 0. UserError for unknown names.
  PairDescription(std::string_view names, const PairContext& context, std::span<const NodePair> sample);

  std::int64_t width() const { return width_; }

  /// [pairs, width()], row after row.
  std::vector<float> describe(std::span<const NodePair> pairs, std::int64_t view) const;

 private:
  std::vector<std::unique_ptr<PairFeature>> features_;
  std::int64_t width_ = 0;
  std::vector<float> mean_;
  std::vector<float> scale_;
};

/// Whether one of the named features looks at the anchors. UserError for unknown names.
bool uses_anchors(std::string_view names);

}  // namespace gir
