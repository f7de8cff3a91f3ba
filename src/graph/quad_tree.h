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

/// Points with masses in nested squares, so that many far ones can be taken for one.
class QuadTree {
 public:
  /// O(points log points).
  QuadTree(std::span<const Vector2> points, std::span<const float> masses);

  /// What pushes a point away from all others: the sum of mass / distance along the line between them. A square that
  /// is no wider than `opening` times its distance counts as one point, even where the point is in a far corner of it.
  /// Points at the very same place do not push.
  Vector2 push(const Vector2& point, float opening) const;

 private:
  struct Square {
    Vector2 centre = {};  ///< of mass
    float mass = 0;
    float width = 0;
    std::int32_t begin = 0;  ///< its points
    std::int32_t end = 0;
    std::int32_t first_child = 0;  ///< its children follow one another; 0: a leaf
    std::int32_t children = 0;
  };

  void sum_up(Square& square) const;
  void divide(std::int32_t place, int level);

  std::vector<std::uint64_t> codes_;  ///< bits of both coordinates in turns, ascending
  std::vector<Vector2> points_;       ///< in that order
  std::vector<float> masses_;
  std::vector<Square> squares_;
};

}  // namespace gir
