// SPDX-License-Identifier: Apache-2.0
// What is measured.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

struct options {
  std::string store;
  uint32_t sessions;
  double seconds;
  // How many states become durable together.
  uint32_t group;
  std::string folder;
  size_t bytes = 700;
};
