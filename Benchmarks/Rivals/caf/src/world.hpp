// SPDX-License-Identifier: Apache-2.0
// One measurement's actor system, its registry, its store and what its sessions counted.
#pragma once
#include "draft.hpp"
#include "sharded_map.hpp"
#include <array>
#include <atomic>
#include <caf/all.hpp>
#include <memory>

// A saved state is never changed, so the store and its readers share it.
using saved = std::shared_ptr<const bytes>;

// Messages handled for each sender. Each thread writes a line of its own, so that counting
// costs no traffic between the cores; a reader adds the lines up.
class handled_counter {
public:
  static constexpr size_t senders = 8;

  void add(size_t sender) {
    auto& slot = lines_[line()].counts[sender];
    slot.store(slot.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  }

  uint64_t get(size_t sender) const {
    uint64_t sum = 0;
    for (auto& l : lines_)
      sum += l.counts[sender].load(std::memory_order_acquire);
    return sum;
  }

private:
  static constexpr size_t threads = 16;

  struct alignas(64) per_thread {
    std::array<std::atomic<uint64_t>, senders> counts{};
  };

  size_t line();

  std::atomic<size_t> next_{0};
  std::array<per_thread, threads> lines_;
};

// Added to by each session when it ends.
struct session_totals {
  std::atomic<uint64_t> count{0};
  std::atomic<uint64_t> sum{0};
  std::atomic<uint64_t> errors{0};
};

class world {
public:
  world();

  // Creates n sessions under random identifiers and registers them.
  void populate(size_t n);

  // Ends all sessions and waits for it; the totals are complete afterwards.
  void end_sessions();

  caf::actor random_session(generator& random) {
    return registry.get(ids[random.below(ids.size())]);
  }

private:
  caf::actor_system_config config_;

public:
  sharded_map<caf::actor> registry;
  sharded_map<saved> store;
  handled_counter handled;
  session_totals totals;
  std::vector<identifier> ids;
  // Last, so that its end waits for the actors while the members above still exist.
  caf::actor_system system;

private:
  static caf::actor_system_config& tuned(caf::actor_system_config& config);
};
