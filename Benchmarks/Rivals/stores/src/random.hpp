// SPDX-License-Identifier: Apache-2.0
// Random numbers that cost less than what is measured.
#pragma once
#include <cstdint>

// The output function of splitmix64.
inline uint64_t mixed(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

class generator {
public:
  explicit generator(uint64_t seed) : state_(mixed(seed)) {}

  uint64_t next() { return mixed(state_ += 0x9e3779b97f4a7c15u); }

  // A uniform number below n, without a division.
  uint32_t below(uint32_t n) { return static_cast<uint32_t>(((next() >> 32) * n) >> 32); }

private:
  uint64_t state_;
};
