#include "activation.h"

#include "gir/core/parallel.h"
#include "gir/core/vectorise.h"

namespace gir::cpu {
namespace {

constexpr std::int64_t kGrain = 1 << 14;
constexpr std::int64_t kLanes = 16;          ///< stream indices per step: a 512-bit vector has 16 words
constexpr std::int64_t kDrawn = 4 * kLanes;  ///< elements per step: an index of the stream gives four words
static_assert(kGrain % kDrawn == 0);

/// NaN stays NaN, so that a diverged run is visible.
template <typename Real>
[[gnu::always_inline]] inline Real relu(Real x) {
  return x <= 0 ? Real{0} : x;
}

template <typename Real>
[[gnu::always_inline]] inline void relu_values(const Real* x, std::int64_t size, Real* out) {
  for (std::int64_t i = 0; i < size; ++i) out[i] = relu(x[i]);
}

/// The random words of elements [first, first + kDrawn).
[[gnu::always_inline]] inline void draw(const RandomStream& stream, std::int64_t first, std::uint32_t* words) {
  for (std::int64_t lane = 0; lane < kLanes; ++lane) {
    const auto four = stream.words(static_cast<std::uint64_t>(first / 4 + lane));
    for (std::size_t k = 0; k < 4; ++k) words[4 * lane + static_cast<std::int64_t>(k)] = four[k];
  }
}

struct Identity {
  template <typename Real>
  [[gnu::always_inline]] Real operator()(Real x) const {
    return x;
  }
};

struct Relu {
  template <typename Real>
  [[gnu::always_inline]] Real operator()(Real x) const {
    return relu(x);
  }
};

template <typename Function, typename Real>
[[gnu::always_inline]] inline void apply_mask(const Real* x, const std::uint32_t* words, std::int64_t size,
                                              std::uint32_t threshold, Real scale, Real* out) {
  for (std::int64_t i = 0; i < size; ++i) out[i] = words[i] >= threshold ? Function()(x[i]) * scale : Real{0};
}

template <typename Function, typename Real>
[[gnu::always_inline]] inline void dropout_values(const Real* x, std::int64_t begin, std::int64_t end,
                                                  const Dropout& dropout, Real* out) {
  const RandomStream stream = dropout.stream;
  const std::uint32_t threshold = dropout.threshold;
  const Real scale = static_cast<Real>(dropout.scale);
  std::uint32_t words[kDrawn];
  std::int64_t first = begin;
  for (; first + kDrawn <= end; first += kDrawn) {
    draw(stream, first, words);
    apply_mask<Function>(x + first, words, kDrawn, threshold, scale, out + first);
  }
  if (first == end) return;  // the remainder draws a whole step, too, and uses a part of it
  draw(stream, first, words);
  apply_mask<Function>(x + first, words, end - first, threshold, scale, out + first);
}

template <typename Real>
[[gnu::always_inline]] inline void pass_back(const Real* out, const Real* d_out, std::int64_t size, Real scale,
                                             Real* d_x) {
  for (std::int64_t i = 0; i < size; ++i) d_x[i] = out[i] > 0 ? d_out[i] * scale : Real{0};
}

GIR_VECTORISED void dropout_range(const float* x, std::int64_t begin, std::int64_t end, const Dropout& dropout,
                                  float* out) {
  dropout_values<Identity>(x, begin, end, dropout, out);
}

}  // namespace

#define GIR_RANGES(Real)                                                                                              \
  GIR_VECTORISED void relu_dropout_range(const Real* x, std::int64_t begin, std::int64_t end, const Dropout& dropout, \
                                         Real* out) {                                                                 \
    if (dropout.threshold == 0) return relu_values(x + begin, end - begin, out + begin);                              \
    dropout_values<Relu>(x, begin, end, dropout, out);                                                                \
  }                                                                                                                   \
  GIR_VECTORISED void pass_back_range(const Real* out, const Real* d_out, std::int64_t size, Real scale, Real* d_x) { \
    pass_back(out, d_out, size, scale, d_x);                                                                          \
  }
GIR_RANGES(float)
GIR_RANGES(double)
#undef GIR_RANGES

void dropout(const float* x, std::int64_t size, const Dropout& dropout, float* out) {
  parallel_for(size, kGrain, [&](std::int64_t begin, std::int64_t end) { dropout_range(x, begin, end, dropout, out); });
}

template <typename Real>
void relu_dropout_forward(const Real* x, std::int64_t size, const Dropout& dropout, Real* out) {
  parallel_for(size, kGrain,
               [&](std::int64_t begin, std::int64_t end) { relu_dropout_range(x, begin, end, dropout, out); });
}

template <typename Real>
void relu_dropout_backward(const Real* out, const Real* d_out, std::int64_t size, double scale, Real* d_x) {
  parallel_for(size, kGrain, [&](std::int64_t begin, std::int64_t end) {
    pass_back_range(out + begin, d_out + begin, end - begin, static_cast<Real>(scale), d_x + begin);
  });
}

#define GIR_INSTANTIATE(Real)                                                           \
  template void relu_dropout_forward(const Real*, std::int64_t, const Dropout&, Real*); \
  template void relu_dropout_backward(const Real*, const Real*, std::int64_t, double, Real*);
GIR_INSTANTIATE(float)
GIR_INSTANTIATE(double)
#undef GIR_INSTANTIATE

}  // namespace gir::cpu
