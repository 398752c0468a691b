// SPDX-License-Identifier: Apache-2.0
// call: request and response between a caller and a random session.
#include "paths.hpp"
#include "session.hpp"

namespace {

class caller final : public caf::event_based_actor {
public:
  caller(caf::actor_config& cfg, world& w, size_t number, clock_type::time_point end,
         caf::actor owner)
    : caf::event_based_actor(cfg), world_(w), end_(end), owner_(std::move(owner)),
      random_(number + 1) {}

  caf::behavior make_behavior() override {
    next();
    return {[](tick_atom) {}};
  }

private:
  // No timeout, so that no timer is set for each call; the clock is read once in 16 calls.
  void next() {
    if (made_ % 16 == 0 && clock_type::now() >= end_) {
      send(owner_, done_atom::value, made_);
      quit();
      return;
    }
    ++made_;
    request(world_.random_session(random_), caf::infinite, made_).then([this](uint64_t reply) {
      check(reply >= made_, "a reply is below its request");
      next();
    });
  }

  world& world_;
  clock_type::time_point end_;
  caf::actor owner_;
  generator random_;
  uint64_t made_ = 0;
};

} // namespace

double run_call(size_t callers, const options& o) {
  world w;
  w.populate(o.sessions);
  uint64_t count = 0;
  double rate = 0;
  {
    caf::scoped_actor self(w.system);
    auto start = clock_type::now();
    std::vector<caf::actor> working; // CAF ends an actor that cannot be reached any more.
    for (size_t i = 0; i < callers; ++i)
      working.push_back(w.system.spawn<caller>(w, i, deadline(o), caf::actor(self)));
    for (size_t i = 0; i < callers; ++i)
      self->receive([&](done_atom, uint64_t made) { count += made; });
    rate = static_cast<double>(count) / seconds_since(start);
  }
  w.end_sessions();
  check(w.totals.count == count, "the sessions counted another number of calls");
  return rate;
}
