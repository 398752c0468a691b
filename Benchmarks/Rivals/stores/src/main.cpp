// SPDX-License-Identifier: Apache-2.0
// The program: replaces the states of so many sessions of a store for so many seconds, in groups that
// are durable, in a folder; prints states a second.
#include "measure.hpp"
#include "support.hpp"
#include <cstdio>

int main(int argc, char** argv) {
  try {
    check(argc == 6, "expected sqlite|lmdb|rocksdb SESSIONS SECONDS GROUP FOLDER");
    options o{argv[1], static_cast<uint32_t>(std::stoul(argv[2])), std::stod(argv[3]),
              static_cast<uint32_t>(std::stoul(argv[4])), argv[5]};
    std::printf("%.0f\n", measure_snapshots(o));
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "failed: %s\n", e.what());
    return 1;
  }
}
