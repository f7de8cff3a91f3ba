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

/// The sets of one draw. Models with fixed sets give the same for every draw.
using SetsOfDraw = std::function<NodeSets(std::uint64_t draw)>;

inline constexpr Hops kFastHops = 2;  ///< of the fast variants

/// How P-GNN's authors publish it (github.com/JiaxuanYou/P-GNN): without, many trainings end where all scores are
/// equal.
inline const std::map<std::string, std::string> kPublishedSettings = {{"initial", "xavier-relu"},
                                                                      {"normalise", "true"}};

struct AnchorSetDesign {
  SetsOfDraw sets;
  bool redraw = false;         ///< new sets before every training pass
  Hops most_hops = kMostHops;  ///< ways that are longer do not count
};

/// P-GNN's layers (SPEC section 3) over sets of anchors: pgnn and agnn. Evaluation uses the sets of the last draw.
class AnchorSetStack : public Model {
 public:
  AnchorSetStack(const ModelInputs& inputs, const ModelOptions& options, AnchorSetDesign design);

  ModelOutput forward(const ForwardOptions& options) override;
  bool repeats() const override { return !design_.redraw; }
  std::int64_t activation_bytes(std::int64_t stretch) const override;
  std::int64_t output_width() const override { return head_weight_.defined() ? head_weight_.size(1) : num_sets_; }

 private:
  /// A two-layer perceptron on the closeness, and the message's weights cut in two.
  struct Layer {
    at::Tensor closeness_weight, closeness_bias;  ///< Linear(1 -> hidden)
    at::Tensor scale_weight, scale_bias;          ///< Linear(hidden -> 1)
    at::Tensor sender_weight, own_weight, bias;   ///< W = [sender; own] and b
  };

  /// What is known of one graph.
  struct View {
    NodeInput input;
    NearestMemberSearch search;
    std::int64_t draw = -1;  ///< whose messages these are
    std::unique_ptr<AnchorMessages> messages = {};
    at::Tensor closeness = {};  ///< of the messages, [distances, 1]
  };

  Layer make_layer(std::int64_t number);
  at::Tensor scales(const Layer& layer, const at::Tensor& closeness) const;

  /// A view with the messages of the draw in use.
  const View& drawn_view(std::int64_t number);

  ModelOptions options_;
  AnchorSetDesign design_;
  std::vector<View> views_;
  std::vector<InputDropout> input_dropouts_;  ///< one a view
  at::Tensor draw_;                           ///< the draw that is in use, saved with the model
  std::int64_t num_sets_ = 0;
  bool has_classes_;
  at::Tensor input_weight_, input_bias_;
  std::vector<Layer> layers_;
  std::vector<HiddenActivation> activations_;
  at::Tensor position_weight_, position_bias_;
  at::Tensor head_weight_, head_bias_;  ///< where there are classes, or with a jump
};

}  // namespace gir
