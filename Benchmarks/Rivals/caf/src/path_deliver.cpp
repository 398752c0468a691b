// SPDX-License-Identifier: Apache-2.0
// deliver: producers send numbered messages to random sessions.
#include "paths.hpp"
#include "session.hpp"

namespace {

// CAF's mailboxes have no bound, so all producers together keep at most this many messages
// unhandled.
constexpr uint64_t window = 32768;
constexpr uint64_t batch = 32;

// An actor, so that its sends go straight to the queue of the worker it runs on.
class producer final : public caf::event_based_actor {
public:
  producer(caf::actor_config& cfg, world& w, uint32_t sender, uint64_t unhandled,
           clock_type::time_point end, caf::actor owner)
    : caf::event_based_actor(cfg), world_(w), sender_(sender), unhandled_(unhandled), end_(end),
      owner_(std::move(owner)), random_(sender + 1) {}

  caf::behavior make_behavior() override {
    send(this, tick_atom::value);
    return {[this](tick_atom) { tick(); }};
  }

private:
  // The next tick waits behind the receivers once the throughput bound is reached.
  void tick() {
    auto handled = world_.handled.get(sender_);
    if (clock_type::now() < end_) {
      if (sent_ + batch <= handled + unhandled_)
        send_batch();
    } else if (handled == sent_) {
      send(owner_, done_atom::value, sent_, sum_);
      quit();
      return;
    }
    send(this, tick_atom::value);
  }

  void send_batch() {
    for (uint64_t i = 0; i < batch; ++i) {
      uint64_t payload = random_.next() >> 32;
      sum_ += payload;
      send(world_.random_session(random_), sender_, ++sent_, payload);
    }
  }

  world& world_;
  uint32_t sender_;
  uint64_t unhandled_;
  clock_type::time_point end_;
  caf::actor owner_;
  generator random_;
  uint64_t sent_ = 0;
  uint64_t sum_ = 0;
};

} // namespace

double run_deliver(size_t producers, const options& o) {
  world w;
  w.populate(o.sessions);
  uint64_t count = 0, sum = 0;
  double rate = 0;
  {
    caf::scoped_actor self(w.system);
    auto start = clock_type::now();
    std::vector<caf::actor> working; // CAF ends an actor that cannot be reached any more.
    for (size_t i = 0; i < producers; ++i)
      working.push_back(w.system.spawn<producer>(w, static_cast<uint32_t>(i), window / producers,
                                                 deadline(o), caf::actor(self)));
    for (size_t i = 0; i < producers; ++i)
      self->receive([&](done_atom, uint64_t sent, uint64_t payloads) {
        count += sent;
        sum += payloads;
      });
    rate = static_cast<double>(count) / seconds_since(start);
  }
  w.end_sessions();
  check(w.totals.count == count, "the sessions counted another number of messages");
  check(w.totals.sum == sum, "the sum of the payloads differs");
  check(w.totals.errors == 0, "messages arrived out of order");
  return rate;
}
