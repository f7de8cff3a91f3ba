#include "grid_splits.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "gir/core/error.h"
#include "pair_splits.h"

namespace gir {
namespace {

constexpr std::int64_t kUsualSplits = 5;

/// The number of splits where the user gave none, and of those that there are: it divides the number of runs. Either
/// the largest one up to the usual number, or one per run.
SplitPlan automatic_splits(const GridOptions& options, std::int64_t available) {
  const std::int64_t usual = std::min(kUsualSplits, available);
  SplitPlan plan{.count = usual};
  while (options.runs % plan.count != 0) --plan.count;
  if (plan.count == usual) return plan;
  if (plan.count == 1 && options.runs <= available) plan.count = options.runs;
  plan.notes.push_back(fmt::format("`splits` is {}, because `runs` {} cannot be distributed evenly over {}", plan.count,
                                   options.runs, usual));
  return plan;
}

std::string one_split_note(const Dataset& dataset, const char* which) {
  return fmt::format("all runs on {} have {} split, so they differ in their seeds only", dataset.name, which);
}

/// The splits of a file or folder that the user gave.
SplitPlan given_splits(const GridOptions& options, const GivenParts& parts, const Dataset& dataset,
                       const std::string& path) {
  if (options.splits > 1 && !parts.vary()) {
    throw UserError(
        "{}: is one split, so `splits` {} would repeat the same runs [use `splits` 1: more `runs` differ in their "
        "seeds]",
        path, options.splits);
  }
  SplitPlan plan = options.splits > 0 ? SplitPlan{.count = options.splits} : automatic_splits(options, parts.splits);
  if (plan.count == 1 && options.splits == 0 && options.runs > 1) {
    plan.notes.push_back(one_split_note(dataset, parts.splits == 1 ? "the given" : "the first given"));
  } else if (plan.count < parts.splits && options.splits == 0) {
    plan.notes.push_back(fmt::format("runs on {} use the first {} of the {} given splits [`splits` uses more]",
                                     dataset.name, plan.count, parts.splits));
  }
  if (plan.count > 1 && parts.splits == 1) {
    plan.notes.push_back(
        fmt::format("the {} splits of {} differ only in what is drawn from the given training part for validation",
                    plan.count, dataset.name));
  }
  return plan;
}

}  // namespace

SplitPlan plan_splits(const GridOptions& options, RunConfig config, const Dataset& dataset) {
  const bool tests = options.set == EvaluationSet::kTest;
  if (const std::string path = config.data.split_from; !path.empty()) {
    config.split = static_cast<std::uint64_t>(std::max<std::int64_t>(options.splits - 1, 0));  // may be too many
    const GivenParts parts = given_parts(dataset, config);
    if (tests && !parts.test) {
      throw UserError("{}: the split has no test part [request `validation` metrics, or add one]", path);
    }
    return given_splits(options, parts, dataset, path);
  }
  if (tests && config.split_shares && config.split_shares->test <= 0) {
    throw UserError("`split-shares` leaves no test set [request `validation` metrics, or give the test set a share]");
  }
  const auto available = num_splits(dataset, config);
  if (available == 1) {
    if (options.splits == 1 || options.runs == 1) return {};
    return {.count = 1, .notes = {one_split_note(dataset, "its official")}};
  }
  if (available && static_cast<std::uint64_t>(options.splits) > *available) {
    throw UserError(
        "{}: there are {} published splits, so there are not {} [`splits` up to {}, of which `runs` is a multiple]",
        dataset.name, *available, options.splits, *available);
  }
  if (options.splits > 0) return {.count = options.splits};
  return automatic_splits(options, available ? static_cast<std::int64_t>(*available) : options.runs + kUsualSplits);
}

}  // namespace gir
