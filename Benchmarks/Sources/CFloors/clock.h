// SPDX-License-Identifier: Apache-2.0
#ifndef CLOCK_H
#define CLOCK_H

#include <stdint.h>
#include <time.h>

/// Nanoseconds of a clock that only goes forward.
static inline uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/// The next number of a xorshift generator whose state is not 0.
static inline uint64_t draw(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

/// A number below a bound.
static inline uint64_t draw_below(uint64_t *state, uint32_t bound) {
  return (draw(state) >> 32) * bound >> 32;
}

#endif
