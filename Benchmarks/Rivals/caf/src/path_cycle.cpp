// SPDX-License-Identifier: Apache-2.0
// cycle: the whole life of a session, every step awaited by its caller.
#include "paths.hpp"
#include "session.hpp"

namespace {

class cycler final : public caf::event_based_actor {
public:
  cycler(caf::actor_config& cfg, world& w, size_t number, clock_type::time_point end,
         caf::actor owner)
    : caf::event_based_actor(cfg), world_(w), end_(end), owner_(std::move(owner)),
      random_(number + 1) {}

  // The end of a session is confirmed by its monitor: first it is restored, then it is over.
  caf::behavior make_behavior() override {
    set_down_handler([this](caf::down_msg& down) {
      if (down.reason)
        fail("a session ended with " + system().render(down.reason));
      if (restored_)
        finish();
      else
        reconnect();
    });
    next();
    return {[](tick_atom) {}};
  }

private:
  template <class Atom, class Then>
  void step(Atom message, Then then) {
    request(world_.registry.get(id_), caf::infinite, message).then(then);
  }

  void next() {
    if (clock_type::now() >= end_) {
      send(owner_, done_atom::value, cycles_);
      quit();
      return;
    }
    id_ = random_.id();
    restored_ = false;
    start(origin::fresh, [this] { background(); });
  }

  // The reply to connect says that the session has its state.
  template <class Then>
  void start(origin from, Then then) {
    auto edits = static_cast<int64_t>(cycles_);
    world_.registry.put(id_, spawn<session, caf::monitored>(world_, id_, from, edits));
    step(connect_atom::value, [this, then] { step(foreground_atom::value, then); });
  }

  void background() {
    step(background_atom::value, [this] {
      send(world_.registry.get(id_), disconnect_atom::value);
    });
  }

  void reconnect() {
    restored_ = true;
    start(origin::stored, [this] { send(world_.registry.get(id_), destroy_atom::value); });
  }

  void finish() {
    ++cycles_;
    next();
  }

  world& world_;
  clock_type::time_point end_;
  caf::actor owner_;
  generator random_;
  identifier id_{};
  bool restored_ = false;
  uint64_t cycles_ = 0;
};

} // namespace

double run_cycle(size_t callers, const options& o) {
  world w;
  uint64_t count = 0;
  double rate = 0;
  {
    caf::scoped_actor self(w.system);
    auto start = clock_type::now();
    std::vector<caf::actor> working; // CAF ends an actor that cannot be reached any more.
    for (size_t i = 0; i < callers; ++i)
      working.push_back(w.system.spawn<cycler>(w, i, deadline(o), caf::actor(self)));
    for (size_t i = 0; i < callers; ++i)
      self->receive([&](done_atom, uint64_t cycles) { count += cycles; });
    rate = static_cast<double>(count) / seconds_since(start);
  }
  w.system.await_all_actors_done();
  check(w.store.size() == 0, "states are left in the store");
  check(w.registry.size() == 0, "sessions are left in the registry");
  return rate;
}
