#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "gir/anchors/nearest_members.h"
#include "gir/models/model.h"
#include "gir/nn/anchor_messages.h"
#include "gir/nn/node_input.h"
#include "hidden_activation.h"

namespace gir {

/// The anchor sets of a random sample, by its number. Models with fixed sets return the same sets for all.
using SetsOfDraw = std::function<NodeSets(std::uint64_t draw)>;

inline constexpr Hops kFastHops = 2;  ///< P-GNN-F and A-GNN-F: distances are truncated here

/// As in the published code of P-GNN's authors (github.com/JiaxuanYou/P-GNN): without these settings many trainings
/// make no progress and end with equal scores for all pairs.
inline const std::map<std::string, std::string> kPublishedSettings = {{"initial", "xavier-relu"},
                                                                      {"normalise", "true"}};

struct AnchorSetDesign {
  SetsOfDraw sets;
  bool redraw = false;       ///< resample the sets in every epoch
  Hops max_hops = kMaxHops;  ///< longer paths count as no path
};

/// The layers of P-GNN (You et al., Position-aware Graph Neural Networks, 2019) over anchor sets, for pgnn and agnn.
/// Each layer averages messages from the nearest member of every set; the last one outputs one value per set, the
/// positions. Evaluation uses the sets of the last epoch.
class AnchorSetStack : public Model {
 public:
  AnchorSetStack(const ModelInputs& inputs, const ModelOptions& options, AnchorSetDesign design);

  ModelOutput forward(const ForwardOptions& options) override;
  bool repeats() const override { return !design_.redraw; }
  std::int64_t activation_bytes(std::int64_t segment) const override;
  std::int64_t output_width() const override { return head_weight_.defined() ? head_weight_.size(1) : num_sets_; }

 private:
  /// An MLP that maps the closeness to the scale of a message, and the weights of the message, split into those of the
  /// sender and those of the receiver.
  struct Layer {
    at::Tensor closeness_weight, closeness_bias;  ///< Linear(1 -> hidden)
    at::Tensor scale_weight, scale_bias;          ///< Linear(hidden -> 1)
    at::Tensor sender_weight, own_weight, bias;   ///< W = [sender; own] and b
  };

  /// The data of one message graph.
  struct View {
    NodeInput input;
    NearestMemberSearch search;
    std::int64_t draw = -1;  ///< number of the sample that `messages` belong to
    std::unique_ptr<AnchorMessages> messages = {};
    at::Tensor closeness = {};  ///< AnchorMessages::closeness() as a tensor, [distances, 1]
  };

  Layer make_layer(std::int64_t number);
  at::Tensor scales(const Layer& layer, const at::Tensor& closeness) const;

  /// A view with the messages of the current sample.
  const View& drawn_view(std::int64_t number);

  ModelOptions options_;
  AnchorSetDesign design_;
  std::vector<View> views_;
  std::vector<InputDropout> input_dropouts_;  ///< per view
  at::Tensor draw_;                           ///< number of the current sample of sets, saved with the model
  std::int64_t num_sets_ = 0;
  bool has_classes_;
  at::Tensor input_weight_, input_bias_;
  std::vector<Layer> layers_;
  std::vector<HiddenActivation> activations_;
  at::Tensor position_weight_, position_bias_;
  at::Tensor head_weight_, head_bias_;  ///< output layer: with classes, or with jumping knowledge
};

}  // namespace gir
