#include "gir/report/html_report.h"

#include <gmock/gmock.h>
#include <torch/torch.h>
#include <torch/types.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "../../src/report/html/packed.h"
#include "../../src/report/html/payload.h"
#include "gir/runs/grid.h"
#include "gir/runs/open_run.h"
#include "gir/runs/tensor_file.h"
#include "support.h"

namespace gir {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using testing::expect_user_error;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using testing::read_text;
using testing::TempDir;
namespace fs = std::filesystem;

void train(const fs::path& folder, SettingValues values) {
  values.try_emplace("graph", "karate");
  values.try_emplace("epochs", "20");
  values.try_emplace("hidden", "8");
  values.try_emplace("anchors", "4");
  const Dataset dataset = open_data({.graph = values.at("graph"), .features = {}, .labels = values["labels"]});
  Experiment experiment(dataset, resolve("paper", values, dataset));
  train_in_directory(RunDirectory::create(folder, false), experiment, dataset);
}

/// The payload of a report page.
json payload_of(const HtmlReport& report) {
  constexpr std::string_view kBegin = "<script type=\"application/json\" id=\"gir-payload\">";
  const std::size_t begin = report.page.find(kBegin) + kBegin.size();
  return json::parse(report.page.substr(begin, report.page.find("</script>", begin) - begin));
}

/// Unpacks numbers.
template <typename T>
std::vector<T> unpacked(const json& packed) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : packed["data"].get<std::string>()) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<std::uint32_t>(kDigits.find(c));
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 255);
  }
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return values;
}

json column(const json& map, const std::string& key) {
  for (const json& each : map["columns"]) {
    if (each["key"] == key) return each;
  }
  return nullptr;
}

TEST(Base64, MatchesKnownEncodings) {
  EXPECT_EQ(html::base64(""), "");
  EXPECT_EQ(html::base64("f"), "Zg==");
  EXPECT_EQ(html::base64("fo"), "Zm8=");
  EXPECT_EQ(html::base64("foo"), "Zm9v");
  EXPECT_EQ(html::base64("\xff\xef\xbe"), "/+++");
}

TEST(PrincipalComponents, AreThoseOfKnownPoints) {
  // Large variance along (3, 4) / 5, small variance across, none in the third dimension.
  const auto rows = torch::tensor({{6., 8., 1.}, {-6., -8., 1.}, {0.8, -0.6, 1.}, {-0.8, 0.6, 1.}}, torch::kFloat);
  const torch::Tensor found = html::principal_components(rows);
  const auto expected = torch::tensor({{10., 0.}, {-10., 0.}, {0., 1.}, {0., -1.}}, torch::kFloat);
  EXPECT_TRUE(torch::allclose(found.abs(), expected.abs(), 1e-5, 1e-5)) << found;
  EXPECT_GT(found[0][0].item<float>(), 0) << "the sum of the cubed weights is positive";
  EXPECT_FALSE(html::principal_components(torch::full({3, 4}, NAN)).defined());
  EXPECT_FALSE(html::principal_components(torch::ones({3, 1})).defined());
}

TEST(HtmlReport, ShowsTheMetricsOfARun) {
  const TempDir dir;
  train(dir / "run", {{"task", "nc"}, {"model", "gir-a"}});
  const HtmlReport report = html_report(dir / "run");
  const json facts = payload_of(report)["run"]["facts"];
  ASSERT_TRUE(facts.is_array());
  EXPECT_EQ(facts.front(), json({"nodes", "34"}));
  EXPECT_THAT(report.notes, IsEmpty());
  const json run = payload_of(report)["run"];
  const json result = json::parse(read_text(dir / "run/result.json"));
  EXPECT_EQ(run["result"]["test"], result["test_metrics"]);
  EXPECT_EQ(run["result"]["valid"], result["valid_metrics"]);
  EXPECT_EQ(run["result"]["best_epoch"], result["best_epoch"]);
  EXPECT_THAT(run["curve"]["epoch"], ElementsAre(5, 10, 15, 20));
  EXPECT_EQ(run["curve"]["loss"].size(), 4u);
  const json& interval = run["result"]["interval"];
  EXPECT_LT(interval["low"].get<double>(), result["test"].get<double>());
  EXPECT_GE(interval["high"].get<double>(), result["test"].get<double>());
  std::int64_t evaluated = 0, right = 0;
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t j = 0; j < 2; ++j) {
      evaluated += run["classes"]["matrix"][i][j].get<std::int64_t>();
      right += i == j ? run["classes"]["matrix"][i][j].get<std::int64_t>() : 0;
    }
  }
  EXPECT_EQ(interval["judged"], evaluated);
  EXPECT_DOUBLE_EQ(static_cast<double>(right) / static_cast<double>(evaluated), result["test"].get<double>());
}

TEST(HtmlReport, DrawsTheGraphWithTheColumnsOfItsNodes) {
  const TempDir dir;
  train(dir / "run", {{"task", "nc"}, {"model", "gir-a"}, {"layers", "2"}});
  const json map = payload_of(html_report(dir / "run"))["run"]["map"];
  EXPECT_EQ(map["nodes"], 34);
  EXPECT_EQ(map["ids"][33], "33");
  EXPECT_EQ(unpacked<std::uint32_t>(map["edges"]["source"]).size(), 78u);
  EXPECT_EQ(map["edges"]["total"], 78);
  EXPECT_EQ(map["layouts"].size(), 2u);
  const auto label = unpacked<std::uint16_t>(column(map, "label")["values"]);
  const auto prediction = unpacked<std::uint16_t>(column(map, "prediction")["values"]);
  const auto error = unpacked<std::uint16_t>(column(map, "error")["values"]);
  const auto distance = unpacked<float>(column(map, "distance")["values"]);
  const auto arrival = unpacked<std::uint8_t>(map["frontier"]["arrival"]);
  ASSERT_EQ(label.size(), 34u);
  for (std::size_t i = 0; i < 34; ++i) {
    EXPECT_EQ(error[i], label[i] == prediction[i] ? 0 : 1) << i;
    EXPECT_EQ(arrival[i], distance[i] <= 2 ? static_cast<int>(distance[i]) : 255) << i;
  }
  ASSERT_EQ(map["anchors"].size(), 4u);
  for (const json& anchor : map["anchors"]) EXPECT_EQ(distance[anchor.get<std::size_t>()], 0);
  EXPECT_EQ(map["frontier"]["layers"], 2);
}

TEST(HtmlReport, OnlyModelsWhoseMessagesStartFromAnchorsHaveAFrontier) {
  const TempDir dir;
  train(dir / "gcn", {{"task", "lp"}, {"model", "gcn"}});
  const json map = payload_of(html_report(dir / "gcn"))["run"]["map"];
  EXPECT_FALSE(map.contains("frontier"));
  EXPECT_TRUE(map["anchors"].empty());
  EXPECT_TRUE(column(map, "distance").is_null());
}

TEST(HtmlReport, ShowsTheScoresOfPairs) {
  const TempDir dir;
  train(dir / "run", {{"task", "lp"}, {"model", "gir-a"}});
  const json run = payload_of(html_report(dir / "run"))["run"];
  const json result = json::parse(read_text(dir / "run/result.json"));
  EXPECT_DOUBLE_EQ(run["pairs"]["auc"].get<double>(), result["test"].get<double>());
  const auto x = run["pairs"]["roc"]["false_positive"].get<std::vector<double>>();
  const auto y = run["pairs"]["roc"]["true_positive"].get<std::vector<double>>();
  double area = 0;
  for (std::size_t i = 1; i < x.size(); ++i) area += (x[i] - x[i - 1]) * (y[i] + y[i - 1]) / 2;
  EXPECT_NEAR(area, result["test"].get<double>(), 1e-12) << "with few pairs the curve is exact";
  EXPECT_EQ(x.front() + y.front(), 0);
  EXPECT_EQ(x.back() + y.back(), 2);
  std::int64_t pairs = 0;
  for (const char* side : {"positives", "negatives"}) {
    for (const json& count : run["pairs"][side]) pairs += count.get<std::int64_t>();
  }
  EXPECT_EQ(run["result"]["interval"]["judged"], pairs);
}

TEST(HtmlReport, ShowsWhichExpertsAreCorrect) {
  const TempDir dir;
  train(dir / "run", {{"graph", "communities"}, {"task", "nc"}, {"model", "gcn-gir"}, {"structural", "true"}});
  const json run = payload_of(html_report(dir / "run"))["run"];
  const json metrics = json::parse(read_text(dir / "run/result.json"))["test_metrics"];
  EXPECT_EQ(run["fusion"]["experts"][0]["name"], "gcn-3");
  EXPECT_EQ(run["fusion"]["experts"][1]["ec"], metrics["ec_2"]);
  std::map<std::string, std::int64_t> right;
  std::int64_t nodes = 0, fused = 0;
  for (const json& outcome : run["fusion"]["outcomes"]) {
    nodes += outcome["nodes"].get<std::int64_t>();
    fused += outcome["fused_right"].get<std::int64_t>();
    for (const json& name : outcome["right"]) right[name] += outcome["nodes"].get<std::int64_t>();
  }
  const auto share = [&](std::int64_t count) { return static_cast<double>(count) / static_cast<double>(nodes); };
  EXPECT_DOUBLE_EQ(share(right["gcn-3"]), metrics["accuracy_1"].get<double>());
  EXPECT_DOUBLE_EQ(share(right["gir-5"]), metrics["accuracy_2"].get<double>());
  EXPECT_DOUBLE_EQ(share(fused), metrics["accuracy"].get<double>());
  const auto first = unpacked<float>(column(run["map"], "gate-1")["values"]);
  const auto second = unpacked<float>(column(run["map"], "gate-2")["values"]);
  for (std::size_t i = 0; i < first.size(); ++i) EXPECT_NEAR(first[i] + second[i], 1, 1e-5);
}

TEST(HtmlReport, IdsAndLabelsCannotBecomeMarkup) {
  const TempDir dir;
  std::string edges, labels;
  for (int i = 0; i < 30; ++i) {
    edges += fmt::format("</script><script>alert({})</script>\t</script><script>alert({})</script>\n", i, (i + 1) % 30);
    labels += fmt::format("</script><script>alert({})</script>\t<b>&{}\u2028\n", i, i % 2);
  }
  const auto graph = dir.file("edges.tsv", edges);
  train(dir / "run",
        {{"graph", graph}, {"labels", dir.file("labels.tsv", labels)}, {"task", "nc"}, {"model", "gir-a"}});
  const HtmlReport report = html_report(dir / "run");
  EXPECT_THAT(report.page, Not(HasSubstr("<script>alert")));
  EXPECT_THAT(report.page, Not(HasSubstr("<b>&")));
  EXPECT_THAT(report.page, Not(HasSubstr("\u2028")));
  const json run = payload_of(report)["run"];
  EXPECT_THAT(run["map"]["ids"], ::testing::Contains("</script><script>alert(7)</script>"));
  EXPECT_EQ(run["classes"]["names"][0], "<b>&0\u2028");
}

TEST(HtmlReport, ShowsWhatAnUnfinishedRunContains) {
  const TempDir dir;
  train(dir / "run", {{"task", "nc"}});
  for (const char* name : {"result.json", "model.safetensors", "embeddings.npy", "anchors.txt"}) {
    fs::remove(dir / "run" / name);
  }
  const std::string metrics = read_text(dir / "run/metrics.jsonl");
  dir.file("run/metrics.jsonl", metrics.substr(0, metrics.size() - 5));
  const HtmlReport report = html_report(dir / "run");
  EXPECT_THAT(report.notes, ElementsAre(HasSubstr("the run is not finished")));
  const json payload = payload_of(report);
  EXPECT_EQ(payload["notes"].size(), 1u);
  EXPECT_EQ(payload["run"]["curve"]["epoch"].size(), 3u);
  EXPECT_FALSE(payload["run"].contains("result"));
  EXPECT_EQ(payload["run"]["map"]["nodes"], 34);
  EXPECT_FALSE(column(payload["run"]["map"], "label").is_null());
  fs::remove(dir / "run/metrics.jsonl");
  EXPECT_THAT(html_report(dir / "run").notes, ::testing::Contains(HasSubstr("metrics.jsonl is missing")));
}

TEST(HtmlReport, ReportsDataThatCannotBeRead) {
  const TempDir dir;
  std::string edges;
  for (int i = 0; i < 40; ++i) edges += fmt::format("{} {}\n{} {}\n", i, (i + 1) % 40, i, (i + 5) % 40);
  const auto graph = dir.file("edges.txt", edges);
  train(dir / "run", {{"graph", graph}, {"task", "lp"}});
  dir.file("edges.txt", edges + "0 20\n");
  HtmlReport report = html_report(dir / "run");
  EXPECT_THAT(report.notes, ElementsAre(HasSubstr("the graph is not the one that")));
  EXPECT_FALSE(payload_of(report)["run"].contains("map")) << "another graph than that of the run";
  fs::remove(graph);
  report = html_report(dir / "run");
  EXPECT_THAT(report.notes, ::testing::Contains(HasSubstr("the graph is not shown")));
  EXPECT_FALSE(payload_of(report)["run"].contains("map"));
  EXPECT_TRUE(payload_of(report)["run"].contains("result"));
}

TEST(HtmlReport, NanBecomesNull) {
  const TempDir dir;
  train(dir / "run", {{"task", "nc"}});
  json result = json::parse(read_text(dir / "run/result.json"));
  result["test_metrics"]["accuracy"] = nullptr;  // how a NaN is stored
  dir.file("run/result.json", result.dump());
  dir.file("run/metrics.jsonl", "{\"epoch\":5,\"loss\":null,\"valid_accuracy\":null}\n");
  const json run = payload_of(html_report(dir / "run"))["run"];
  EXPECT_TRUE(run["result"]["test"]["accuracy"].is_null());
  EXPECT_FALSE(run["result"].contains("interval"));
  EXPECT_TRUE(run["curve"]["loss"][0].is_null());
}

TEST(HtmlReport, ShowsNoPredictionsOfAModelWithNanOutputs) {
  for (const char* task : {"nc", "lp"}) {
    const TempDir dir;
    train(dir / "run", {{"task", task}, {"model", "gir-a"}});
    FinishedRun run = open_run(RunDirectory::open(dir / "run"));
    const torch::NoGradGuard no_gradients;
    run.experiment->tensors().front().tensor.fill_(NAN);
    save_tensors(dir / "run/model.safetensors", run.experiment->tensors(), {});
    const HtmlReport report = html_report(dir / "run");
    EXPECT_THAT(report.notes, ElementsAre(HasSubstr("NaN or infinite")));
    const json page = payload_of(report)["run"];
    EXPECT_FALSE(page.contains("classes") || page.contains("pairs"));
    EXPECT_TRUE(page["map"].contains("frontier")) << "distances do not need the model";
  }
}

/// A text with everything that is passed to the command.
std::string facts_of(const RunToRepeat& run) {
  const auto number = [](const auto& value) { return value ? std::to_string(*value) : "-"; };
  return fmt::format("{} {} {} {}", run.config.filename().string(), run.device, number(run.seed), number(run.split));
}

TEST(HtmlReport, PassesTheDeviceToTheCommand) {
  const TempDir dir;
  train(dir / "run", {{"task", "nc"}});
  json result = json::parse(read_text(dir / "run/result.json"));
  result["device"] = "cuda tf32";
  dir.file("run/result.json", result.dump());
  EXPECT_EQ(payload_of(html_report(dir / "run", {.command = facts_of}))["run"]["command"], "config.json cuda tf32 - -");
}

TEST(HtmlReport, MessagesDoNotPassHeldOutEdges) {
  const TempDir dir;
  train(dir / "run", {{"task", "lp"}, {"model", "gir"}, {"layers", "3"}, {"anchors", "1"}});
  const FinishedRun run = open_run(RunDirectory::open(dir / "run"));
  const json map = payload_of(html_report(dir / "run"))["run"]["map"];
  const auto source = unpacked<std::uint32_t>(map["edges"]["source"]);
  const auto target = unpacked<std::uint32_t>(map["edges"]["target"]);
  const auto arrival = unpacked<std::uint8_t>(map["frontier"]["arrival"]);
  const auto carries = unpacked<std::uint8_t>(map["frontier"]["edges"]);
  ASSERT_EQ(carries.size(), source.size());
  int held_out = 0, carrying = 0;
  for (std::size_t i = 0; i < carries.size(); ++i) {
    const bool there =
        run.experiment->message_graph().has_arc(static_cast<NodeId>(source[i]), static_cast<NodeId>(target[i]));
    const int low = std::min(arrival[source[i]], arrival[target[i]]);
    const int high = std::max(arrival[source[i]], arrival[target[i]]);
    EXPECT_EQ(carries[i], there && high <= 3 && low + 1 == high ? high : 255) << i;
    held_out += there ? 0 : 1;
    carrying += carries[i] != 255 ? 1 : 0;
  }
  EXPECT_EQ(held_out, 16) << "a fifth of 78 edges";
  EXPECT_GT(carrying, 10);
}

TEST(HtmlReport, ReportsDamagedFiles) {
  const TempDir dir;
  train(dir / "run", {{"task", "nc"}});
  dir.file("run/result.json", "{\"test\": ");
  EXPECT_THAT(html_report(dir / "run").notes, ElementsAre(HasSubstr("result.json is damaged")));
  dir.file("run/config.json", "nonsense");
  expect_user_error([&] { html_report(dir / "run"); }, "config.json");
}

TEST(HtmlReport, SamplesLargeGraphsAndKeepsTheirAnchors) {
  const TempDir dir;
  train(dir / "run", {{"task", "nc"}, {"anchors", "6"}});
  const HtmlReport report = html_report(dir / "run", {.max_nodes = 17, .max_edges = 10});
  const json map = payload_of(report)["run"]["map"];
  EXPECT_LT(map["nodes"].get<int>(), 30);
  EXPECT_EQ(map["total_nodes"], 34);
  EXPECT_EQ(map["anchors"].size(), 6u);
  EXPECT_THAT(report.notes, ElementsAre(HasSubstr("the graph has 34 nodes; a sample of"), HasSubstr("edges")));
  const auto nodes = map["nodes"].get<std::uint32_t>();
  for (const std::uint32_t end : unpacked<std::uint32_t>(map["edges"]["target"])) EXPECT_LT(end, nodes);
  EXPECT_EQ(unpacked<std::uint16_t>(map["layouts"][0]["x"]).size(), nodes);
  EXPECT_EQ(unpacked<std::uint16_t>(map["layouts"][1]["x"]).size(), nodes);
}

TEST(HtmlReport, TheSameFolderGivesTheSameBytes) {
  const TempDir dir;
  train(dir / "run", {{"task", "npc"}});
  EXPECT_EQ(html_report(dir / "run").page, html_report(dir / "run").page);
}

/// A grid of two models on two data sets, four runs each.
GridOptions small_grid() {
  return {.datasets = {"karate", "communities"},
          .models = {"gir-a", "gcn"},
          .runs = 4,
          .splits = 2,
          .given = {{"task", "nc"}, {"epochs", "10"}, {"hidden", "4"}, {"anchors", "4"}}};
}

TEST(HtmlReport, ShowsAGridWithEveryRunAndItsSettings) {
  const TempDir dir;
  GridOptions options = small_grid();
  options.command = "gir compare --models 'gir-a,gcn'";
  const auto results = run_grid(options, dir / "grid");
  const HtmlReport report = html_report(dir / "grid", {.command = facts_of});
  EXPECT_THAT(report.notes, IsEmpty());
  const json grid = payload_of(report)["grid"];
  EXPECT_EQ(grid["command"], options.command);
  EXPECT_THAT(grid["models"], ElementsAre("gir-a", "gcn"));
  EXPECT_EQ(grid["cells"].size(), 4u);
  ASSERT_EQ(grid["runs"].size(), 16u);
  double sum = 0;
  for (const json& run : grid["runs"]) {
    if (run["dataset"] == "karate" && run["model"] == "gcn") sum += run["test"].get<double>();
    EXPECT_TRUE(grid["settings"].contains(run["settings"].get<std::string>()));
    EXPECT_THAT(run["command"].get<std::string>(),
                HasSubstr(fmt::format(".json cpu {} {}", run["seed"].get<int>(), run["split"].get<int>())));
  }
  for (const json& cell : grid["cells"]) {
    if (cell["dataset"] == "karate" && cell["model"] == "gcn") {
      EXPECT_NEAR(cell["mean"].get<double>(), sum / 4, 1e-9);
    }
  }
  ASSERT_EQ(grid["differences"].size(), 2u);
  const json& first = grid["differences"][0];
  EXPECT_EQ(first["runs"], 4);
  EXPECT_NEAR(first["mean"].get<double>(),
              grid["cells"][0]["mean"].get<double>() - grid["cells"][1]["mean"].get<double>(), 1e-9);
}

TEST(HtmlReport, ARunOfAGridCanBeRepeatedFromItsSettings) {
  const TempDir dir;
  const auto results = run_grid(small_grid(), dir / "grid");
  const GridResult& last = results.back();
  SettingValues values = read_settings(grid_settings_file(dir / "grid", last.settings));
  values["seed"] = std::to_string(last.seed);
  values["split"] = std::to_string(last.split);
  const Dataset dataset = open_data(data_request(values));
  Experiment experiment(dataset, resolve("paper", values, dataset));
  EXPECT_EQ(experiment.run().test.main(), last.test);
}

TEST(HtmlReport, ReportsAnIncompleteGrid) {
  const TempDir dir;
  run_grid(small_grid(), dir / "grid");
  const std::string lines = read_text(dir / "grid/results.jsonl");
  dir.file("grid/results.jsonl", lines.substr(0, lines.size() - 30));
  fs::remove_all(dir / "grid/settings");
  EXPECT_THAT(html_report(dir / "grid").notes, ElementsAre(HasSubstr("settings/*.json are missing"),
                                                           HasSubstr("fewer than 4 runs in 1 of 4 cells, none in 0")));
  EXPECT_EQ(read_text(dir / "grid/results.jsonl").size(), lines.size() - 30)
      << "only continuing the grid removes the incomplete line";
  dir.file("grid/results.jsonl", lines.substr(0, lines.find('\n') + 1));
  EXPECT_THAT(html_report(dir / "grid").notes, Contains(HasSubstr("in 0 of 4 cells, none in 3")))
      << "including models and data sets without any run";
  dir.file("grid/results.jsonl", "");
  expect_user_error([&] { html_report(dir / "grid"); }, "results.jsonl", "contains no finished run yet");
}

TEST(HtmlReport, TasksOfOneDataSetAreSeparateColumns) {
  const TempDir dir;
  GridOptions options = small_grid();
  options.datasets = {"karate"};
  run_grid(options, dir / "grid");
  options.given["task"] = "lp";
  run_grid(options, dir / "grid");
  fs::remove(dir / "grid/grid.json");
  const HtmlReport report = html_report(dir / "grid");
  EXPECT_THAT(report.notes, ElementsAre(HasSubstr("the last request is not known")));
  const json grid = payload_of(report)["grid"];
  EXPECT_EQ(grid["columns"].size(), 2u);
  EXPECT_EQ(grid["cells"].size(), 4u);
  ASSERT_EQ(grid["differences"].size(), 2u);
  EXPECT_EQ(grid["differences"][1]["task"], "lp");
  EXPECT_EQ(grid["runs"].size(), 16u);
}

TEST(HtmlReport, OneRunHasNoStandardDeviation) {
  const TempDir dir;
  GridOptions options = small_grid();
  options.runs = options.splits = 1;
  run_grid(options, dir / "grid");
  const json grid = payload_of(html_report(dir / "grid"))["grid"];
  EXPECT_TRUE(grid["cells"][0]["sd"].is_null());
  EXPECT_TRUE(grid["differences"][0]["t"].is_null());
  EXPECT_TRUE(grid["differences"][0]["mean"].is_number());
}

TEST(HtmlReport, ShowsTheLastRequestedGrid) {
  const TempDir dir;
  run_grid(small_grid(), dir / "grid");
  GridOptions other = small_grid();
  other.given["epochs"] = "20";
  run_grid(other, dir / "grid");
  const auto again = run_grid(small_grid(), dir / "grid");  // nothing is trained
  const json runs = payload_of(html_report(dir / "grid"))["grid"]["runs"];
  ASSERT_EQ(runs.size(), again.size());
  for (std::size_t i = 0; i < runs.size(); ++i) {
    EXPECT_EQ(runs[i]["settings"], again[i].settings) << "in the order of the request";
    EXPECT_EQ(runs[i]["seed"], again[i].seed);
  }
}

TEST(HtmlReport, OmitsRunsOfOtherRequests) {
  const TempDir dir;
  run_grid(small_grid(), dir / "grid");
  GridOptions other = small_grid();
  other.given["epochs"] = "20";
  other.datasets = {"karate"};
  run_grid(other, dir / "grid");
  const HtmlReport report = html_report(dir / "grid");
  EXPECT_THAT(report.notes, ElementsAre(AllOf(HasSubstr("not shown: 16 other runs"), HasSubstr("8 on communities"),
                                              HasSubstr("8 with epochs 10 instead of 20"))));
  const json grid = payload_of(report)["grid"];
  EXPECT_EQ(grid["runs"].size(), 8u);
  EXPECT_EQ(grid["columns"].size(), 1u);
}

TEST(HtmlReport, AGridOfValidationMetricsContainsNoTestMetrics) {
  const TempDir dir;
  GridOptions options = small_grid();
  options.datasets = {"karate"};
  options.set = EvaluationSet::kValid;
  const auto results = run_grid(options, dir / "grid");
  HtmlReport report = html_report(dir / "grid", {.command = facts_of});
  EXPECT_THAT(report.notes, ElementsAre(HasSubstr("validation metrics")));
  const json payload = payload_of(report);
  EXPECT_THAT(payload["title"].get<std::string>(), HasSubstr("validation metrics"));
  const json& grid = payload["grid"];
  EXPECT_EQ(grid["set"], "validation");
  for (const json& run : grid["runs"]) {
    EXPECT_FALSE(run.contains("test"));
    EXPECT_FALSE(run.contains("ec"));
  }
  double valid = 0;
  for (const GridResult& run : results) valid += run.model == "gcn" ? 100 * run.valid / 4 : 0;
  EXPECT_NEAR(grid["cells"][1]["mean"].get<double>(), valid, 1e-9);
  options.set = EvaluationSet::kTest;
  run_grid(options, dir / "grid");
  report = html_report(dir / "grid");
  EXPECT_THAT(report.notes, IsEmpty()) << "the last request decides";
  EXPECT_TRUE(payload_of(report)["grid"]["runs"][0].contains("test"));
}

TEST(HtmlReport, RejectsOtherFolders) {
  const TempDir dir;
  expect_user_error([&] { html_report(dir.path()); }, "contains neither a run", "a comparison");
  expect_user_error([&] { html_report(dir / "none"); }, "no such folder");
  expect_user_error([&] { html_report(dir.file("results.jsonl", "")); }, "results.jsonl: is a file, not a folder");
}

}  // namespace
}  // namespace gir
