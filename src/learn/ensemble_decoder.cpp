#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/log_sigmoid.h>
#include <ATen/ops/logsumexp.h>
#include <ATen/ops/stack.h>

#include <vector>

#include "gir/core/error.h"
#include "gir/core/random.h"
#include "gir/learn/decoder.h"

namespace gir {
namespace {

/// A decoder for each member of an ensemble, which reads that member's embeddings.
class EnsembleDecoder : public PairDecoder {
 public:
  EnsembleDecoder(const DecoderEntry& entry, const DecoderOptions& options)
      : PairDecoder({}), width_(options.width / options.members) {
    ensure(options.width % options.members == 0, "embeddings of the same width side by side");
    const RandomStream seeds(options.seed, "decoder/members");
    for (std::int64_t i = 0; i < options.members; ++i) {
      DecoderOptions own = options;
      own.width = width_;
      own.members = 1;
      own.seed = seeds.bits(static_cast<std::uint64_t>(i));
      members_.push_back(entry.make(own));
      own_parameters().adopt(fmt::format("member{}.", i + 1), members_.back()->parameters(), /*frozen=*/false);
    }
  }

  /// In training the scores of one member after the other, otherwise the log-odds of their mean probability.
  at::Tensor score(const at::Tensor& z, const PairBatch& pairs, const ForwardOptions& options) const override {
    std::vector<at::Tensor> scores;
    for (std::size_t i = 0; i < members_.size(); ++i) {
      const at::Tensor own = z.narrow(1, static_cast<std::int64_t>(i) * width_, width_).contiguous();
      scores.push_back(members_[i]->score(own, pairs, options));
    }
    return options.training ? at::cat(scores) : mean_log_odds(scores);
  }

  std::int64_t bytes_per_pair() const override { return std::ssize(members_) * members_.front()->bytes_per_pair(); }

 private:
  void fit_to(const at::Tensor& features, const at::Tensor& targets) override {
    for (const auto& member : members_) member->fit(features, targets);
  }

  std::int64_t width_;  ///< of the embeddings of one member
  std::vector<std::unique_ptr<PairDecoder>> members_;
};

}  // namespace

at::Tensor mean_log_odds(const std::vector<at::Tensor>& scores) {
  const at::Tensor all = at::stack(scores);
  return at::logsumexp(at::log_sigmoid(all), 0) - at::logsumexp(at::log_sigmoid(-all), 0);
}

std::unique_ptr<PairDecoder> make_decoder(std::string_view name, const DecoderOptions& options) {
  const DecoderEntry& entry = Registry<DecoderEntry>::get(name);
  if (options.members == 1) return entry.make(options);
  return std::make_unique<EnsembleDecoder>(entry, options);
}

}  // namespace gir
