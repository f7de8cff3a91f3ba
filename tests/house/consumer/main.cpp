#include <gir/core/version.h>
#include <gir/data/dataset.h>
#include <gir/data/split.h>

#if GIR_VERSION_NUMBER < 100
#error "the version of gir is not known to the preprocessor"
#endif

int main() {
  const gir::Dataset karate = gir::load_dataset("karate");
  const auto split =
      gir::PairSplit::of_links(karate.data.graph, /*seed=*/0, gir::default_shares(gir::Task::kLinkPrediction));
  return split.message_graph().num_nodes() == 34 && split.train_positives().size() == 62 ? 0 : 1;
}
