// SPDX-License-Identifier: Apache-2.0
// The table of sessions.
#include "session_table.hpp"

using guard = std::lock_guard<std::mutex>;

bool session_table::add(const identifier& id, std::optional<victim>& makes_room) {
  guard g(lock_);
  if (rows_.size() >= quota_ || rows_.count(id) != 0)
    return false;
  auto& r = rows_[id];
  r.number = ++counts_.created;
  makes_room = place(r);
  return true;
}

bool session_table::restore(const identifier& id, std::optional<victim>& makes_room) {
  guard g(lock_);
  auto found = rows_.find(id);
  if (found == rows_.end() || found->second.now != phase::disconnected
      || found->second.version == 0)
    return false;
  makes_room = place(found->second);
  return true;
}

// One in the foreground never has to go, so the capacity may be exceeded.
std::optional<victim> session_table::place(row& r) {
  std::optional<victim> chosen;
  if (counts_.in_memory < capacity_ || evictable_.empty()) {
    ++counts_.in_memory;
  } else {
    auto id = evictable_.front();
    auto& least = rows_.find(id)->second;
    use(least, phase::disconnected);
    chosen = victim{id, std::move(least.session)};
    ++counts_.evicted;
  }
  use(r, phase::connected);
  return chosen;
}

void session_table::use(row& r, phase to) {
  if (r.now == phase::background)
    evictable_.erase(r.oldest);
  r.used = ++clock_;
  r.now = to;
}

void session_table::enter(const identifier& id, caf::actor session) {
  guard g(lock_);
  rows_.at(id).session = std::move(session);
}

caf::actor session_table::request(const identifier& id) {
  guard g(lock_);
  auto& r = rows_.at(id);
  if (r.session)
    use(r, phase::foreground);
  return r.session;
}

void session_table::hide(const identifier& id) {
  guard g(lock_);
  auto& r = rows_.at(id);
  use(r, phase::background);
  r.oldest = evictable_.insert(evictable_.end(), id);
  ++r.version;
  ++counts_.saved;
}

caf::actor session_table::leave(const identifier& id) {
  guard g(lock_);
  auto& r = rows_.at(id);
  use(r, phase::disconnected);
  return std::move(r.session);
}

void session_table::keep(const identifier& id) {
  guard g(lock_);
  ++rows_.at(id).version;
  ++counts_.saved;
}

void session_table::free_place() {
  guard g(lock_);
  --counts_.in_memory;
}

void session_table::remove(const identifier& id) {
  guard g(lock_);
  counts_.removed += rows_.erase(id);
}

row session_table::copy(const identifier& id) {
  guard g(lock_);
  return rows_.at(id);
}

table_counts session_table::counts() {
  guard g(lock_);
  auto counts = counts_;
  counts.rows = rows_.size();
  counts.evictable = evictable_.size();
  return counts;
}
