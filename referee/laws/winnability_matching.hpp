// Can each of a few squares be held by a man of its own?
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace referee::laws::winnability {

class Matching {
 public:
  /// One more square (at most eight) and the men that may stand on it, as a set of numbers below 32.
  void add(std::uint32_t men) noexcept { candidates_[size_++] = men; }
  [[nodiscard]] bool complete() noexcept {
    for (std::size_t square = 0; square < size_; ++square) {
      std::uint32_t tried = 0;
      if (!place(square, tried)) return false;
    }
    return true;
  }

 private:
  bool place(std::size_t square, std::uint32_t& tried) noexcept {
    for (std::uint32_t men = candidates_[square] & ~tried; men != 0; men = (men & (men - 1)) & ~tried) {
      const auto man = static_cast<std::size_t>(std::countr_zero(men));
      tried |= std::uint32_t{1} << man;
      if (holds_[man] == 0 || place(holds_[man] - std::size_t{1}, tried)) {
        holds_[man] = static_cast<std::uint8_t>(square + 1);
        return true;
      }
    }
    return false;
  }

  std::array<std::uint32_t, 8> candidates_{};
  std::array<std::uint8_t, 32> holds_{};  // by man: 1 + the square it holds
  std::size_t size_ = 0;
};

}  // namespace referee::laws::winnability
