// SPDX-License-Identifier: Apache-2.0
// The program: measures a path, with so many sessions and workers, for so many seconds, and prints
// operations a second.
#include "paths.hpp"

int main(int argc, char** argv) {
  check(argc == 5, "expected PATH SESSIONS SECONDS WORKERS");
  std::string path = argv[1];
  options o{std::stoul(argv[2]), std::stod(argv[3])};
  size_t workers = std::stoul(argv[4]);
  auto run = path == "deliver"      ? run_deliver
             : path == "call"       ? run_call
             : path == "cycle"      ? run_cycle
             : path == "cycle_kept" ? run_cycle_kept
                                    : nullptr;
  check(run != nullptr, "unknown path");
  std::printf("%.0f\n", run(workers, o));
}
