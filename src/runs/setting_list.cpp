#include <charconv>
#include <cmath>
#include <utility>

#include "gir/core/error.h"
#include "gir/core/text.h"
#include "gir/learn/decoder.h"
#include "gir/learn/objective.h"
#include "gir/runs/expert_specs.h"
#include "gir/runs/run_config.h"

namespace gir {
namespace {

// Conversion between text and value for every type of setting.

void parse(const std::string& text, std::int64_t& value) {
  const auto number = parse_integer(text);
  if (!number) throw UserError("{} is not a whole number", quoted(text));
  value = *number;
}

void parse(const std::string& text, std::uint64_t& value) {
  const auto number = parse_integer(text);
  if (!number || *number < 0) throw UserError("{} is not a whole number of at least 0", quoted(text));
  value = static_cast<std::uint64_t>(*number);
}

void parse(const std::string& text, double& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) {
    throw UserError("{} is not a number", quoted(text));
  }
}

void parse(const std::string& text, bool& value) {
  if (text != "true" && text != "false") throw UserError("{} is neither true nor false", quoted(text));
  value = text == "true";
}

void parse(const std::string& text, std::string& value) { value = text; }
template <NamedEnum Enum>
void parse(const std::string& text, Enum& value) {
  value = parse_name<Enum>(text);
}
void parse(const std::string& text, SplitShares& value) { value = parse_shares(text); }
void parse(const std::string& text, std::vector<ExpertSpec>& value) { value = parse_experts(text); }
void parse(const std::string& text, std::vector<std::string>& value) { value = split_at(text, ','); }

template <typename T>
void parse(const std::string& text, std::optional<T>& value) {
  if (text.empty()) {
    value.reset();
  } else {
    parse(text, value.emplace());
  }
}

std::string print(std::int64_t value) { return fmt::format("{}", value); }
std::string print(std::uint64_t value) { return fmt::format("{}", value); }
std::string print(double value) { return fmt::format("{}", value); }
std::string print(bool value) { return value ? "true" : "false"; }
std::string print(const std::string& value) { return value; }
std::string print(const SplitShares& value) { return shares_text(value); }
std::string print(const std::vector<std::string>& value) { return join(value, ","); }
std::string print(const std::vector<ExpertSpec>& value) {
  std::vector<std::string> texts;
  for (const ExpertSpec& spec : value) texts.push_back(spec.text());
  return join(texts, ",");
}
template <NamedEnum Enum>
std::string print(Enum value) {
  return std::string(name_of(value));
}
template <typename T>
std::string print(const std::optional<T>& value) {
  return value ? print(*value) : "";
}

template <auto Access>
void set_value(RunConfig& config, const std::string& text) {
  parse(text, Access(config));
}

template <auto Access>
std::string get_value(const RunConfig& config) {
  return print(Access(const_cast<RunConfig&>(config)));
}

/// `Access` returns a reference to the value in a configuration.
template <auto Access>
Setting setting(const char* name, SettingGroup group, const char* type, std::string summary, Bounds bounds = {},
                const char* listed = "", SettingScope scope = {}) {
  return {.name = name,
          .group = group,
          .summary = std::move(summary),
          .type = type,
          .bounds = bounds,
          .listed = listed,
          .scope = scope,
          .set = set_value<Access>,
          .get = get_value<Access>};
}

/// The same for a setting without a range.
template <auto Access>
Setting setting(const char* name, SettingGroup group, const char* type, std::string summary, SettingScope scope,
                const char* listed = "") {
  return setting<Access>(name, group, type, std::move(summary), Bounds(), listed, scope);
}

constexpr Bounds kAtLeastZero{.minimum = 0};
constexpr Bounds kAtLeastOne{.minimum = 1};
constexpr Bounds kPositive{.minimum = 0, .exclusive_minimum = true};
constexpr Bounds kShare{.minimum = 0, .maximum = 1, .exclusive_maximum = true};

// Scopes. Settings of the data hold for everything that is trained on it.
constexpr SettingScope newer(SettingScope scope) {
  scope.newer = true;
  return scope;
}

constexpr SettingScope of_data(DataRole role) {
  return {.data = role, .of_expert = false, .of_model = false, .searchable = false};
}

constexpr SettingScope kTask = of_data(DataRole::kNone);
constexpr SettingScope kFile = of_data(DataRole::kFile);
constexpr SettingScope kReading = of_data(DataRole::kReading);
constexpr SettingScope kSplit = of_data(DataRole::kSplit);
constexpr SettingScope kNewer{.newer = true};
constexpr SettingScope kWholeRun{.of_expert = false, .of_model = false, .searchable = false};
constexpr SettingScope kEvaluation{.searchable = false, .newer = true};  ///< changes what is evaluated
constexpr SettingScope kSeed{.of_model = false, .searchable = false};    ///< comparisons choose seeds themselves
constexpr SettingScope kModels{.of_expert = false, .of_model = false};   ///< says which models there are
constexpr SettingScope kFusedModel{.of_expert = false};

/// "mlp, dot or scaled-dot"
std::string alternatives(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + names[i];
  }
  return text;
}

template <NamedEnum Enum>
std::string one_of(std::string_view what) {
  return fmt::format("{}: {}", what, alternatives(names_of<Enum>()));
}

/// The same for a registry.
template <typename Entry>
std::string registered(std::string_view what) {
  std::vector<std::string> names;
  for (const Entry& entry : Registry<Entry>::all()) names.push_back(entry.name);
  return fmt::format("{}: {}", what, alternatives(names));
}

std::string decoders_with_dropout() {
  std::vector<std::string> names;
  for (const DecoderEntry& entry : Registry<DecoderEntry>::all()) {
    if (entry.uses_dropout) names.push_back(entry.name);
  }
  return "Dropout inside the decoder: " + alternatives(names);
}

#define GIR_AT(place) \
  [](RunConfig & config) -> auto& { return config.place; }

std::vector<Setting> make_settings() {
  constexpr auto data = SettingGroup::kData;
  constexpr auto model = SettingGroup::kModel;
  constexpr auto anchors = SettingGroup::kAnchors;
  constexpr auto training = SettingGroup::kTraining;
  constexpr auto fusion = SettingGroup::kFusion;
  return {
      setting<GIR_AT(data.graph)>("graph", data, "NAME_OR_FILE", "Name of a data set, file or folder", kFile),
      setting<GIR_AT(data.features)>("features", data, "FILE", "Node features: .npy, .npz or text, one row per node",
                                     kFile),
      setting<GIR_AT(data.labels)>("labels", data, "FILE", "Node labels: .npy, .npz, or text with 'node label' lines",
                                   kFile),
      setting<GIR_AT(data.read.format)>("read-as", data, "FORMAT",
                                        "Format of the graph file; default: by its extension", kReading, "formats"),
      setting<GIR_AT(data.read.directed)>("directed", data, "", "Edges have a direction", kReading),
      setting<GIR_AT(data.read.text_ids)>("text-ids", data, "",
                                          "Edge lists: ids are text even if they look like numbers", kReading),
      setting<GIR_AT(data.read.num_nodes)>("num-nodes", data, "N",
                                           "Edge lists: the nodes are 0 .. N-1, with or without edges", kAtLeastOne, "",
                                           kReading),
      setting<GIR_AT(data.read.columns)>("columns", data, "WHAT=COLUMN,...",
                                         "Columns to read, by name or by number from 1: source=from,target=to,weight=w "
                                         "(edges), node=id,label=team (labels)",
                                         newer(kReading)),
      setting<GIR_AT(data.read.header)>(
          "header", data, "NAME",
          one_of<HeaderLine>("Edge lists, files of labels: whether the first line names the columns"), newer(kReading)),
      setting<GIR_AT(task)>("task", data, "NAME",
                            "nc (node classification), lp (link prediction) or npc (node-pair classification); "
                            "default: the task of the data set",
                            kTask),
      setting<GIR_AT(split)>("split", data, "N", "Number of the split into training, validation and test sets", kTask),
      setting<GIR_AT(split_shares)>("split-shares", data, "A,B,C",
                                    "Shares of training, validation and test set, such as 0.85,0.05,0.1; the test "
                                    "share may be 0; default: 0.6,0.2,0.2 for nc, else 0.8,0.1,0.1",
                                    newer(kTask)),
      setting<GIR_AT(data.split_from)>("split-from", data, "PATH",
                                       "Your own split: a folder with train.txt, valid.txt and test.txt, a .mat file "
                                       "with train_pos and test_pos, or a .npz file with masks",
                                       newer(kSplit)),
      setting<GIR_AT(official_split)>("official-split", data, "",
                                      "Use the official split of the data (nc), or one of its published splits, "
                                      "which `split` chooses (lp)",
                                      kTask),

      setting<GIR_AT(model)>("model", model, "NAME", "Model to train", kModels, "models"),
      setting<GIR_AT(shape.layers)>("layers", model, "N", "Number of layers", kAtLeastOne),
      setting<GIR_AT(shape.hidden)>("hidden", model, "N", "Hidden size; 0: that of the data set, else 32",
                                    kAtLeastZero),
      setting<GIR_AT(shape.members)>("members", model, "N",
                                     "Independently initialised copies of the model, whose predictions are averaged",
                                     kAtLeastOne, "", kNewer),
      setting<GIR_AT(shape.message)>("message", model, "NAME", one_of<MessageFunction>("Message function")),
      setting<GIR_AT(shape.attention_heads)>("attention-heads", model, "N", "Heads of the message function attention",
                                             kAtLeastOne),
      setting<GIR_AT(shape.weighted)>("weighted", model, "", "Multiply messages by the edges' weights"),
      setting<GIR_AT(shape.dropout)>("dropout", model, "REAL", "Dropout of hidden activations", kShare),
      setting<GIR_AT(shape.input_dropout)>("input-dropout", model, "REAL", "Dropout of the input features", kShare),
      setting<GIR_AT(shape.norm)>("norm", model, "NAME", one_of<Norm>("Normalisation between layers")),
      setting<GIR_AT(shape.settle_norms)>(
          "settle-norms", model, "", "Batch norm: every evaluation recomputes the running statistics, without dropout"),
      setting<GIR_AT(shape.residual)>("residual", model, "", "Residual connections around layers"),
      setting<GIR_AT(shape.residual_maps)>(
          "residual-maps", model, "",
          "With `residual`: linear projection shortcuts for the first layer and for layers "
          "that change the width"),
      setting<GIR_AT(shape.jump)>("jump", model, "",
                                  "Jumping-knowledge connections: the output is a linear map of all layers"),
      setting<GIR_AT(shape.structural)>("structural", model, "",
                                        "Add degrees, core numbers, clustering coefficients and the like to the "
                                        "features"),
      setting<GIR_AT(shape.forest)>("forest", model, "",
                                    "nc, without given features: average the class probabilities with those of a "
                                    "random forest on structural features",
                                    kNewer),
      setting<GIR_AT(shape.positions)>("positions", model, "NAME",
                                       one_of<Positions>("Add distances from the anchors to the features"), kNewer),
      setting<GIR_AT(shape.position_size)>(
          "position-size", model, "N", "With `positions`: number of channels; anchors are assigned to them round-robin",
          kAtLeastOne, "", kNewer),
      setting<GIR_AT(shape.initial)>("initial", model, "NAME", one_of<Initial>("Weight initialisation")),
      setting<GIR_AT(shape.normalise)>("normalise", model, "", "L2-normalise the embeddings"),
      setting<GIR_AT(decoder)>("decoder", model, "NAME", registered<DecoderEntry>("Decoder that scores pairs")),
      setting<GIR_AT(decoder_dropout)>("decoder-dropout", model, "REAL", decoders_with_dropout(), kShare),
      setting<GIR_AT(pair_features)>("pair-features", model, "A,B",
                                     "Pair features that are additional inputs of the decoder; '': none", Bounds(),
                                     "pair-features"),
      setting<GIR_AT(hidden_parts)>("hidden-parts", model, "N",
                                    "lp: divide the training edges into N parts; an epoch supervises one, without its "
                                    "edges as messages; 0: no parts"),
      setting<GIR_AT(hidden_rounds)>("hidden-rounds", model, "N",
                                     "lp: divide the training edges N times, each time into other `hidden-parts`",
                                     {.minimum = 1, .maximum = 100}, "", kNewer),
      setting<GIR_AT(hidden_views)>("hidden-views", model, "N",
                                    "lp: use only N parts of all `hidden-rounds`, to save memory; 0: all of them",
                                    kAtLeastZero, "", kNewer),
      setting<GIR_AT(messages)>("messages", model, "NAME",
                                one_of<MessageEdges>("lp: message edges when test pairs are scored"), kEvaluation),
      setting<GIR_AT(epoch_pairs)>("epoch-pairs", model, "N",
                                   "lp, npc: number of positive training pairs sampled per epoch; 0: all of them",
                                   kAtLeastZero),

      setting<GIR_AT(anchors)>("anchors", anchors, "N",
                               "Number of anchors; 0: that of the data set, else 64; with `recipe` auto: by the size "
                               "of the message graph",
                               kAtLeastZero),
      setting<GIR_AT(shape.anchor_sets)>(
          "anchor-sets", anchors, "N",
          "Number of anchor sets, for models that have several; 0: that of the data set, else 8", kAtLeastZero),
      setting<GIR_AT(strategy)>("strategy", anchors, "NAME", "Anchor selection", Bounds(), "strategies"),
      setting<GIR_AT(fill)>("fill", anchors, "NAME",
                            "Strategy that adds anchors where the first one selects fewer; '': none"),
      setting<GIR_AT(anchor_file)>("anchor-file", anchors, "FILE",
                                   "File with the ids of your own anchors, one per line (strategy file)"),

      setting<GIR_AT(fusion.experts)>("experts", fusion, "A,B",
                                      "Experts to fuse: models with their settings, such as gcn:layers=3,gir:layers=5, "
                                      "or folders of finished runs",
                                      kModels),
      setting<GIR_AT(fusion.runs)>("expert-runs", fusion, "DIR,DIR",
                                   "Finished runs that the experts come from (set by `experts`)", kWholeRun),
      setting<GIR_AT(fusion.cache)>(
          "expert-cache", fusion, "DIR",
          "Folder of trained experts, shared with other runs; default: in the folder of the run", kWholeRun),
      setting<GIR_AT(fusion.training)>("expert-training", fusion, "NAME",
                                       "Experts are trained before the gate (frozen), before and with it (tuned) or "
                                       "only with it (joint)",
                                       kFusedModel),
      setting<GIR_AT(fusion.weight_regularisation)>(
          "fwr", fusion, "REAL",
          "Regulariser FWR: weight of the distance between gate weights and softmax of the experts' negative losses",
          kAtLeastZero, "", kFusedModel),
      setting<GIR_AT(fusion.expert_losses)>("expert-losses", fusion, "",
                                            "Add the experts' losses to the loss of the fused model", kFusedModel),
      setting<GIR_AT(shape.gate.hidden)>("gate-hidden", fusion, "N", "Hidden size of the gate", kAtLeastOne, "",
                                         kFusedModel),
      setting<GIR_AT(shape.gate.probabilities)>("gate-probabilities", fusion, "",
                                                "The gate reads the experts' class probabilities, not their logits",
                                                kFusedModel),

      setting<GIR_AT(objective)>("objective", training, "NAME",
                                 registered<ObjectiveEntry>("Training objective") + "; '': that of the task", kNewer),
      setting<GIR_AT(select_by)>("select-by", training, "NAME",
                                 "Validation metric that selects the epoch: accuracy, macro_f1, auc, ..., or loss for "
                                 "the lowest loss; '': accuracy for nc, ROC AUC for pairs",
                                 kEvaluation),
      setting<GIR_AT(training.epochs)>("epochs", training, "N", "Maximum number of epochs", kAtLeastOne),
      setting<GIR_AT(training.evaluate_every)>("evaluate-every", training, "N",
                                               "Epochs between evaluations on the validation set", kAtLeastOne),
      setting<GIR_AT(training.patience)>("patience", training, "N",
                                         "Early stopping: evaluations without improvement; 0: no early stopping",
                                         kAtLeastZero),
      setting<GIR_AT(training.optimizer)>("optimizer", training, "NAME", registered<OptimizerEntry>("Optimiser")),
      setting<GIR_AT(training.learning_rate)>("lr", training, "REAL", "Learning rate", kPositive),
      setting<GIR_AT(training.weight_decay)>("weight-decay", training, "REAL", "Weight decay", kAtLeastZero),
      setting<GIR_AT(training.schedule)>(
          "schedule", training, "NAME",
          one_of<Schedule>("Learning rate schedule") + " (constant, then linear decay from half of the epochs on)"),
      setting<GIR_AT(training.clip)>("clip", training, "REAL", "Gradient clipping norm; 0: no clipping", kAtLeastZero),
      setting<GIR_AT(class_weights)>("class-weights", training, "", "Weight classes in the loss by inverse frequency"),
      setting<GIR_AT(refit)>(
          "refit", training, "",
          "After training, train once more from the start on training and validation data together, for as "
          "many epochs as the best one",
          newer(kWholeRun)),
      setting<GIR_AT(checkpoint_every)>("checkpoint-every", training, "N", "Epochs between checkpoints; 0: none",
                                        kAtLeastZero, "", kWholeRun),
      setting<GIR_AT(memory_budget)>("memory-budget", training, "REAL",
                                     "Memory limit of training in GiB; 0: most of the memory of the machine or the GPU",
                                     kAtLeastZero, "", kWholeRun),
      setting<GIR_AT(seed)>("seed", training, "N", "Seed of all random numbers except those of the split", kSeed),
      setting<GIR_AT(seed_stream)>(
          "seed-stream", training, "TEXT",
          "Models with the same seed and different streams are initialised differently; set for experts", kWholeRun),
  };
}

#undef GIR_AT

}  // namespace

const std::vector<Setting>& settings() {
  static const std::vector<Setting> all = make_settings();
  return all;
}

const Setting& find_setting(std::string_view name) {
  const std::string wanted = canonical_name(name);
  std::vector<std::string> known;
  for (const Setting& each : settings()) {
    if (each.name == wanted) return each;
    known.push_back(each.name);
  }
  throw UnknownNameError("setting", name, std::move(known));
}

}  // namespace gir
