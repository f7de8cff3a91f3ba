#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gir/anchors/distances.h"
#include "gir/core/registry.h"
#include "gir/core/types.h"
#include "gir/data/pairs.h"
#include "gir/graph/graph_views.h"

namespace gir {

/// What pair features may look at. Everything must outlive them.
struct PairInputs {
  GraphViews graphs;
  std::span<const NodeId> anchors = {};
  DistanceSearch distance_search = {};  ///< finds distances on a device
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
  bool sees_own_edge = false;  ///< of pairs that are joined in a view; training must ask about others there
  std::unique_ptr<PairFeature> (*make)(const PairInputs& inputs) = nullptr;
};

/// Several of them side by side.
class PairDescription {
 public:
  /// `names` of registered features, with commas between them; none: the width is 0. UserError for unknown names.
  PairDescription(std::string_view names, const PairInputs& inputs);

  std::int64_t width() const { return width_; }

  /// [pairs, width()], row after row.
  std::vector<float> describe(std::span<const NodePair> pairs, std::int64_t view) const;

 private:
  std::vector<std::unique_ptr<PairFeature>> features_;
  std::int64_t width_ = 0;
};

/// The features of a list of names with commas between them. UserError for unknown names and for one that occurs twice.
std::vector<const PairFeatureEntry*> pair_features_of(std::string_view names);

}  // namespace gir
