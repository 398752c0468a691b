// SPDX-License-Identifier: Apache-2.0
// The options, the clock and the way to fail, shared by the paths.
#pragma once
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

struct options {
  size_t sessions;
  double seconds;
};

using clock_type = std::chrono::steady_clock;

inline clock_type::time_point deadline(const options& o) {
  return clock_type::now()
         + std::chrono::duration_cast<clock_type::duration>(
           std::chrono::duration<double>(o.seconds));
}

inline double seconds_since(clock_type::time_point start) {
  return std::chrono::duration<double>(clock_type::now() - start).count();
}

// Ends the program at once: after a failed check no other number would be worth printing.
[[noreturn]] inline void fail(const std::string& what) {
  std::fprintf(stderr, "failed: %s\n", what.c_str());
  std::fflush(stdout);
  std::_Exit(1);
}

inline void check(bool holds, const char* what) {
  if (!holds)
    fail(what);
}
