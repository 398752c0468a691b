// SPDX-License-Identifier: Apache-2.0
// One session: its messages and its life.
#include "session.hpp"
#include "support.hpp"

session::session(caf::actor_config& cfg, world& w, identifier id, origin from, int64_t edits)
  : caf::event_based_actor(cfg), world_(w), id_(id), from_(from), edits_(edits) {}

// Handlers are tried in order, so the frequent messages come first. They have no leading atom,
// because their types alone tell them from the others.
caf::behavior session::make_behavior() {
  connect();
  return {
    [this](uint32_t sender, uint64_t number, uint64_t payload) {
      deliver(sender, number, payload);
    },
    [this](uint64_t number) { return number + count_++; },
    [](connect_atom) {},
    [](foreground_atom) {},
    [this](background_atom) { save(); },
    [this](disconnect_atom) { quit(); },
    [this](destroy_atom) {
      world_.store.erase(id_);
      quit();
    },
  };
}

void session::connect() {
  if (from_ == origin::empty)
    return;
  scene_ = std::make_unique<draft>(from_ == origin::fresh ? make_draft(edits_) : draft{});
  if (from_ == origin::fresh)
    return;
  auto kept = world_.store.get(id_);
  check(kept && decode(*kept, *scene_), "the saved state cannot be decoded");
  check(*scene_ == make_draft(edits_), "the restored state differs");
}

void session::deliver(uint32_t sender, uint64_t number, uint64_t payload) {
  errors_ += number > last_[sender] ? 0 : 1;
  last_[sender] = number;
  sum_ += payload;
  ++count_;
  world_.handled.add(sender);
}

void session::save() { world_.store.put(id_, std::make_shared<const bytes>(encode(*scene_))); }

// Runs before the monitors hear of the end. Afterwards the session is not found any more.
void session::on_exit() {
  world_.registry.erase(id_);
  scene_.reset();
  world_.totals.count += count_;
  world_.totals.sum += sum_;
  world_.totals.errors += errors_;
}
