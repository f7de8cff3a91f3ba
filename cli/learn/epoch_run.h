#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "epoch_floor.h"
#include "gir/anchors/frontiers.h"
#include "gir/data/split.h"
#include "gir/graph/attributes.h"
#include "gir/learn/memory_budget.h"
#include "gir/learn/objective.h"
#include "gir/learn/trainer.h"
#include "gir/models/model.h"

namespace gir::cli {

/// What `gir bench epoch` was asked for: the options of shared/peer/peer.py.
struct EpochBenchmark {
  std::string npz;
  std::string edges;
  std::int64_t rmat = 0;  ///< scale of an rmat graph; 0: none
  std::int64_t nodes = 169343;
  std::int64_t edges_per_node = 7;
  std::int64_t dim = 128;
  std::int64_t classes = 40;
  std::int64_t hidden = 256;
  std::int64_t anchors = 256;
  std::int64_t gir_layers = 5;
  std::int64_t gcn_layers = 3;
  bool lp = false;
  std::vector<std::string> models = {"gir", "gcn"};
  int repeat = 5;
  int warmup = 2;
  std::uint64_t seed = 0;
  double memory_budget = 0;  ///< GiB
  bool roofline = true;
};

/// The graph that was asked for, with the features and labels that its models need.
AttributedGraph bench_data(const EpochBenchmark& asked);

/// One model with its objective, as the peer has it: half of the nodes to learn from, or all links but two.
/// Both that it is made of must outlive it.
class EpochRun {
 public:
  EpochRun(const AttributedGraph& data, const EpochBenchmark& asked, const std::string& model, const Context& context);

  std::int64_t layers() const { return is_gir_ ? asked_.gir_layers : asked_.gcn_layers; }

  /// Milliseconds of every epoch that counts.
  std::vector<double> measure();

  /// Hidden layers that are computed twice at a time; 0: none.
  std::int64_t stretch() const { return memory_->need().stretch; }

  /// Milliseconds of every layer, there and back, each the median of some passes. Nothing where layers are computed
  /// twice: their borders are not to be seen.
  std::vector<double> measure_layers();

  // What the floor under an epoch is computed from.
  FrontierPlan plan() const;
  StackShape shape() const;

 private:
  void split_nodes();
  void split_links();

  const AttributedGraph& data_;
  const EpochBenchmark& asked_;
  const Features no_features_ = {};
  Context context_;
  bool is_gir_;
  bool labels_alone_;
  std::vector<NodeId> anchors_;
  NodeSplit nodes_;
  std::optional<PairSplit> links_;
  const Graph* graph_ = nullptr;
  std::unique_ptr<Model> model_;
  std::optional<PairDescription> description_;
  std::unique_ptr<PairDecoder> decoder_;
  std::unique_ptr<Objective> objective_;
  std::optional<Trainer> trainer_;
  std::optional<TrainingMemory> memory_;
};

}  // namespace gir::cli
