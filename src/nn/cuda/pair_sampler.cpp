#include "pair_sampler.h"

#include <ATen/core/Tensor.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "recording.h"
#include "sampling.h"
#include "tensors.h"

namespace gir::cuda {
namespace {

/// Number of candidates for `count` distinct allowed pairs; 0 if enumerating all pairs is better. The number of
/// distinct allowed pairs among the candidates has a standard deviation of about sqrt(count); with a margin of twelve
/// standard deviations they are too few less than once in 10^30 epochs.
std::int32_t draws_for(std::size_t count, std::uint64_t universe, std::uint64_t free) {
  if (free < count || is_nearly_used_up(universe, free, count)) return 0;
  const auto wanted = static_cast<double>(count);
  const double share = (wanted + 12 * std::sqrt(wanted) + 64) / static_cast<double>(free);
  if (share > 0.9) return 0;
  const double draws = std::ceil(-static_cast<double>(universe) * std::log1p(-share));
  return draws < std::numeric_limits<std::int32_t>::max() / 4 ? static_cast<std::int32_t>(draws) : 0;
}

class CudaPairSampler final : public PairSampler {
 public:
  CudaPairSampler(const PairSource& source, std::int32_t draws)
      : count_(std::ssize(source.positives)),
        members_(copied(source.universe.members())),
        group_begin_(copied(source.universe.group_begin())),
        starts_(copied(source.universe.starts())),
        slots_(copied(source.excluded.slots())),
        table_(empty_on_device(std::int64_t{12} << table_bits(draws), at::kByte)),
        draws_(empty_on_device(std::int64_t{3} * draws, at::kInt)),
        scan_workspace_(empty_on_device(static_cast<std::int64_t>(scan_bytes(draws)), at::kByte)),
        ends_workspace_(empty_on_device(8 * pairs(), at::kInt)),
        sort_workspace_(empty_on_device(static_cast<std::int64_t>(sort_bytes(pairs(), source.nodes)), at::kByte)),
        batch_(PairTensors{.pairs = empty_on_device(2 * pairs(), at::kInt).view({pairs(), 2}),
                           .offsets = empty_on_device(source.nodes + 1, at::kLong),
                           .pair_of = empty_on_device(2 * pairs(), at::kInt),
                           .partner = empty_on_device(2 * pairs(), at::kInt)}) {
    universe_ = {.size = source.universe.size(),
                 .members = address_in<const NodeId>(members_),
                 .group_begin = address_in<const std::int64_t>(group_begin_),
                 .starts = address_in<const std::uint64_t>(starts_),
                 .groups = std::ssize(source.universe.group_begin())};
    excluded_ = {address_in<const std::uint64_t>(slots_), std::countr_zero(source.excluded.slots().size())};
    auto* keys = address_in<std::uint64_t>(table_);
    auto* places = write<std::int32_t>(draws_);
    drawing_ = {.candidates = draws,
                .bits = table_bits(draws),
                .keys = keys,
                .first = reinterpret_cast<std::uint32_t*>(keys + (std::int64_t{1} << table_bits(draws))),
                .place = places,
                .counts = places + draws,
                .ranks = places + std::int64_t{2} * draws,
                .scan_workspace = scan_workspace_.data_ptr(),
                .scan_bytes = static_cast<std::size_t>(scan_workspace_.numel())};
    auto* ends = write<std::int32_t>(ends_workspace_);
    sorting_ = {.nodes = ends,
                .sorted_nodes = ends + 2 * pairs(),
                .ends = ends + 4 * pairs(),
                .sorted_ends = ends + 6 * pairs(),
                .sort_workspace = sort_workspace_.data_ptr(),
                .sort_bytes = static_cast<std::size_t>(sort_workspace_.numel())};
    check(cudaMemcpyAsync(all_pairs(), source.positives.data(), source.positives.size_bytes(), cudaMemcpyHostToDevice,
                          current_stream()));
    check(cudaStreamSynchronize(current_stream()));  // the caller may free its arrays
  }

  const PairBatch& draw(const RandomStream& stream) override {
    const PairTensors& made = *batch_.on_device();
    cuda::draw_pairs(universe_, excluded_, epoch_stream(stream), count_, drawing_, all_pairs() + count_,
                     current_stream());
    index_pairs(all_pairs(), pairs(), batch_.num_nodes(), sorting_, write<std::int64_t>(made.offsets),
                write<std::int32_t>(made.pair_of), write<NodeId>(made.partner), current_stream());
    return batch_;
  }

 private:
  /// log2 of the size of a hash table that is at most half full.
  static int table_bits(std::int32_t draws) { return std::bit_width(static_cast<std::uint32_t>(draws)) + 1; }

  std::int64_t pairs() const { return 2 * count_; }
  NodePair* all_pairs() const { return static_cast<NodePair*>(batch_.on_device()->pairs.data_ptr()); }

  std::int64_t count_;  ///< number of positives
  at::Tensor members_, group_begin_, starts_, slots_;
  at::Tensor table_, draws_, scan_workspace_, ends_workspace_, sort_workspace_;
  DeviceUniverse universe_{};
  DevicePairSet excluded_{};
  DrawWorkspace drawing_{};
  SortWorkspace sorting_{};
  PairBatch batch_;
};

}  // namespace

std::unique_ptr<PairSampler> make_pair_sampler(const PairSource& source) {
  const std::uint64_t taken = std::min<std::uint64_t>(source.universe.size(), source.excluded.size());
  const std::int32_t draws = draws_for(source.positives.size(), source.universe.size(), source.universe.size() - taken);
  if (draws == 0 || source.positives.empty()) return nullptr;
  return std::make_unique<CudaPairSampler>(source, draws);
}

}  // namespace gir::cuda
