#include "quad_tree.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace gir {
namespace {

constexpr int kLevels = 20;  // bits per coordinate
constexpr std::int32_t kMaxLeafPoints = 8;

/// The bits of a number with a zero bit before each, for Morton codes.
std::uint64_t spread(std::uint32_t number) {
  std::uint64_t bits = number;
  bits = (bits | bits << 16) & 0x0000ffff0000ffff;
  bits = (bits | bits << 8) & 0x00ff00ff00ff00ff;
  bits = (bits | bits << 4) & 0x0f0f0f0f0f0f0f0f;
  bits = (bits | bits << 2) & 0x3333333333333333;
  bits = (bits | bits << 1) & 0x5555555555555555;
  return bits;
}

}  // namespace

QuadTree::QuadTree(std::span<const Vector2> points, std::span<const float> masses) {
  Vector2 low, high;
  if (!points.empty()) low = high = points.front();
  for (const Vector2& point : points) {
    low = {std::min(low.x, point.x), std::min(low.y, point.y)};
    high = {std::max(high.x, point.x), std::max(high.y, point.y)};
  }
  const float width = std::max({high.x - low.x, high.y - low.y, 1e-20f});
  const auto cell = [&](float offset) {
    constexpr float kCells = 1 << kLevels;
    return static_cast<std::uint32_t>(std::clamp(offset / width * kCells, 0.0f, kCells - 1));
  };
  std::vector<std::uint64_t> codes(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    codes[i] = spread(cell(points[i].x - low.x)) << 1 | spread(cell(points[i].y - low.y));
  }
  // Ties by index: the order, and with it every sum of forces, is the same in every run.
  std::vector<std::int32_t> order(points.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    const std::uint64_t first = codes[static_cast<std::size_t>(a)];
    const std::uint64_t second = codes[static_cast<std::size_t>(b)];
    return first != second ? first < second : a < b;
  });
  for (const std::int32_t i : order) {
    codes_.push_back(codes[static_cast<std::size_t>(i)]);
    points_.push_back(points[static_cast<std::size_t>(i)]);
    masses_.push_back(masses[static_cast<std::size_t>(i)]);
  }
  if (points.empty()) return;
  squares_.push_back({.width = width, .end = static_cast<std::int32_t>(points.size())});
  divide(0, kLevels);
}

void QuadTree::sum_up(Square& square) const {
  double x = 0, y = 0, mass = 0;
  for (auto i = static_cast<std::size_t>(square.begin); i < static_cast<std::size_t>(square.end); ++i) {
    x += static_cast<double>(masses_[i]) * points_[i].x;
    y += static_cast<double>(masses_[i]) * points_[i].y;
    mass += masses_[i];
  }
  square.mass = static_cast<float>(mass);
  if (mass > 0) square.centre = {static_cast<float>(x / mass), static_cast<float>(y / mass)};
}

void QuadTree::divide(std::int32_t place, int level) {
  sum_up(squares_[static_cast<std::size_t>(place)]);
  const Square square = squares_[static_cast<std::size_t>(place)];
  if (square.end - square.begin <= kMaxLeafPoints || level == 0) return;
  // Points are sorted by Morton code: the points of each quarter are consecutive and share the leading bits.
  const int shift = 2 * (level - 1);
  const auto first_child = static_cast<std::int32_t>(squares_.size());
  for (std::int32_t begin = square.begin; begin < square.end;) {
    const std::uint64_t quarter = codes_[static_cast<std::size_t>(begin)] >> shift;
    const auto end = std::partition_point(codes_.begin() + begin, codes_.begin() + square.end,
                                          [&](std::uint64_t code) { return code >> shift == quarter; });
    squares_.push_back(
        {.width = square.width / 2, .begin = begin, .end = static_cast<std::int32_t>(end - codes_.begin())});
    begin = squares_.back().end;
  }
  const auto children = static_cast<std::int32_t>(squares_.size()) - first_child;
  squares_[static_cast<std::size_t>(place)].first_child = first_child;
  squares_[static_cast<std::size_t>(place)].children = children;
  for (std::int32_t child = 0; child < children; ++child) divide(first_child + child, level - 1);
}

Vector2 QuadTree::push(const Vector2& point, float opening) const {
  Vector2 sum;
  if (squares_.empty()) return sum;
  const auto add = [&](const Vector2& other, float mass) {
    const Vector2 away = point - other;
    const float square = away.square();
    if (square > 0) sum += mass / square * away;
  };
  // A stack of squares to visit: each level replaces one square by up to four.
  std::array<std::int32_t, 3 * kLevels + 4> open;
  std::size_t count = 0;
  open[count++] = 0;
  while (count > 0) {
    const Square& square = squares_[static_cast<std::size_t>(open[--count])];
    if (square.width * square.width <= opening * opening * (point - square.centre).square()) {
      add(square.centre, square.mass);
    } else if (square.children > 0) {
      for (std::int32_t child = 0; child < square.children; ++child) open[count++] = square.first_child + child;
    } else {
      for (auto i = static_cast<std::size_t>(square.begin); i < static_cast<std::size_t>(square.end); ++i) {
        add(points_[i], masses_[i]);
      }
    }
  }
  return sum;
}

}  // namespace gir
