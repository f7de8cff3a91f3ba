#include "tune_request.h"

#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "gir/core/error.h"
#include "gir/core/file.h"
#include "gir/core/version.h"

namespace gir {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

fs::path request_file(const fs::path& folder) { return folder / "request.json"; }

void write_json(const fs::path& path, const ordered_json& document) {
  write_file(path, document.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n");
}

ordered_json read_json(const fs::path& path) {
  const MappedFile file(path);
  ordered_json document = ordered_json::parse(file.text(), nullptr, /*allow_exceptions=*/false);
  if (!document.is_object()) throw UserError(path, "is damaged: not a JSON object [choose another folder]");
  return document;
}

ordered_json request_of(const TuneOptions& options, const RunConfig& default_config, const Dataset& dataset) {
  SettingValues given = options.given;
  // Fingerprints say what these files contain.
  std::erase_if(given, [](const auto& each) {
    const DataRole role = find_setting(each.first).scope.data;
    return role == DataRole::kFile || role == DataRole::kSplit;
  });
  const std::string data = fingerprint(dataset.data);
  return {{"dataset", dataset.name},
          {"data", data},
          {"version", kVersion},
          {"device", options.context.mark()},
          {"recipe", options.recipe.empty() ? default_recipe(dataset) : options.recipe},
          {"settings", given},
          {"space", ordered_json::parse(search_space_text(options.space))},
          {"splits", options.splits},
          {"default", run_fingerprint(default_config, data, options.context)}};
}

ordered_json limits_of(const TuneOptions& options) { return {{"trials", options.trials}, {"budget", options.budget}}; }

void reject_other_request(const fs::path& folder, const ordered_json& found, const ordered_json& wanted) {
  constexpr std::array<std::pair<const char*, const char*>, 8> kParts = {{{"data", "on other data"},
                                                                          {"version", "of another version of gir"},
                                                                          {"device", "on another device"},
                                                                          {"recipe", "with another recipe"},
                                                                          {"settings", "with other settings"},
                                                                          {"space", "of another space"},
                                                                          {"splits", "with another number of splits"},
                                                                          {"default", "with other settings"}}};
  for (const auto& [name, difference] : kParts) {
    if (found.contains(name) && found.at(name) == wanted.at(name)) continue;
    throw UserError(folder, "contains a search {} [give the same settings again, or choose another folder]",
                    difference);
  }
}

}  // namespace

void check_tune_options(const TuneOptions& options) {
  if (options.trials == 0 && options.budget == 0) throw UserError("a search needs an end [set `budget` or `trials`]");
  if (options.trials < 0) throw UserError("`trials`: {} [at least 1]", options.trials);
  if (!(options.budget >= 0)) throw UserError("`budget`: {} seconds [more than 0]", options.budget);
  if (options.splits < 1) throw UserError("`splits`: {} [at least 1]", options.splits);
  if (options.space.empty()) {
    throw UserError("the search space is empty: every setting in it is fixed [fix fewer settings, or give a `space`]");
  }
}

fs::path claim_tune_folder(const fs::path& folder, const TuneOptions& options, const RunConfig& default_config,
                           const Dataset& dataset) {
  const ordered_json request = request_of(options, default_config, dataset);
  if (fs::exists(request_file(folder))) {
    reject_other_request(folder, read_json(request_file(folder)), request);
    return folder;
  }
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw UserError(folder, "cannot be created: {} [choose another folder]", error.message());
  if (!fs::is_empty(folder)) throw UserError(folder, "contains other files [choose a new or empty folder]");
  write_json(request_file(folder), request);
  return folder;
}

void mark_tune_ended(const fs::path& folder, const TuneOptions& options, const std::vector<TuneStage>& stages) {
  ordered_json request = read_json(request_file(folder));
  ordered_json ended = limits_of(options);
  for (const TuneStage& stage : stages) {
    ended["rounds"].push_back({{"round", stage.round.number},
                               {"first_repeat", stage.round.first_repeat},
                               {"repeats", stage.round.repeats},
                               {"share", stage.round.share},
                               {"trials", stage.members}});
  }
  request["ended"] = std::move(ended);
  write_json(request_file(folder), request);
}

std::optional<std::vector<TuneStage>> ended_tune(const fs::path& folder, const TuneOptions& options) {
  const ordered_json request = read_json(request_file(folder));
  if (!request.contains("ended")) return std::nullopt;
  try {
    const ordered_json& ended = request.at("ended");
    const ordered_json limits = limits_of(options);
    if (ended.at("trials") != limits.at("trials") || ended.at("budget") != limits.at("budget")) return std::nullopt;
    std::vector<TuneStage> stages;
    for (const ordered_json& round : ended.at("rounds")) {
      const std::vector<std::int64_t> members = round.at("trials");
      stages.push_back({.round = {.number = round.at("round"),
                                  .challengers = std::ssize(members) - 1,
                                  .repeats = round.at("repeats"),
                                  .first_repeat = round.at("first_repeat"),
                                  .share = round.at("share")},
                        .members = members});
    }
    return stages;
  } catch (const nlohmann::json::exception&) {
    throw UserError(request_file(folder), "is damaged: a value has the wrong type [choose another folder]");
  }
}

}  // namespace gir
