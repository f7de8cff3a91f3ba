// Trains a link prediction model and uses it: what `gir train`, `gir embed` and `gir predict` do, from C++.
//
//     train_and_embed GRAPH NODE NODE       for example: train_and_embed karate 0 33
//
// Settings have the same names as the flags of the program (gir train --help).

#include <gir/core/error.h>
#include <gir/io/node_lists.h>
#include <gir/runs/embeddings.h>
#include <gir/runs/experiment.h>
#include <gir/runs/predictions.h>

#include <iostream>

int main(int argc, char** argv) try {
  if (argc != 4) throw gir::UserError("expected a graph and two of its nodes");
  const gir::SettingValues settings = {{"graph", argv[1]}, {"task", "lp"}, {"model", "gir-a"}, {"epochs", "200"}};
  const gir::Dataset dataset = gir::open_data(gir::data_request(settings));
  const gir::NodeNames& ids = dataset.data.graph.names();
  const std::pair pair(gir::find_node(ids, argv[2]), gir::find_node(ids, argv[3]));

  gir::Experiment experiment(dataset, gir::resolve("paper", settings, dataset));
  const gir::RunResult result = experiment.run();
  std::cout << result.metric << " " << result.test.main() << " at epoch " << result.best_epoch << "\n";

  std::cout << "probability of a link from " << argv[2] << " to " << argv[3] << ": "
            << gir::pair_scores(experiment, std::span(&pair, 1)).front() << "\n";
  const at::Tensor vectors = experiment.forward().embeddings.cpu();
  std::cout << "embedding of " << argv[2] << ":";
  for (const float value : gir::embedding_of(vectors, pair.first)) std::cout << " " << value;
  std::cout << "\n";
  gir::write_embeddings("embeddings.csv", vectors, ids);
} catch (const std::exception& error) {
  std::cerr << "train_and_embed: " << error.what() << "\n";
  return 2;
}
