// SPDX-License-Identifier: Apache-2.0
// Every session there is, whether or not it is in memory. All under one lock, which nothing holds
// that waits: an actor that owned the table would cost a message and its answer for each request.
#pragma once
#include "world.hpp"
#include <list>
#include <mutex>
#include <optional>
#include <unordered_map>

enum class phase : uint8_t { disconnected, connected, foreground, background };

struct row {
  uint64_t number = 0;  // rises with each new session
  uint64_t used = 0;    // rises with each request: the order of recency
  uint64_t version = 0; // of the state that is kept; 0 as long as there is none
  phase now = phase::disconnected;
  caf::actor session;                     // null if it is not in memory
  std::list<identifier>::iterator oldest; // its place among those in the background
};

// A session that has to end, as its place in memory was given to another.
struct victim {
  identifier id;
  caf::actor session;
};

struct table_counts {
  uint64_t created = 0, removed = 0, saved = 0, evicted = 0, in_memory = 0, rows = 0, evictable = 0;
};

class session_table {
public:
  session_table(size_t quota, size_t capacity) : quota_(quota), capacity_(capacity) {}

  // Makes the row of a new session with a place in memory, unless there are too many. What makes
  // room has to end before the session is entered.
  bool add(const identifier& id, std::optional<victim>& makes_room);

  // The same for a session that has ended and whose state is kept.
  bool restore(const identifier& id, std::optional<victim>& makes_room);

  void enter(const identifier& id, caf::actor session);

  // A session in memory, which does not have to go before it is in the background again.
  caf::actor request(const identifier& id);

  // The session has gone to the background and saved its state.
  void hide(const identifier& id);

  // The session that has to end; null if it makes room already.
  caf::actor leave(const identifier& id);

  // Its state was saved as it made room.
  void keep(const identifier& id);

  void free_place();

  void remove(const identifier& id);

  row copy(const identifier& id);

  table_counts counts();

private:
  std::optional<victim> place(row& r);
  void use(row& r, phase to);

  std::mutex lock_;
  std::unordered_map<identifier, row, identifier_hash> rows_;
  std::list<identifier> evictable_; // in the background, the least recently used one first
  size_t quota_, capacity_;
  uint64_t clock_ = 0;
  table_counts counts_;
};
