#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace gir {

struct Vector2 {
  float x = 0;
  float y = 0;

  Vector2& operator+=(const Vector2& other) {
    x += other.x;
    y += other.y;
    return *this;
  }
  friend Vector2 operator+(Vector2 a, const Vector2& b) { return a += b; }
  friend Vector2 operator-(const Vector2& a, const Vector2& b) { return {a.x - b.x, a.y - b.y}; }
  friend Vector2 operator*(float factor, const Vector2& a) { return {factor * a.x, factor * a.y}; }
  float square() const { return x * x + y * y; }
};

/// A quadtree of points with masses for the Barnes-Hut approximation: a far square counts as one point.
class QuadTree {
 public:
  /// O(points log points).
  QuadTree(std::span<const Vector2> points, std::span<const float> masses);

  /// The repulsion of a point by all others: the sum of mass / distance along the line between them. A square whose
  /// width is at most `opening` times the distance of its centre of mass counts as one point, even where `point` lies
  /// in a corner of it. Points at the same position do not repel each other.
  Vector2 push(const Vector2& point, float opening) const;

 private:
  struct Square {
    Vector2 centre = {};  ///< of mass
    float mass = 0;
    float width = 0;
    std::int32_t begin = 0;  ///< range of its points
    std::int32_t end = 0;
    std::int32_t first_child = 0;  ///< index of the first of its consecutive children; 0: a leaf
    std::int32_t children = 0;
  };

  void sum_up(Square& square) const;
  void divide(std::int32_t place, int level);

  std::vector<std::uint64_t> codes_;  ///< Morton codes (bits of both coordinates interleaved), ascending
  std::vector<Vector2> points_;       ///< in the order of codes_
  std::vector<float> masses_;
  std::vector<Square> squares_;
};

}  // namespace gir
