// The steps of an experiment from the data to the split and its message graph.

#include <algorithm>
#include <utility>

#include "gir/core/error.h"
#include "gir/io/split_files.h"
#include "gir/runs/experiment.h"
#include "pair_splits.h"

namespace gir {

void check_for_leaks(const PairSplit& split, const Graph& message_graph, EvaluationSet evaluated, MessageEdges edges) {
  const auto check = [&](const EvaluationPairs& part) {
    for (const NodePair& pair : part.positives) {
      ensure(!message_graph.has_arc(pair.first, pair.second) && !message_graph.has_arc(pair.second, pair.first),
             "no held-out edge is an edge of the message graph");
    }
  };
  check(split.test());
  if (evaluated == EvaluationSet::kValid || edges == MessageEdges::kTrain) check(split.valid());
}

void Experiment::split() {
  const SplitChoice choice = split_choice(config_);
  if (const auto file = split_file(dataset_, choice); !file.empty()) split_fingerprint_ = split_fingerprint(file);
  ChosenSplit chosen = choose_split(dataset_, choice);
  notes_ = std::move(chosen.notes);
  nodes_ = std::move(chosen.nodes);
  pairs_ = std::move(chosen.pairs);
  message_graph_ = pairs_ ? &pairs_->message_graph() : &dataset_.data.graph;
  if (task_ == Task::kLinkPrediction) check_for_leaks(*pairs_, *message_graph_);
}

/// For the last training of a run with `refit`, and for its use.
void Experiment::join_training_and_validation() {
  if (pairs_) {
    pairs_ = PairSplit::without_validation(*std::move(pairs_), dataset_.data.graph, task_);
    if (task_ == Task::kLinkPrediction) check_for_leaks(*pairs_, pairs_->message_graph());
    message_graph_ = &pairs_->message_graph();
    return;
  }
  nodes_.train.insert(nodes_.train.end(), nodes_.valid.begin(), nodes_.valid.end());
  std::sort(nodes_.train.begin(), nodes_.train.end());
  nodes_.valid.clear();
}

void Experiment::hide_edges() {
  if (task_ != Task::kLinkPrediction || config_.hidden_parts == 0) return;
  if (pairs_->train_positives().size() < 2) {
    throw UserError("a single training edge is too little to learn from [add edges, or give training a larger share]");
  }
  hidden_ = hide_in_turn(*pairs_, {.parts = std::min(config_.hidden_parts, std::ssize(pairs_->train_positives())),
                                   .rounds = config_.hidden_rounds,
                                   .used = config_.hidden_views,
                                   .seed = config_.seed});
}

}  // namespace gir
