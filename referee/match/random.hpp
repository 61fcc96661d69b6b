// The match's only source of chance: the same numbers from the same seed on every machine and in every version.
// Generator: SplitMix64 (Steele, Lea, Flood 2014). Draws below a bound reject the incomplete last block, so none is favoured.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace referee::match {

class Random {
 public:
  explicit Random(std::uint64_t seed) noexcept : state_(seed) {}

  [[nodiscard]] std::uint64_t next() noexcept {
    state_ += 0x9e3779b97f4a7c15ULL;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31U);
  }

  /// Uniform in 0 .. bound-1. Needs: bound > 0.
  [[nodiscard]] std::uint64_t below(std::uint64_t bound) noexcept {
    const std::uint64_t incomplete = (UINT64_MAX % bound + 1) % bound;  // 2^64 mod bound
    std::uint64_t draw = next();
    while (draw > UINT64_MAX - incomplete) draw = next();
    return draw % bound;
  }

  /// Fisher-Yates, from the last element down.
  template <class T>
  void shuffle(std::vector<T>& values) noexcept {
    for (std::size_t left = values.size(); left > 1; --left) {
      using std::swap;
      swap(values[left - 1], values[static_cast<std::size_t>(below(left))]);
    }
  }

 private:
  std::uint64_t state_;
};

}  // namespace referee::match
