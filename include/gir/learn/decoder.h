#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gir/core/export.h"
#include "gir/core/registry.h"
#include "gir/models/model.h"
#include "gir/nn/pair_ops.h"
#include "gir/nn/parameters.h"

namespace gir {

struct GIR_API DecoderOptions {
  std::int64_t width = 0;     ///< size of a node embedding
  std::int64_t members = 1;   ///< of an ensemble, whose embeddings are concatenated: `width` is that of all
  std::int64_t features = 0;  ///< number of pair features, in addition to the embeddings of the two nodes
  double dropout = 0;         ///< dropout rate after the hidden ReLU of a decoder
  std::uint64_t seed = 0;
};

/// Scores pairs of nodes from their embeddings.
class GIR_API PairDecoder {
 public:
  virtual ~PairDecoder() = default;
  PairDecoder(const PairDecoder&) = delete;
  PairDecoder& operator=(const PairDecoder&) = delete;

  /// One logit per pair: z [nodes, width] gives [pairs]; in the training of an ensemble one for each member, [members *
  /// pairs], member by member. The batch must have as many features as the decoder was constructed with.
  virtual at::Tensor score(const at::Tensor& z, const PairBatch& pairs, const ForwardOptions& options) const = 0;

  /// Approximate memory in bytes that an epoch needs per scored pair, in addition to the score itself.
  virtual std::int64_t bytes_per_pair() const = 0;

  /// Fits the decoder to the features of training pairs, [pairs, features], before the first epoch: always the
  /// transformation that features_of() applies, and whatever else a decoder takes from them. The result is kept in
  /// buffers, which are saved and loaded with the parameters. `targets` are 1 for positives and 0 for negatives.
  void fit(const at::Tensor& features, const at::Tensor& targets) { fit_to(features, targets); }

  const Parameters& parameters() const { return parameters_; }

 protected:
  explicit PairDecoder(const DecoderOptions& options);
  Parameters& own_parameters() { return parameters_; }

  virtual void fit_to(const at::Tensor& features, const at::Tensor& targets);

  /// Fits what features_of() applies.
  void fit_scale(const at::Tensor& features);

  /// The features of a batch of pairs for linear maps: logarithms of their magnitudes, since most of them have heavy
  /// tails, standardised and clipped; undefined if the decoder has none.
  at::Tensor features_of(const PairBatch& pairs) const;

 private:
  at::Tensor logarithms(const at::Tensor& features) const;

  Parameters parameters_;
  at::Tensor feature_unit_, feature_mean_, feature_scale_;  ///< undefined without features
};

/// The log-odds of the mean of the probabilities that several logits stand for.
at::Tensor mean_log_odds(const std::vector<at::Tensor>& scores);

/// A registry entry for a decoder. Decoders register themselves; adding one takes one file.
struct GIR_API DecoderEntry {
  static constexpr std::string_view kKind = "decoder";

  std::string name;
  std::string summary;
  bool uses_dropout = false;                                                      ///< DecoderOptions::dropout
  std::unique_ptr<PairDecoder> (*make)(const DecoderOptions& options) = nullptr;  ///< of a single member
};

/// A registered decoder, for every member of an ensemble. UserError for unknown names.
GIR_API std::unique_ptr<PairDecoder> make_decoder(std::string_view name, const DecoderOptions& options);

}  // namespace gir
