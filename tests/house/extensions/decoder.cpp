#include <ATen/TensorOperators.h>
#include <gir/learn/decoder.h>

namespace {

/// Half of the dot product.
class HalfDot : public gir::PairDecoder {
 public:
  explicit HalfDot(const gir::DecoderOptions& options) : PairDecoder(options) {}

  at::Tensor score(const at::Tensor& z, const gir::PairBatch& pairs, const gir::ForwardOptions&) const override {
    return gir::pair_dot(z, pairs) * 0.5;
  }
  std::int64_t bytes_per_pair() const override { return 0; }
};

const gir::Registered<gir::DecoderEntry> half_dot{{
    .name = "outside-half-dot",
    .summary = "half of the dot product",
    .make = [](const gir::DecoderOptions& options) -> std::unique_ptr<gir::PairDecoder> {
      return std::make_unique<HalfDot>(options);
    },
}};

}  // namespace
