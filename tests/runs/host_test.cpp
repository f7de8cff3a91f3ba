// The library does not change the settings of its host process, such as the number of torch threads, and several
// experiments can run at the same time.

#include <ATen/Parallel.h>
#include <dlfcn.h>

#include <thread>

#include "gir/core/parallel.h"
#include "gir/nn/device.h"
#include "gir/runs/experiment.h"
#include "gir/runs/grid.h"
#include "small_datasets.h"
#include "support.h"

namespace gir {
namespace {

using testing::TempDir;

RunConfig config_of(const Dataset& dataset, const char* model) {
  return resolve("paper", {{"graph", dataset.name}, {"task", "nc"}, {"model", model}, {"epochs", "20"}}, dataset);
}

struct Outcome {
  std::vector<double> losses;
  std::vector<float> vectors;

  friend bool operator==(const Outcome&, const Outcome&) = default;
};

Outcome run_under(const Context& context, const Dataset& dataset, const char* model) {
  Outcome outcome;
  Experiment experiment(dataset, config_of(dataset, model), context);
  experiment.run([&](const EpochReport& report) { outcome.losses.push_back(report.loss); });
  const at::Tensor vectors = experiment.forward().embeddings.cpu().contiguous();
  outcome.vectors.assign(vectors.data_ptr<float>(), vectors.data_ptr<float>() + vectors.numel());
  return outcome;
}

/// Number of threads of OpenBLAS, which has its own setting; 0 if torch does not use it.
int openblas_threads() {
  const auto number = reinterpret_cast<int (*)()>(::dlsym(RTLD_DEFAULT, "openblas_get_num_threads"));
  return number == nullptr ? 0 : number();
}

TEST(Host, KeepsItsNumberOfTorchThreads) {
  const Dataset karate = open_dataset("karate");
  at::set_num_threads(3);
  const int blas_before = openblas_threads();
  run_under({}, karate, "gir-a");
  EXPECT_EQ(at::get_num_threads(), 3);
  EXPECT_EQ(openblas_threads(), blas_before);
  // A new thread that runs an experiment, and one that is started afterwards.
  std::thread([&] {
    run_under({.threads = 2}, karate, "gcn");
    EXPECT_EQ(at::get_num_threads(), 3);
  }).join();
  std::thread([] { EXPECT_EQ(at::get_num_threads(), 3); }).join();
}

TEST(Host, KeepsItsNumberOfTorchThreadsAfterAGrid) {
  const TempDir dir;
  at::set_num_threads(3);
  run_grid({.datasets = {"karate"},
            .models = {"gir-a", "gcn"},
            .runs = 2,
            .splits = 1,
            .given = {{"task", "nc"}, {"epochs", "5"}, {"hidden", "4"}, {"anchors", "4"}},
            .context = {.threads = 2}},
           dir / "grid");
  EXPECT_EQ(at::get_num_threads(), 3);
}

TEST(Host, OtherThreadsKeepTheirNumberOfTorchThreadsDuringAnExperiment) {
  const Dataset karate = open_dataset("karate");
  at::set_num_threads(3);
  Experiment experiment(karate, config_of(karate, "gir-a"));
  int seen_elsewhere = 0;
  int seen_inside = 0;
  experiment.run([&](const EpochReport& report) {
    if (report.epoch != 1) return;
    seen_inside = at::get_num_threads();
    std::thread([&] { seen_elsewhere = at::get_num_threads(); }).join();
  });
  EXPECT_EQ(seen_inside, 1) << "results of torch operations depend on the number of threads";
  EXPECT_EQ(seen_elsewhere, 3) << "another thread of the host";
}

TEST(Host, RunsExperimentsWithDifferentContextsAtOnce) {
  const Dataset communities = open_dataset("communities");
  const Context one{.threads = 1};
  const Context four{.threads = 4};
  const Outcome first = run_under(one, communities, "gir-a");
  const Outcome second = run_under(four, communities, "gcn-o");
  EXPECT_NE(first, second);
  at::set_num_threads(3);
  Outcome first_again, second_again;
  int threads_inside = 0;
  std::thread beside([&] { first_again = run_under(one, communities, "gir-a"); });
  second_again = run_under(four, communities, "gcn-o");
  {
    const ContextScope scope(four);
    threads_inside = max_threads();
  }
  beside.join();
  EXPECT_EQ(first_again, first);
  EXPECT_EQ(second_again, second);
  EXPECT_EQ(threads_inside, 4);
  EXPECT_EQ(at::get_num_threads(), 3);
}

TEST(Host, MemoryBudgetsBelongToContexts) {
  const Dataset karate = open_dataset("karate");
  const Context tight{.memory_budget = 1 << 20};
  testing::expect_user_error([&] { Experiment(karate, config_of(karate, "gir-a"), tight); }, "training would need");
  Experiment(karate, config_of(karate, "gir-a"), {}).run();
}

}  // namespace
}  // namespace gir
