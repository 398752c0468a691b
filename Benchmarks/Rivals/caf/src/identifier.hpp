// SPDX-License-Identifier: Apache-2.0
// A 16-byte identifier and the cheap random numbers that the callers use.
#pragma once
#include <cstddef>
#include <cstdint>

struct identifier {
  uint64_t high;
  uint64_t low;
  bool operator==(const identifier& other) const {
    return high == other.high && low == other.low;
  }
};

// Identifiers are random, so a part of one is a hash already.
struct identifier_hash {
  size_t operator()(const identifier& id) const { return id.low; }
};

// splitmix64: one addition and two multiplications for 64 good bits.
class generator {
public:
  // The first output becomes the state: plain seeds would give streams that overlap.
  explicit generator(uint64_t seed) : state_(seed) { state_ = next(); }

  uint64_t next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  // A uniform number below n, without a division.
  size_t below(size_t n) { return static_cast<size_t>(((next() >> 32) * n) >> 32); }

  identifier id() {
    auto high = next();
    return {high, next()};
  }

private:
  uint64_t state_;
};
