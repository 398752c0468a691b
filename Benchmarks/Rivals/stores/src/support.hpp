// SPDX-License-Identifier: Apache-2.0
// The clock and the way to fail: an exception, so that the files are removed.
#pragma once
#include <chrono>
#include <stdexcept>
#include <string>

using clock_type = std::chrono::steady_clock;

inline double seconds_since(clock_type::time_point start) {
  return std::chrono::duration<double>(clock_type::now() - start).count();
}

struct failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline void check(bool holds, const std::string& what) {
  if (!holds)
    throw failure(what);
}
