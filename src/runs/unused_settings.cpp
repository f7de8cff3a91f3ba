#include <fmt/format.h>

#include <set>

#include "gir/learn/decoder.h"
#include "gir/runs/experiment.h"
#include "gir/runs/run_config.h"

namespace gir {
namespace {

/// Settings that have no effect on some configurations.
struct Rule {
  std::set<std::string_view> settings;
  std::string (*reason)(const RunConfig& config, const ModelEntry& model);  ///< why they have none; empty if they have
};

std::string if_true(bool unused, std::string reason) { return unused ? std::move(reason) : ""; }

/// A fused model uses what any of its experts uses, so the rules on models are for others.
const std::vector<Rule>& rules() {
  static const std::vector<Rule> all = {
      {{"anchors", "strategy", "fill", "anchor-file"},
       [](const RunConfig& config, const ModelEntry& model) {
         return if_true(!model.fuses && !uses_anchors(config), model.name + " has no anchors");
       }},
      {{"anchors"},
       [](const RunConfig& config, const ModelEntry&) {
         return if_true(config.strategy == "file" && config.fill.empty(), "`anchor-file` lists the anchors");
       }},
      {{"anchor-sets"},
       [](const RunConfig&, const ModelEntry& model) {
         return if_true(!model.fuses && !model.uses_anchor_sets, model.name + " has no anchor sets");
       }},
      {{"message", "attention-heads", "weighted"},
       [](const RunConfig&, const ModelEntry& model) {
         return if_true(!model.fuses && !model.along_edges, "in " + model.name + " no messages travel along edges");
       }},
      {{"attention-heads"},
       [](const RunConfig& config, const ModelEntry& model) {
         const bool attends = config.shape.message == MessageFunction::kAttention;
         return if_true(!model.fuses && !attends, "it is for the message function attention");
       }},
      {{"position-size"},
       [](const RunConfig& config, const ModelEntry& model) {
         return if_true(!model.fuses && config.shape.positions == Positions::kNone, "it is for `positions` anchors");
       }},
      {{"residual-maps"},
       [](const RunConfig& config, const ModelEntry& model) {
         return if_true(!model.fuses && !config.shape.residual, "it is for `residual` connections");
       }},
      {{"settle-norms"},
       [](const RunConfig& config, const ModelEntry& model) {
         return if_true(!model.fuses && config.shape.norm != Norm::kBatch, "it is for `norm` batch");
       }},
      {{"decoder", "decoder-dropout", "pair-features", "epoch-pairs"},
       [](const RunConfig& config, const ModelEntry&) {
         return if_true(config.task == task_name(Task::kNodeClassification), "it is for pairs, not for nodes (nc)");
       }},
      {{"decoder-dropout"},
       [](const RunConfig& config, const ModelEntry&) {
         return if_true(!Registry<DecoderEntry>::get(config.decoder).uses_dropout,
                        "the decoder " + config.decoder + " has no dropout");
       }},
      {{"hidden-parts", "hidden-rounds", "hidden-views"},
       [](const RunConfig& config, const ModelEntry&) {
         return if_true(config.task != task_name(Task::kLinkPrediction), "it is for links (lp)");
       }},
      {{"hidden-rounds", "hidden-views"},
       [](const RunConfig& config, const ModelEntry&) {
         return if_true(config.hidden_parts == 0, "no supervision edges are hidden [set `hidden-parts`]");
       }},
      {{"class-weights", "forest"},
       [](const RunConfig& config, const ModelEntry&) {
         return if_true(config.task != task_name(Task::kNodeClassification), "it is for the classes of nodes (nc)");
       }},
      {{"expert-runs", "expert-cache", "expert-training", "fwr", "expert-losses", "gate-hidden", "gate-probabilities"},
       [](const RunConfig&, const ModelEntry& model) {
         return if_true(!model.fuses, model.name + " is not a fused model");
       }},
  };
  return all;
}

/// Whether a setting has the plain default, with which it requests nothing.
bool is_default(const Setting& setting, const std::string& value) {
  RunConfig config;
  set(config, setting.name, value);
  return setting.get(config) == setting.get(RunConfig());
}

}  // namespace

std::vector<std::string> unused_settings(const RunConfig& config, const SettingValues& given) {
  const ModelEntry& model = Registry<ModelEntry>::get(config.model);
  std::vector<std::string> sentences;
  for (const auto& [name, value] : given) {
    const Setting& setting = find_setting(name);
    if (is_default(setting, value)) continue;
    for (const Rule& rule : rules()) {
      if (!rule.settings.contains(setting.name)) continue;
      const std::string reason = rule.reason(config, model);
      if (reason.empty()) continue;
      sentences.push_back(fmt::format("`{}` has no effect: {}", setting.name, reason));
      break;
    }
  }
  return sentences;
}

}  // namespace gir
