#include <ATen/core/Tensor.h>
#include <ATen/ops/binary_cross_entropy_with_logits.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "gir/core/error.h"
#include "gir/core/random.h"
#include "gir/learn/metrics.h"
#include "gir/learn/objective.h"
#include "gir/nn/pair_sampler.h"

namespace gir {
namespace {

/// Positives followed by negatives, to be scored in one batch.
std::vector<NodePair> joined(std::span<const NodePair> positives, std::span<const NodePair> negatives) {
  std::vector<NodePair> pairs(positives.begin(), positives.end());
  pairs.insert(pairs.end(), negatives.begin(), negatives.end());
  return pairs;
}

constexpr std::size_t kPairsPerBatch = 1 << 15;  ///< in evaluations: scoring takes more memory than the features

using Scores = std::span<const float>;

struct PairMetric {
  std::string_view name;
  double (*value)(Scores positives, Scores negatives);
  std::int64_t min_negatives = 1;  ///< undefined with fewer
};

template <std::int64_t K>
double hits(Scores positives, Scores negatives) {
  return hits_at(K, positives, negatives);
}

/// The main one first.
constexpr std::array<PairMetric, 6> kMetrics = {{{kPairMetric, roc_auc},
                                                 {"average_precision", average_precision},
                                                 {"hits@10", hits<10>, 10},
                                                 {"hits@50", hits<50>, 50},
                                                 {"hits@100", hits<100>, 100},
                                                 {"mrr", mean_reciprocal_rank}}};

/// ObjectiveEntry::metrics.
std::vector<std::string> metric_names() {
  std::vector<std::string> names;
  for (const PairMetric& each : kMetrics) names.emplace_back(each.name);
  names.emplace_back(kSelectByLoss);
  return names;
}

double softplus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }

/// Mean binary cross entropy of finite scores.
double loss_of(Scores positives, Scores negatives) {
  double sum = 0;
  for (const float score : positives) sum += softplus(-score);
  for (const float score : negatives) sum += softplus(score);
  return sum / static_cast<double>(std::max<std::size_t>(1, positives.size() + negatives.size()));
}

class PairObjective : public Objective {
 public:
  explicit PairObjective(const PairTask& task)
      : task_(task), nodes_(task.split.message_graph().num_nodes()), by_loss_(task.select_by == kSelectByLoss) {
    if (!task.select_by.empty() && !by_loss_) metric_ = task.select_by;
    // Raises the error for too few negatives now and not in the first epoch.
    static_cast<void>(task.split.train_negatives(1, task.seed, positives_in(1, view(1)).size()));
  }

  std::string metric() const override { return metric_; }

  std::int64_t view(std::uint64_t epoch) const override {
    if (task_.hidden == nullptr) return 0;
    const std::size_t parts = task_.hidden->parts.size();
    std::vector<std::int64_t> order(parts);
    std::iota(order.begin(), order.end(), 1);
    Rng(task_.seed, "train/part", epoch / parts).shuffle(order);
    return order[epoch % parts];
  }

  at::Tensor loss(const ModelOutput& output, const ForwardOptions& options) override {
    const PairBatch& batch = sample(options);
    const at::Tensor scores = task_.decoder.score(output.outputs, batch, options);
    const std::int64_t count = batch.num_pairs() / 2;
    if (!targets_.defined() || targets_.numel() != 2 * count) {
      targets_ = at::cat({at::ones({count}), at::zeros({count})}).to(scores.device());
    }
    return at::binary_cross_entropy_with_logits(scores, targets_.repeat({scores.numel() / targets_.numel()}));
  }

  bool repeats() const override { return sampler_ != nullptr; }

  /// Per pair: two node ids, target, score, its gradient, features and the memory of the decoder. Sampling on a GPU
  /// also needs hash tables and lists to sort.
  std::int64_t loss_bytes() const override {
    constexpr std::int64_t kBytes = 40;
    constexpr std::int64_t kSamplerBytes = 120;
    const std::int64_t plain = kBytes + (task_.device.is_cpu() || !same_pairs_every_epoch() ? 0 : kSamplerBytes);
    const std::int64_t features = task_.description.width() * static_cast<std::int64_t>(sizeof(float));
    const auto max_positives = std::ssize(positives_of(view(1)));
    const std::int64_t pairs = 2 * (task_.epoch_pairs > 0 ? std::min(task_.epoch_pairs, max_positives) : max_positives);
    return pairs * (plain + features + task_.decoder.bytes_per_pair());
  }

  Metrics evaluate(const ModelOutput& output, EvaluationSet set) const override {
    const EvaluationPairs& pairs = set == EvaluationSet::kValid ? task_.split.valid() : task_.split.test();
    const std::vector<NodePair> all_pairs = joined(pairs.positives, pairs.negatives);
    std::vector<at::Tensor> parts;
    for (std::size_t begin = 0; begin < all_pairs.size(); begin += kPairsPerBatch) {
      const auto some = std::span(all_pairs).subspan(begin, std::min(kPairsPerBatch, all_pairs.size() - begin));
      if (set == EvaluationSet::kTest) {
        parts.push_back(scores_of(output, make_batch(some, nodes_, task_.description)));
        continue;
      }
      const std::size_t number = begin / kPairsPerBatch;
      if (number == valid_.size()) valid_.push_back(make_batch(some, nodes_, task_.description));
      parts.push_back(scores_of(output, valid_[number]));
    }
    const at::Tensor scores = parts.empty() ? at::zeros({0}) : at::cat(parts).contiguous();
    const Scores all(scores.data_ptr<float>(), static_cast<std::size_t>(scores.numel()));
    if (!std::all_of(all.begin(), all.end(), [](float score) { return std::isfinite(score); })) {
      return {.values = {{metric(), std::nan("")}}};
    }
    const auto positives = all.first(pairs.positives.size());
    const auto negatives = all.subspan(pairs.positives.size());
    Metrics metrics{.values = {}, .by_loss = by_loss_};
    for (const PairMetric& each : kMetrics) metrics.values.emplace_back(each.name, each.value(positives, negatives));
    metrics.put_first(metric_);
    if (metrics.has_loss()) metrics.loss = loss_of(positives, negatives);
    return metrics;
  }

  /// Hits@K is not defined if there are fewer than K negatives.
  void check_selection() const override {
    const std::int64_t negatives = std::ssize(task_.split.valid().negatives);
    for (const PairMetric& each : kMetrics) {
      if (metric_ != each.name || negatives == 0 || negatives >= each.min_negatives) continue;
      throw UserError("`select-by`: {} is undefined, since there are only {} validation negatives [use another metric]",
                      metric_, negatives);
    }
  }

  std::vector<NamedTensor> parameters() const override { return task_.decoder.parameters().trained(); }

 private:
  /// Whether every epoch uses all positives and pairs have no features. Only then can a GPU sample the negatives
  /// itself.
  bool same_pairs_every_epoch() const {
    return task_.hidden == nullptr && task_.description.width() == 0 &&
           (task_.epoch_pairs == 0 || task_.epoch_pairs >= std::ssize(task_.split.train_positives()));
  }

  at::Tensor scores_of(const ModelOutput& output, const PairBatch& batch) const {
    return task_.decoder.score(output.outputs, batch, {}).detach().cpu();
  }

  /// The pairs of an epoch. They stay valid until the next call, because the backward pass reads them.
  const PairBatch& sample(const ForwardOptions& options) {
    if (!chose_sampler_ && same_pairs_every_epoch()) {
      sampler_ = make_pair_sampler(task_.device, {.positives = task_.split.train_positives(),
                                                  .universe = task_.split.universe(),
                                                  .excluded = task_.split.train_positive_set(),
                                                  .nodes = nodes_});
    }
    chose_sampler_ = true;
    if (sampler_ != nullptr) return sampler_->draw(PairSplit::negatives_stream(options.epoch, task_.seed));
    if (task_.pool != nullptr) {
      const std::int64_t all = task_.pool->positives(options.view);
      const std::int64_t count = task_.epoch_pairs > 0 ? std::min(task_.epoch_pairs, all) : all;
      return training_.emplace(task_.pool->draw(options.view, options.epoch, count));
    }
    const std::vector<NodePair> positives = positives_in(options.epoch, options.view);
    const auto negatives = task_.split.train_negatives(options.epoch, task_.seed, positives.size());
    return training_.emplace(PairBatch(joined(positives, negatives), nodes_));
  }

  /// The positives of an epoch.
  std::vector<NodePair> positives_in(std::uint64_t epoch, std::int64_t view) const {
    const std::vector<NodePair>& all = positives_of(view);
    if (task_.epoch_pairs == 0 || task_.epoch_pairs >= std::ssize(all)) return all;
    const RandomStream stream(task_.seed, "train/pairs", epoch);
    std::vector<NodePair> sampled(static_cast<std::size_t>(task_.epoch_pairs));
    for (std::size_t i = 0; i < sampled.size(); ++i) sampled[i] = all[stream.below(i, all.size())];
    return sampled;
  }

  const std::vector<NodePair>& positives_of(std::int64_t view) const {
    if (view == 0) return task_.split.train_positives();
    ensure(task_.hidden != nullptr && view <= std::ssize(task_.hidden->parts), "an existing view with hidden edges");
    return task_.hidden->parts[static_cast<std::size_t>(view - 1)];
  }

  PairTask task_;
  std::int64_t nodes_;
  bool chose_sampler_ = false;            ///< whether `sampler_` has been decided on, in the first epoch
  std::unique_ptr<PairSampler> sampler_;  ///< samples on the device; null: on the CPU
  std::optional<PairBatch> training_;     ///< pairs of the current epoch when the CPU samples
  at::Tensor targets_;                    ///< float [pairs]: 1 for positives, 0 for negatives
  mutable std::vector<PairBatch> valid_;  ///< of every evaluation; test pairs are evaluated once
  std::string metric_{kPairMetric};
  bool by_loss_ = false;
};

const Registered<ObjectiveEntry> entry{{
    .name = "pairs",
    .summary = "binary cross entropy of training pairs and as many negative samples, resampled in every epoch",
    .tasks = {Task::kLinkPrediction, Task::kNodePairClassification},
    .is_default = true,
    .metrics = metric_names(),
    .make = [](const ObjectiveInputs& inputs) { return pair_objective(inputs.pairs.value()); },
}};

}  // namespace

PairBatch make_batch(std::span<const NodePair> pairs, std::int64_t nodes, const PairDescription& description) {
  if (description.width() == 0) return {pairs, nodes};
  std::vector<float> rows = description.describe(pairs, /*view=*/0);
  return {pairs, nodes, at::from_blob(rows.data(), {std::ssize(pairs), description.width()}, at::kFloat).clone()};
}

std::unique_ptr<Objective> pair_objective(const PairTask& task) { return std::make_unique<PairObjective>(task); }

}  // namespace gir
