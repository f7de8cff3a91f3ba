#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

#include "gir/core/export.h"

namespace gir {
namespace detail {

/// Memory for `count` items of `item_size` bytes, to be released with std::free. Throws std::bad_alloc.
GIR_API void* allocate_block(std::int64_t count, std::size_t item_size);

}  // namespace detail

/// Data derived from an array's values that lives as long as they do, such as their copies on GPUs.
class GIR_API ArrayCompanion {
 public:
  virtual ~ArrayCompanion() = default;
};

/// A fixed-size block of trivially copyable values. Not initialised on construction, so that the threads that fill it
/// are the first to touch its pages. Moves are O(1); copies are explicit (`clone`).
template <typename T>
class Array {
  static_assert(std::is_trivially_copyable_v<T>);
  static_assert(alignof(T) <= alignof(std::max_align_t), "malloc does not align further");

 public:
  using value_type = T;

  Array() = default;

  /// `size` uninitialised values.
  explicit Array(std::int64_t size) : size_(size) {
    if (size != 0) data_ = static_cast<T*>(detail::allocate_block(size, sizeof(T)));
  }

  Array(std::int64_t size, T value) : Array(size) {
    for (T& item : *this) item = value;
  }

  Array(std::initializer_list<T> values) : Array(std::span<const T>(values.begin(), values.size())) {}

  /// A copy of `values`.
  explicit Array(std::span<const T> values) : Array(static_cast<std::int64_t>(values.size())) {
    if (!values.empty()) std::memcpy(data_, values.data(), values.size_bytes());
  }

  Array(Array&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        companion_(std::move(other.companion_)) {}

  Array& operator=(Array&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(companion_, other.companion_);
    return *this;
  }

  ~Array() { std::free(data_); }

  Array clone() const { return Array(std::span<const T>(data_, static_cast<std::size_t>(size_))); }

  /// Drops all values after the first `size` and returns their memory.
  void shrink(std::int64_t size) {
    if (size == size_) return;
    if (size == 0) {
      *this = Array();
      return;
    }
    // realloc may refuse even to shrink a block; the larger one is then kept.
    if (void* smaller = std::realloc(data_, static_cast<std::size_t>(size) * sizeof(T))) {
      data_ = static_cast<T*>(smaller);
    }
    size_ = size;
  }

  /// Compacts the array: keeps the ranges [starts[i], starts[i] + sizes[i]), which ascend and do not overlap, and drops
  /// everything between them.
  void close_gaps(std::span<const std::int64_t> starts, std::span<const std::int64_t> sizes) {
    std::int64_t place = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      if (place != starts[i]) {
        std::memmove(data_ + place, data_ + starts[i], static_cast<std::size_t>(sizes[i]) * sizeof(T));
      }
      place += sizes[i];
    }
    shrink(place);
  }

  std::int64_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  T& operator[](std::int64_t i) { return data_[i]; }
  const T& operator[](std::int64_t i) const { return data_[i]; }
  std::span<const T> span() const { return {data_, static_cast<std::size_t>(size_)}; }
  std::span<T> span() { return {data_, static_cast<std::size_t>(size_)}; }

  /// See ArrayCompanion. May only be set once the values no longer change; the caller synchronises access between
  /// threads.
  std::shared_ptr<ArrayCompanion>& companion() const { return companion_; }

 private:
  T* data_ = nullptr;
  std::int64_t size_ = 0;
  mutable std::shared_ptr<ArrayCompanion> companion_;
};

}  // namespace gir
