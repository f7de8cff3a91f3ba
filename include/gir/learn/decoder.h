#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "gir/core/export.h"
#include "gir/core/registry.h"
#include "gir/models/model.h"
#include "gir/nn/pair_ops.h"
#include "gir/nn/parameters.h"

namespace gir {

struct GIR_API DecoderOptions {
  std::int64_t width = 0;     ///< of the vectors
  std::int64_t features = 0;  ///< of a pair, beside its nodes' vectors
  double dropout = 0;         ///< after a decoder's hidden ReLU
  std::uint64_t seed = 0;
};

/// Scores pairs of nodes by their vectors.
class GIR_API PairDecoder {
 public:
  virtual ~PairDecoder() = default;
  PairDecoder(const PairDecoder&) = delete;
  PairDecoder& operator=(const PairDecoder&) = delete;

  /// A logit a pair: z [nodes, width] gives [pairs]. The batch has the features that the decoder was made for.
  virtual at::Tensor score(const at::Tensor& z, const PairBatch& pairs, const ForwardOptions& options) const = 0;

  /// About how much memory an epoch takes for every pair that it scores, beside the score.
  virtual std::int64_t bytes_per_pair() const = 0;

  /// Takes mean and deviation of a pair's features from a sample [pairs, features]; from then on a decoder sees them
  /// with mean 0 and deviation 1. Part of the model: kept with its parameters.
  void learn_feature_scale(const at::Tensor& sample);

  const Parameters& parameters() const { return parameters_; }

 protected:
  explicit PairDecoder(const DecoderOptions& options);
  Parameters& own_parameters() { return parameters_; }

  /// The features of a batch's pairs, standardised. Undefined where there are none.
  at::Tensor features_of(const PairBatch& pairs) const;

 private:
  Parameters parameters_;
  at::Tensor feature_mean_, feature_scale_;  ///< where there are features
};

/// A kind of decoder. Decoders register themselves; adding one is one file.
struct GIR_API DecoderEntry {
  static constexpr std::string_view kKind = "decoder";

  std::string name;
  std::string summary;
  std::unique_ptr<PairDecoder> (*make)(const DecoderOptions& options) = nullptr;
};

}  // namespace gir
