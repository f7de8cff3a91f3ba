#include "gir/runs/predictions.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/softmax.h>

#include "gir/core/error.h"
#include "gir/io/csv_cell.h"
#include "gir/io/gzip.h"
#include "gir/nn/device.h"
#include "gir/nn/pair_ops.h"

namespace gir {

std::vector<float> pair_probabilities(const Experiment& experiment, const at::Tensor& outputs,
                                      std::span<const NodePair> pairs) {
  const at::NoGradGuard no_gradients;
  const ContextScope scope(experiment.context());
  const PairBatch batch = make_batch(pairs, outputs.size(0), experiment.pair_description());
  const at::Tensor probabilities = experiment.decoder()->score(outputs, batch, {}).sigmoid().cpu().contiguous();
  return {probabilities.data_ptr<float>(), probabilities.data_ptr<float>() + probabilities.numel()};
}

std::vector<float> pair_scores(Experiment& experiment, std::span<const std::pair<NodeId, NodeId>> pairs) {
  const NodeNames& names = experiment.message_graph().names();
  if (experiment.decoder() == nullptr)
    throw UserError("the model was trained to classify nodes, not pairs [predict nodes]");
  std::vector<NodePair> unordered;
  for (const auto& [first, second] : pairs) {
    if (first == second) {
      throw UserError("node {} is paired with itself [a pair has two different nodes]", quoted(names.name(first)));
    }
    unordered.push_back(make_pair_of(first, second));
  }
  return pair_probabilities(experiment, experiment.forward().outputs, unordered);
}

void write_pair_scores(const std::filesystem::path& path, Experiment& experiment, const NodeNames& names,
                       std::span<const std::pair<NodeId, NodeId>> pairs) {
  const std::vector<float> scores = pair_scores(experiment, pairs);
  TextFileWriter file(path);
  file.line("source,target,score");
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    file.line("{},{},{}", id_cell(names.name(pairs[i].first), ','), id_cell(names.name(pairs[i].second), ','),
              scores[i]);
  }
  file.commit();
}

void write_node_classes(const std::filesystem::path& path, Experiment& experiment, const NodeNames& names,
                        const std::vector<std::string>& classes, std::span<const NodeId> nodes) {
  if (experiment.task() != Task::kNodeClassification) {
    throw UserError("the model was trained to classify pairs, not nodes [predict pairs]");
  }
  const at::Tensor outputs = experiment.forward().outputs.cpu();
  const at::Tensor probabilities = at::softmax(outputs, 1).contiguous();
  const auto predicted = predicted_classes(outputs, nodes);
  TextFileWriter file(path);
  std::string header = "node,class";
  for (const std::string& name : classes) header += "," + csv_cell("p(" + name + ")", ',');
  file.line("{}", header);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    std::string row =
        id_cell(names.name(nodes[i]), ',') + "," + csv_cell(classes[static_cast<std::size_t>(predicted[i])], ',');
    for (std::size_t c = 0; c < classes.size(); ++c) {
      row +=
          fmt::format(",{}", probabilities.data_ptr<float>()[static_cast<std::size_t>(nodes[i]) * classes.size() + c]);
    }
    file.line("{}", row);
  }
  file.commit();
}

}  // namespace gir
