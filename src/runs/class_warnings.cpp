#include "gir/runs/class_warnings.h"

#include <algorithm>
#include <functional>
#include <optional>

#include "gir/core/error.h"
#include "gir/core/text.h"
#include "gir/learn/metrics.h"

namespace gir {
namespace {

constexpr std::int64_t kLargeRatio = 10;  ///< of the largest to the smallest class
constexpr double kLargeDifference = 0.1;  ///< between accuracy and balanced accuracy
constexpr double kHardlyBetter = 0.1;     ///< of the way from guessing to a perfect classifier

using Sizes = std::vector<std::int64_t>;

Sizes class_sizes(const Labels& labels, std::span<const NodeId> nodes) {
  Sizes sizes(labels.names.size(), 0);
  for (const NodeId node : nodes) ++sizes[static_cast<std::size_t>(labels.classes[node])];
  return sizes;
}

/// `class "a" has no test node` or `3 of 12 classes, "a" among them, have no test node`; nothing if all have some.
/// Classes without any labelled node do not count.
std::optional<std::string> without_nodes(const Labels& labels, const Sizes& all, const Sizes& part, const char* what) {
  std::vector<std::size_t> missing;
  for (std::size_t c = 0; c < all.size(); ++c) {
    if (all[c] > 0 && part[c] == 0) missing.push_back(c);
  }
  if (missing.empty()) return std::nullopt;
  const std::string first = quoted(labels.names[missing.front()]);
  if (missing.size() == 1) return fmt::format("class {} has no {} node", first, what);
  return fmt::format("{} of {} classes, {} among them, have no {} node", missing.size(), all.size(), first, what);
}

/// The settings that have not been tried, in brackets.
std::string remedy(const EvaluatedClasses& evaluated) {
  if (evaluated.weighted && evaluated.selects) return "[use another `model`, more `epochs` or better features]";
  if (evaluated.weighted) return "[select the epoch by `select-by` macro_f1]";
  if (evaluated.selects) return "[train with `class-weights`]";
  return "[train with `class-weights`, or select the epoch by `select-by` macro_f1]";
}

std::int64_t count_occurring(const Sizes& sizes) {
  return std::count_if(sizes.begin(), sizes.end(), [](std::int64_t size) { return size > 0; });
}

/// A model that predicts the same class for every validation node although they have several.
std::optional<std::string> single_prediction(const EvaluatedClasses& evaluated, const Sizes& valid) {
  const auto& predicted = evaluated.predicted;
  if (predicted.empty() || count_occurring(valid) < 2) return std::nullopt;
  if (std::adjacent_find(predicted.begin(), predicted.end(), std::not_equal_to<>()) != predicted.end())
    return std::nullopt;
  return fmt::format("all {} validation nodes are predicted as class {}, although {} classes occur {}",
                     with_thousands(std::ssize(predicted)),
                     quoted(evaluated.labels.names[static_cast<std::size_t>(predicted.front())]),
                     count_occurring(valid), remedy(evaluated));
}

/// The split of the model that was validated.
const NodeSplit& validated_split(const EvaluatedClasses& evaluated) {
  return evaluated.before_refit != nullptr ? *evaluated.before_refit : evaluated.split;
}

std::vector<std::int32_t> true_classes(const EvaluatedClasses& evaluated) {
  std::vector<std::int32_t> truth;
  for (const NodeId node : validated_split(evaluated).valid) truth.push_back(evaluated.labels.classes[node]);
  return truth;
}

/// A model that is hardly better than one that always predicts the largest class, or than one that guesses. Where small
/// classes are requested, accuracy may be lower than the share of the largest class.
std::optional<std::string> chance(const EvaluatedClasses& evaluated, const Sizes& valid) {
  const std::int64_t classes = count_occurring(valid);
  if (evaluated.predicted.empty() || classes < 2) return std::nullopt;
  const std::vector<std::int32_t> truth = true_classes(evaluated);
  const double all = accuracy(evaluated.predicted, truth);
  const double balanced = balanced_accuracy(evaluated.predicted, truth, evaluated.labels.num_classes());
  const double largest =
      static_cast<double>(*std::max_element(valid.begin(), valid.end())) / static_cast<double>(truth.size());
  const double guessing = 1 / static_cast<double>(classes);
  const bool better_than_guessing = balanced - guessing >= kHardlyBetter * (1 - guessing);
  const bool asks_for_small = evaluated.weighted || evaluated.selects;
  const bool not_above = all <= largest && !(asks_for_small && better_than_guessing);
  if (!not_above && (better_than_guessing || all - largest >= kHardlyBetter * (1 - largest))) return std::nullopt;
  return fmt::format(
      "validation accuracy {:.3f}{} is {} than always answering the largest class ({:.3f}), and balanced accuracy is "
      "{:.3f}, by guessing {:.3f} [another `model` or better features]",
      all, evaluated.before_refit != nullptr ? " of the model before the refit" : "",
      all <= largest ? "not better" : "hardly better", largest, balanced, guessing);
}

/// Classes of very different sizes matter where accuracy hides that small ones are missed.
std::optional<std::string> imbalance(const EvaluatedClasses& evaluated, const Sizes& train) {
  const auto largest = std::max_element(train.begin(), train.end());
  const auto smallest = std::min_element(train.begin(), train.end(), [](std::int64_t a, std::int64_t b) {
    return (a > 0 && b > 0) ? a < b : a > b;  // classes without training nodes come last
  });
  if (largest == train.end() || *smallest == 0 || *largest < kLargeRatio * *smallest) return std::nullopt;
  const std::vector<std::int32_t> truth = true_classes(evaluated);
  const double all = accuracy(evaluated.predicted, truth);
  const double balanced = balanced_accuracy(evaluated.predicted, truth, evaluated.labels.num_classes());
  if (all - balanced < kLargeDifference) return std::nullopt;
  const auto name = [&](auto found) {
    return quoted(evaluated.labels.names[static_cast<std::size_t>(found - train.begin())]);
  };
  return fmt::format(
      "classes are imbalanced ({} training nodes of class {}, {} of class {}) and small ones are missed: validation "
      "accuracy {:.2f}, balanced accuracy {:.2f} {}",
      with_thousands(*largest), name(largest), with_thousands(*smallest), name(smallest), all, balanced,
      remedy(evaluated));
}

}  // namespace

std::vector<std::string> class_warnings(const EvaluatedClasses& evaluated) {
  ensure(evaluated.predicted.size() == validated_split(evaluated).valid.size(), "one prediction per validation node");
  const Sizes train = class_sizes(evaluated.labels, evaluated.split.train);
  const Sizes valid = class_sizes(evaluated.labels, evaluated.split.valid);
  const Sizes test = class_sizes(evaluated.labels, evaluated.split.test);
  Sizes all(train.size());
  for (std::size_t c = 0; c < all.size(); ++c) all[c] = train[c] + valid[c] + test[c];
  std::vector<std::string> warnings;
  const auto add_missing = [&](const Sizes& part, const char* what, const char* consequence) {
    if (std::ssize(part) == std::count(part.begin(), part.end(), 0)) return;  // the split has no such part
    const auto found = without_nodes(evaluated.labels, all, part, what);
    if (found) warnings.push_back(fmt::format("{}: {}", *found, consequence));
  };
  add_missing(train, "training", "no model can learn it [use another `split`, label more nodes or remove the class]");
  add_missing(valid, "validation",
              "the selected epoch does not depend on it [use another `split` or label more nodes]");
  add_missing(test, "test", "test metrics do not cover it [use another `split` or label more nodes]");
  const Sizes validated = class_sizes(evaluated.labels, validated_split(evaluated).valid);
  if (const auto found = single_prediction(evaluated, validated)) {
    warnings.push_back(*found);
  } else if (const auto different =
                 imbalance(evaluated, class_sizes(evaluated.labels, validated_split(evaluated).train))) {
    warnings.push_back(*different);
  } else if (const auto poor = chance(evaluated, validated)) {
    warnings.push_back(*poor);
  }
  return warnings;
}

}  // namespace gir
