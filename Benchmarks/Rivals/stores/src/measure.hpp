// SPDX-License-Identifier: Apache-2.0
// Fills a store, measures it and verifies it.
#pragma once
#include "options.hpp"
#include <string>
#include <vector>

struct result {
  std::string version;
  std::string path;
  std::string parameter;
  double value;
};

// What was measured, all of it after the store has been verified.
std::vector<result> measure_snapshots(const std::string& name, const options& o);
