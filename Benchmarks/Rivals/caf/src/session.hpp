// SPDX-License-Identifier: Apache-2.0
// One session: an event-based actor that is found through the registry by its identifier.
#pragma once
#include "world.hpp"

using connect_atom = caf::atom_constant<caf::atom("connect")>;
using foreground_atom = caf::atom_constant<caf::atom("foreground")>;
using background_atom = caf::atom_constant<caf::atom("background")>;
using disconnect_atom = caf::atom_constant<caf::atom("disconnect")>;
using destroy_atom = caf::atom_constant<caf::atom("destroy")>;
using done_atom = caf::atom_constant<caf::atom("done")>;
using tick_atom = caf::atom_constant<caf::atom("tick")>;

// What a session holds when it starts: nothing, a new state, or the one in the store.
enum class origin { empty, fresh, stored };

class session final : public caf::event_based_actor {
public:
  session(caf::actor_config& cfg, world& w, identifier id, origin from = origin::empty,
          int64_t edits = 0);

  caf::behavior make_behavior() override;

  void on_exit() override;

private:
  void connect();
  void deliver(uint32_t sender, uint64_t number, uint64_t payload);
  void save();

  world& world_;
  identifier id_;
  origin from_;
  int64_t edits_;
  std::unique_ptr<draft> scene_;
  uint64_t count_ = 0;
  uint64_t sum_ = 0;
  uint64_t errors_ = 0;
  std::array<uint64_t, handled_counter::senders> last_{};
};
