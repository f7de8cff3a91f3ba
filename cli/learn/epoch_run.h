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

/// The arguments of `gir bench epoch`, which are those of the PyTorch benchmark that gir is compared with.
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

/// The graph of the benchmark, with the features and labels that its models need.
AttributedGraph bench_data(const EpochBenchmark& benchmark);

/// One model with its objective, as in the PyTorch benchmark: half of the nodes are training nodes, or all edges but
/// two are training edges. Data and benchmark must outlive it.
class EpochRun {
 public:
  EpochRun(const AttributedGraph& data, const EpochBenchmark& benchmark, const std::string& model,
           const Context& context);

  std::int64_t layers() const { return is_gir_ ? benchmark_.gir_layers : benchmark_.gcn_layers; }

  /// Milliseconds of every measured epoch.
  std::vector<double> measure();

  /// Hidden layers per checkpointed segment; 0: no activation checkpointing.
  std::int64_t segment() const { return memory_->need().segment; }

  /// Milliseconds of every layer, forward and backward, the median over several passes. Empty with activation
  /// checkpointing, where layers cannot be timed separately.
  std::vector<double> measure_layers();

  // Inputs of the lower bound of the time of an epoch.
  FrontierPlan plan() const;
  StackShape shape() const;

 private:
  void split_nodes();
  void split_links();

  const AttributedGraph& data_;
  const EpochBenchmark& benchmark_;
  const Features no_features_ = {};
  Context context_;
  bool is_gir_;
  bool anchor_labels_only_;
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
