// SPDX-License-Identifier: Apache-2.0
// The flags.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

struct options {
  uint32_t sessions = 100000;
  double seconds = 3;
  std::vector<std::string> paths{"snapshots"};
  std::vector<std::string> stores{"sqlite", "lmdb", "rocksdb"};
  std::vector<uint32_t> groups{1, 256};
  size_t bytes = 700;
  std::string folder;
  bool header = true;
};

// Ends the program with 2 and a line on standard error if a flag is wrong.
options parse(int argc, char** argv);
