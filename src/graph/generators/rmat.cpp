#include "assembly.h"
#include "gir/core/error.h"

namespace gir::generators {
namespace {

/// R-MAT (Chakrabarti, Zhan and Faloutsos, "R-MAT: a recursive model for graph mining", 2004): divides the adjacency
/// matrix into quarters `scale` times and descends into one of them each time. Quarter a is at the top left; b, c and d
/// are at the top right, bottom left and bottom right.
class QuadrantWalk {
 public:
  QuadrantWalk(std::int64_t scale, double a, double b, double c, std::uint64_t seed)
      : scale_(scale),
        end_a_(threshold(a)),
        end_b_(threshold(a + b)),
        end_c_(threshold(a + b + c)),
        random_(seed, "rmat") {}

  Arc operator()(std::int64_t index) const {
    std::uint64_t state = random_.bits(static_cast<std::uint64_t>(index));
    Arc edge{0, 0};
    for (std::int64_t level = 0; level < scale_; level += 2) {
      const std::uint64_t bits = next_bits(state);
      step(bits & 0xffffffff, edge);
      if (level + 1 < scale_) step(bits >> 32, edge);
    }
    return edge;
  }

 private:
  /// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014). An edge needs one word
  /// for every two levels; only the first comes from the stream, which is ten times as expensive.
  static std::uint64_t next_bits(std::uint64_t& state) {
    state += 0x9E3779B97F4A7C15;
    std::uint64_t bits = state;
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9;
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EB;
    return bits ^ bits >> 31;
  }

  static std::uint64_t threshold(double probability) { return static_cast<std::uint64_t>(probability * 0x1p32); }

  void step(std::uint64_t draw, Arc& edge) const {
    // Sums of comparisons instead of branches, which would be mispredicted: the outcomes are random.
    const int quadrant = (draw >= end_a_) + (draw >= end_b_) + (draw >= end_c_);
    edge.source = edge.source << 1 | quadrant >> 1;
    edge.target = edge.target << 1 | (quadrant & 1);
  }

  std::int64_t scale_;
  std::uint64_t end_a_;
  std::uint64_t end_b_;
  std::uint64_t end_c_;
  RandomStream random_;
};

AttributedGraph make_rmat(const GeneratorParameters& parameters, std::uint64_t seed) {
  const std::int64_t scale = parameters.integer("scale");
  const std::int64_t edge_factor = parameters.integer("edge-factor");
  const double a = parameters.real("a");
  const double b = parameters.real("b");
  const double c = parameters.real("c");
  constexpr double kRounding = 1e-9;
  if (a + b + c > 1 + kRounding) {
    throw UserError("rmat: `a` + `b` + `c` is {}, more than 1 [use smaller ones; d is what remains to 1]", a + b + c);
  }
  const std::int64_t nodes = std::int64_t{1} << scale;
  check_size("rmat", static_cast<double>(nodes), static_cast<double>(nodes) * static_cast<double>(edge_factor));
  Array<Arc> edges = edges_by_index(nodes * edge_factor, QuadrantWalk(scale, a, b, c, seed));
  const Arc* end = std::remove_if(edges.begin(), edges.end(), [](Arc edge) { return edge.source == edge.target; });
  edges.shrink(end - edges.begin());
  return undirected_graph(nodes, std::move(edges));
}

GeneratorParameter quadrant_parameter(std::string name, double default_value, std::string meaning) {
  return {.name = std::move(name),
          .default_value = default_value,
          .minimum = 0,
          .maximum = 1,
          .meaning = std::move(meaning)};
}

const Registered<Generator> rmat{
    {.name = "rmat",
     .summary = "recursive matrix graph with hubs; repeated edges and self loops are dropped",
     .parameters = {{.name = "scale", .default_value = 10, .minimum = 1, .maximum = 30, .meaning = "2^scale nodes"},
                    {.name = "edge-factor",
                     .default_value = 16,
                     .minimum = 1,
                     .maximum = kMaxNodes,
                     .meaning = "edges drawn per node"},
                    quadrant_parameter("a", 0.57, "probability of the top left quarter"),
                    quadrant_parameter("b", 0.19, "probability of the top right quarter"),
                    quadrant_parameter("c", 0.19, "probability of the bottom left quarter")},
     .make = make_rmat}};

}  // namespace
}  // namespace gir::generators
