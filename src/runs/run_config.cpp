#include "gir/runs/run_config.h"

#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "gir/core/error.h"
#include "gir/core/file.h"
#include "gir/core/hash.h"
#include "gir/core/text.h"
#include "gir/core/version.h"
#include "gir/nn/device.h"

namespace gir {
namespace {

using nlohmann::json;

// Texts to values and back, for every type that a setting has.

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
void parse(const std::string& text, Norm& value) { value = parse_norm(text); }
void parse(const std::string& text, Initial& value) { value = parse_initial(text); }
void parse(const std::string& text, MessageFunction& value) { value = parse_message_function(text); }
void parse(const std::string& text, ExpertTraining& value) { value = parse_expert_training(text); }

void parse(const std::string& text, std::optional<bool>& value) {
  if (text.empty()) {
    value.reset();
  } else {
    parse(text, value.emplace());
  }
}

void parse(const std::string& text, std::optional<std::int64_t>& value) {
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
std::string print(Norm value) { return std::string(norm_name(value)); }
std::string print(Initial value) { return std::string(initial_name(value)); }
std::string print(MessageFunction value) { return std::string(message_function_name(value)); }
std::string print(ExpertTraining value) { return std::string(expert_training_name(value)); }
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

/// `Access` gives the place of the value inside a configuration.
template <auto Access>
Setting setting(const char* name, const char* group, const char* type, const char* summary) {
  return {.name = name,
          .group = group,
          .summary = summary,
          .type = type,
          .set = set_value<Access>,
          .get = get_value<Access>};
}

#define GIR_AT(place) \
  [](RunConfig & config) -> auto& { return config.place; }

std::vector<Setting> make_settings() {
  const char* data = "Data";
  const char* model = "Model";
  const char* anchors = "Anchors";
  const char* training = "Training";
  const char* fusion = "Fusion";
  return {
      setting<GIR_AT(data.graph)>("graph", data, "NAME_OR_FILE", "Name of a data set, file or folder"),
      setting<GIR_AT(data.features)>("features", data, "FILE", "Node features: .npy, .npz or text, one row a node"),
      setting<GIR_AT(data.labels)>("labels", data, "FILE", "Node labels: .npy, .npz, or text with 'node label' lines"),
      setting<GIR_AT(data.read.format)>("read-as", data, "FORMAT",
                                        "Format of the graph (by the ending of its name; gir info formats)"),
      setting<GIR_AT(data.read.directed)>("directed", data, "", "Edges have a direction"),
      setting<GIR_AT(data.read.text_ids)>("text-ids", data, "",
                                          "Edge lists: ids are text even where they look like numbers"),
      setting<GIR_AT(data.read.num_nodes)>("num-nodes", data, "N",
                                           "Edge lists: the nodes are 0 .. N-1, with or without edges"),
      setting<GIR_AT(task)>("task", data, "NAME",
                            "nc (classes of nodes), lp (links) or npc (pairs of nodes); what the data set is for"),
      setting<GIR_AT(split)>("split", data, "N", "Number of the split into training, validation and test data"),
      setting<GIR_AT(official_split)>("official-split", data, "", "nc: use the split that the data comes with"),

      setting<GIR_AT(model)>("model", model, "NAME", "What to train (gir info models)"),
      setting<GIR_AT(shape.layers)>("layers", model, "N", "Number of layers"),
      setting<GIR_AT(shape.hidden)>("hidden", model, "N", "Width of a layer; 0: what the data set comes with, else 32"),
      setting<GIR_AT(shape.message)>("message", model, "NAME",
                                     "What a node makes of its messages: mean, sum, gcn, max or attention"),
      setting<GIR_AT(shape.attention_heads)>("attention-heads", model, "N", "Heads of the message function attention"),
      setting<GIR_AT(shape.weighted)>("weighted", model, "", "Weigh messages by the edges' weights"),
      setting<GIR_AT(shape.dropout)>("dropout", model, "REAL", "Share of hidden values that training drops"),
      setting<GIR_AT(shape.input_dropout)>("input-dropout", model, "REAL",
                                           "Share of the features' values that training drops"),
      setting<GIR_AT(shape.norm)>("norm", model, "NAME", "Between layers: none, batch or layer"),
      setting<GIR_AT(shape.settle_norms)>("settle-norms", model, "",
                                          "Batch norm: every look takes its running figures anew, without dropout"),
      setting<GIR_AT(shape.residual)>("residual", model, "", "Layers add to what they are given"),
      setting<GIR_AT(shape.residual_maps)>(
          "residual-maps", model, "",
          "With --residual: the first layer and those that change the width add to a linear map"),
      setting<GIR_AT(shape.jump)>("jump", model, "", "Read off all layers' outputs, not the last one's"),
      setting<GIR_AT(shape.structural)>("structural", model, "",
                                        "Add degrees, cores, clustering and the like to the nodes' features"),
      setting<GIR_AT(shape.initial)>("initial", model, "NAME", "How weights begin: uniform, xavier or xavier-relu"),
      setting<GIR_AT(shape.normalise)>("normalise", model, "", "Embeddings have length 1"),
      setting<GIR_AT(decoder)>("decoder", model, "NAME", "Score of a pair: mlp, dot or scaled-dot"),
      setting<GIR_AT(decoder_dropout)>("decoder-dropout", model, "REAL", "Dropout inside the decoder mlp"),
      setting<GIR_AT(pair_features)>("pair-features", model, "A,B",
                                     "What the decoder also sees of a pair (gir info pair-features); '': nothing"),
      setting<GIR_AT(hidden_parts)>("hidden-parts", model, "N",
                                    "lp: hide training edges while asking about them, in N parts in turn; 0: never"),
      setting<GIR_AT(epoch_pairs)>("epoch-pairs", model, "N",
                                   "lp, npc: positives that every epoch draws anew; 0: it asks about all of them"),

      setting<GIR_AT(anchors)>("anchors", anchors, "N", "Number of anchors; 0: what the data set comes with, else 64"),
      setting<GIR_AT(shape.anchor_sets)>("anchor-sets", anchors, "N",
                                         "gir-mix: number of sets; 0: what the data set comes with, else 8"),
      setting<GIR_AT(strategy)>("strategy", anchors, "NAME", "How to choose them (gir info strategies)"),
      setting<GIR_AT(fill)>("fill", anchors, "NAME", "Strategy that tops up where the first one ends before; '': none"),
      setting<GIR_AT(anchor_file)>("anchor-file", anchors, "FILE",
                                   "Ids of your own anchors, one a line (strategy file)"),

      setting<GIR_AT(fusion.experts)>("experts", fusion, "A,B",
                                      "What to fuse: models with their settings, such as gcn:layers=3,gir:layers=5, or "
                                      "folders of finished runs"),
      setting<GIR_AT(fusion.runs)>("expert-runs", fusion, "DIR,DIR",
                                   "Finished runs that the experts come from (filled in by --experts)"),
      setting<GIR_AT(fusion.cache)>("expert-cache", fusion, "DIR",
                                    "Folder that keeps trained experts for other runs; the run's own without"),
      setting<GIR_AT(fusion.training)>(
          "expert-training", fusion, "NAME",
          "Experts learn before the gate (frozen), before and with it (tuned) or only with "
          "it (joint)"),
      setting<GIR_AT(fusion.weight_regularisation)>("fwr", fusion, "REAL",
                                                    "How much the gate is held to the experts' losses"),
      setting<GIR_AT(fusion.expert_losses)>("expert-losses", fusion, "",
                                            "Add the experts' own losses to the fused one"),
      setting<GIR_AT(shape.gate.hidden)>("gate-hidden", fusion, "N", "Width of the gate's hidden layer"),
      setting<GIR_AT(shape.gate.probabilities)>("gate-probabilities", fusion, "",
                                                "The gate reads how likely the experts take each class, not their "
                                                "outputs"),

      setting<GIR_AT(training.epochs)>("epochs", training, "N", "Epochs at most"),
      setting<GIR_AT(training.evaluate_every)>("evaluate-every", training, "N",
                                               "Epochs between looks at the validation data"),
      setting<GIR_AT(training.patience)>("patience", training, "N",
                                         "Looks that are no better before training stops; 0: never"),
      setting<GIR_AT(training.optimizer)>("optimizer", training, "NAME", "How to step: adam or lamb"),
      setting<GIR_AT(training.learning_rate)>("lr", training, "REAL", "Learning rate"),
      setting<GIR_AT(training.weight_decay)>("weight-decay", training, "REAL", "Weight decay"),
      setting<GIR_AT(training.schedule)>(
          "schedule", training, "NAME",
          "Learning rate over time: constant, linear, cosine or hold (linear from the half on)"),
      setting<GIR_AT(training.clip)>("clip", training, "REAL", "Most length of the gradients; 0: any"),
      setting<GIR_AT(class_weights)>("class-weights", training, "", "Every class counts the same in the loss"),
      setting<GIR_AT(checkpoint_every)>("checkpoint-every", training, "N", "Epochs between checkpoints; 0: none"),
      setting<GIR_AT(memory_budget)>("memory-budget", training, "REAL",
                                     "GiB that training may take; 0: most of what the machine has"),
      setting<GIR_AT(seed)>("seed", training, "N", "Seed of all random numbers but the split's"),
      setting<GIR_AT(seed_stream)>("seed-stream", training, "TEXT",
                                   "Models of one seed begin differently where this differs, as experts do"),
  };
}

#undef GIR_AT

/// A value of a JSON file as a flag would give it.
std::string flag_text(const json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

/// Numbers and truth values as such, everything else as text.
json json_value(const Setting& setting, const std::string& text) {
  const bool plain = setting.type == "N" || setting.type == "REAL" || setting.type.empty();
  return plain && !text.empty() ? json::parse(text) : json(text);
}

constexpr std::array<std::pair<ExpertTraining, std::string_view>, 3> kExpertTrainings = {{
    {ExpertTraining::kFrozen, "frozen"},
    {ExpertTraining::kTuned, "tuned"},
    {ExpertTraining::kJoint, "joint"},
}};

}  // namespace

std::string_view expert_training_name(ExpertTraining training) {
  for (const auto& [value, name] : kExpertTrainings) {
    if (value == training) return name;
  }
  throw InternalError("a way to train experts without a name");
}

ExpertTraining parse_expert_training(std::string_view name) {
  for (const auto& [value, known] : kExpertTrainings) {
    if (canonical_name(name) == known) return value;
  }
  throw UserError("{} is no way to train experts [known: frozen, tuned, joint]", quoted(name));
}

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
  throw UserError("unknown setting {} [known: {}]", quoted(name), join(nearest_first(wanted, std::move(known)), ", "));
}

void set(RunConfig& config, std::string_view name, const std::string& value) {
  const Setting& setting = find_setting(name);
  try {
    setting.set(config, value);
  } catch (const UserError& error) {
    throw UserError("--{}: {}", setting.name, error.what());
  }
}

SettingValues read_settings(const std::filesystem::path& path) {
  const MappedFile file(path);
  const json document = json::parse(file.text(), nullptr, /*allow_exceptions=*/false);
  if (!document.is_object()) {
    throw UserError(path, "not a configuration [a JSON object of settings, such as config.json of a run]");
  }
  SettingValues values;
  for (const auto& [name, value] : document.items()) {
    if (value.is_structured() || value.is_null()) {
      throw UserError(path, "{} is not a text, number or truth value", quoted(name));
    }
    values[canonical_name(name) == "dataset" ? "graph" : canonical_name(name)] = flag_text(value);
  }
  try {
    RunConfig scratch;
    for (const auto& [name, value] : values) set(scratch, name, value);
  } catch (const UserError& error) {
    throw UserError(path, "{}", error.what());
  }
  return values;
}

DataRequest data_request(const SettingValues& given) {
  RunConfig config;
  for (const char* name : {"graph", "features", "labels", "read-as", "directed", "text-ids", "num-nodes"}) {
    if (const auto found = given.find(name); found != given.end()) set(config, name, found->second);
  }
  if (config.data.read.num_nodes && *config.data.read.num_nodes < 1) {
    throw UserError("--num-nodes: {} [at least 1]", *config.data.read.num_nodes);
  }
  return config.data;
}

std::string settings_text(const RunConfig& config) {
  nlohmann::ordered_json document;
  for (const Setting& each : settings()) document[each.name] = json_value(each, each.get(config));
  return document.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

std::string run_fingerprint(RunConfig config, std::string_view data) {
  // Counts changes of what the same settings give; the second: the loss decides between perfect figures.
  constexpr std::string_view kRules = "2";
  Fingerprint print;
  print.add("rules", kRules);
  if (!config.anchor_file.empty()) print.add("anchors", MappedFile(config.anchor_file).text());
  config.data = {};
  config.checkpoint_every = 0;
  config.memory_budget = 0;
  config.fusion.cache.clear();
  print.add("settings", settings_text(config));
  print.add("data", data);
  print.add("version", kVersion);
  if (const std::string mark = compute_mark(); !mark.empty()) print.add("device", mark);
  return print.hex();
}

}  // namespace gir
