#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gir/anchors/distances.h"
#include "gir/core/export.h"
#include "gir/core/registry.h"
#include "gir/core/types.h"
#include "gir/data/pairs.h"
#include "gir/graph/graph_views.h"

namespace gir {

/// The input of pair features, which it must outlive.
struct GIR_API PairInputs {
  GraphViews graphs;
  std::span<const NodeId> anchors = {};
  DistanceSearch distance_search = {};  ///< finds distances on a device
};

/// Features of a pair of nodes, computed from the graph. They do not depend on the order of the two nodes.
class GIR_API PairFeature {
 public:
  virtual ~PairFeature() = default;
  PairFeature(const PairFeature&) = delete;
  PairFeature& operator=(const PairFeature&) = delete;

  /// Number of features per pair.
  virtual std::int64_t width() const = 0;

  /// Writes the features of every pair in a view of the graph: row i begins at out[i * stride]. The same result on any
  /// number of threads.
  virtual void describe(std::span<const NodePair> pairs, std::int64_t view, float* out, std::int64_t stride) const = 0;

 protected:
  PairFeature() = default;
};

/// A kind of pair feature. Entries register themselves; adding one is one file.
struct GIR_API PairFeatureEntry {
  static constexpr std::string_view kKind = "pair feature";

  std::string name;
  std::string summary;
  bool uses_anchors = false;
  bool sees_own_edge = false;  ///< depends on whether the pair is an edge of the view: training must hide such edges
  std::unique_ptr<PairFeature> (*make)(const PairInputs& inputs) = nullptr;
};

/// Several pair features, concatenated.
class GIR_API PairDescription {
 public:
  /// `names` is a comma-separated list of registered features; where it is empty, the width is 0. UserError for unknown
  /// names.
  PairDescription(std::string_view names, const PairInputs& inputs);

  std::int64_t width() const { return width_; }

  /// [pairs, width()], row-major.
  std::vector<float> describe(std::span<const NodePair> pairs, std::int64_t view) const;

 private:
  std::vector<std::unique_ptr<PairFeature>> features_;
  std::int64_t width_ = 0;
};

/// The features of a comma-separated list of names. UserError for unknown and repeated names.
GIR_API std::vector<const PairFeatureEntry*> pair_features_of(std::string_view names);

}  // namespace gir
