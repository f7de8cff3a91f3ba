#include "search.h"

#include <ATen/core/Tensor.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "searching.h"
#include "tensors.h"

namespace gir::cuda {
namespace {

/// The source nodes of the searches for columns [first, first + lanes) of a table.
std::vector<SearchStart> starts_of(const NodeSets& sources, std::int64_t first, std::int64_t lanes) {
  std::vector<SearchStart> starts;
  for (std::int64_t lane = 0; lane < lanes; ++lane) {
    for (const NodeId node : sources[first + lane]) starts.push_back({node, static_cast<std::int32_t>(lane)});
  }
  return starts;
}

void search(const c10::Device& device, const Graph& graph, const NodeSets& sources, Hops max_hops,
            DistanceTable& table) {
  const std::int64_t nodes = graph.num_nodes();
  if (nodes == 0) return;
  const c10::cuda::CUDAGuard guard(device);
  const at::Tensor offsets = copied(graph.in().offsets.span());  // not cached: needed only once
  const at::Tensor neighbors = copied(graph.in().neighbors.span());
  const std::int64_t max_lanes = std::min<std::int64_t>(kSearchLanes, sources.size());
  const at::Tensor words = empty_on_device(3 * nodes * kLaneWords, at::kLong);
  const at::Tensor hops = empty_on_device(nodes * max_lanes, at::kShort);
  const at::Tensor any_new = empty_on_device(1, at::kInt);
  auto* seen = static_cast<std::uint64_t*>(words.data_ptr());
  const cudaStream_t stream = current_stream();
  for (std::int64_t first = 0; first < sources.size(); first += kSearchLanes) {
    const std::int64_t lanes = std::min<std::int64_t>(kSearchLanes, sources.size() - first);
    SearchRows rows{.nodes = nodes,
                    .offsets = address_in<const EdgeId>(offsets),
                    .sources = address_in<const NodeId>(neighbors),
                    .seen = seen,
                    .frontier = seen + nodes * kLaneWords,
                    .next = seen + 2 * nodes * kLaneWords,
                    .hops = hops.data_ptr<std::int16_t>(),
                    .lanes = static_cast<int>(lanes),
                    .any_new = any_new.data_ptr<int>()};
    const std::vector<SearchStart> starts = starts_of(sources, first, lanes);
    const at::Tensor device_starts = copied(std::span<const SearchStart>(starts));
    begin_search(rows, address_in<const SearchStart>(device_starts), std::ssize(starts), stream);
    for (Hops level = 1; level <= max_hops; ++level) {
      advance_search(rows, level, stream);
      std::swap(rows.frontier, rows.next);
      int found_new = 0;
      check(cudaMemcpyAsync(&found_new, rows.any_new, sizeof(found_new), cudaMemcpyDeviceToHost, stream));
      check(cudaStreamSynchronize(stream));
      if (found_new == 0 || level == kMaxHops) break;  // beyond kMaxHops, ++level would overflow
    }
    const auto width = static_cast<std::size_t>(lanes) * sizeof(Hops);
    check(cudaMemcpy2DAsync(table.hops.data() + first, static_cast<std::size_t>(table.sources) * sizeof(Hops),
                            rows.hops, width, width, static_cast<std::size_t>(nodes), cudaMemcpyDeviceToHost, stream));
    check(cudaStreamSynchronize(stream));
  }
}

}  // namespace

bool search_distances(const c10::Device& device, const Graph& graph, const NodeSets& sources, Hops max_hops,
                      DistanceTable& table) {
  try {
    search(device, graph, sources, max_hops, table);
  } catch (const c10::OutOfMemoryError&) {
    return false;  // the caller searches on the CPU instead
  }
  return true;
}

}  // namespace gir::cuda
