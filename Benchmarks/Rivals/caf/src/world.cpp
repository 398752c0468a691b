// SPDX-License-Identifier: Apache-2.0
// One measurement's actor system with its settings.
#include "world.hpp"
#include "session.hpp"
#include "support.hpp"
#include <thread>

// Thread numbers are handed out once for each thread and counter.
size_t handled_counter::line() {
  thread_local const handled_counter* owner = nullptr;
  thread_local size_t mine = 0;
  if (owner != this) {
    owner = this;
    mine = next_++;
    check(mine < threads, "more threads than lines of the counter");
  }
  return mine;
}

world::world() : system(tuned(config_)) {}

// CAF starts four workers on a smaller machine, which only adds switches; one for each core is
// best. A low throughput bound makes a busy producer let its receivers run.
caf::actor_system_config& world::tuned(caf::actor_system_config& config) {
  auto text = [](const char* name, const char* otherwise) {
    auto value = std::getenv(name);
    return std::string(value != nullptr ? value : otherwise);
  };
  auto cores = static_cast<int64_t>(std::thread::hardware_concurrency());
  config.set("scheduler.max-threads", cores);
  config.set("scheduler.max-throughput", int64_t{std::stoi(text("CAF_THROUGHPUT", "16"))});
  if (text("CAF_POLICY", "stealing") == "sharing")
    config.set("scheduler.policy", caf::atom("sharing"));
  return config;
}

void world::populate(size_t n) {
  generator random(7);
  ids.reserve(n);
  registry.reserve(n);
  for (size_t i = 0; i < n; ++i) {
    auto id = random.id();
    ids.push_back(id);
    registry.put(id, system.spawn<session>(*this, id));
  }
}

void world::end_sessions() {
  for (auto& id : ids)
    caf::anon_send(registry.get(id), disconnect_atom::value);
  system.await_all_actors_done();
  check(registry.size() == 0, "sessions are left in the registry");
}
