// SPDX-License-Identifier: Apache-2.0
// memory: resident bytes for each idle connected session.
#include "paths.hpp"
#include "session.hpp"
#include <thread>
#include <unistd.h>

namespace {

double resident() {
  long total = 0, pages = 0;
  auto file = std::fopen("/proc/self/statm", "r");
  check(file != nullptr && std::fscanf(file, "%ld %ld", &total, &pages) == 2, "no statm");
  std::fclose(file);
  return static_cast<double>(pages) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

} // namespace

// Each session gets one message, so that its small state is filled.
double run_memory(const options& o) {
  world w;
  auto before = resident();
  w.populate(o.sessions);
  uint64_t number = 0;
  for (auto& id : w.ids) {
    ++number;
    caf::anon_send(w.registry.get(id), uint32_t{0}, number, number);
  }
  while (w.handled.get(0) < number)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  auto after = resident();
  w.end_sessions();
  check(w.totals.count == number && w.totals.errors == 0, "a session missed its message");
  return (after - before) / static_cast<double>(o.sessions);
}
