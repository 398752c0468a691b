// SPDX-License-Identifier: Apache-2.0
// cycle_kept: the whole life of a session that has a row in the table. The number of sessions is
// how many may be in memory.
#include "paths.hpp"
#include "session.hpp"
#include "session_table.hpp"

namespace {

constexpr size_t quota = 100'000;

struct application {
  explicit application(size_t capacity) : table(quota, capacity) {}

  session_table table;
  world w; // Its end waits for the actors.
};

// A caller who lets one session after another live. It monitors its session and those that have to
// make room for it, whose ends are confirmed that way.
class cycler final : public caf::event_based_actor {
public:
  // One that pauses leaves its session in the background until a tick.
  cycler(caf::actor_config& cfg, application& a, identifier first, clock_type::time_point end,
         bool pauses, caf::actor owner)
    : caf::event_based_actor(cfg), app_(a), end_(end), pauses_(pauses), owner_(std::move(owner)),
      random_(first.high), id_(first) {}

  caf::behavior make_behavior() override {
    set_down_handler([this](caf::down_msg& down) {
      if (down.reason)
        fail("a session ended with " + system().render(down.reason));
      did_end(down.source);
    });
    open();
    return {[this](tick_atom) { leave(); }};
  }

private:
  template <class Atom, class Then>
  void step(Atom message, Then then) {
    request(app_.table.request(id_), caf::infinite, message).then(then);
  }

  void open() {
    from_ = origin::fresh;
    std::optional<victim> makes_room;
    check(app_.table.add(id_, makes_room), "there are too many sessions");
    evict(makes_room);
  }

  void reconnect() {
    from_ = origin::stored;
    std::optional<victim> makes_room;
    check(app_.table.restore(id_, makes_room), "a session has no state to be restored from");
    evict(makes_room);
  }

  // A session that has to make room saves its state first.
  void evict(const std::optional<victim>& makes_room) {
    if (!makes_room)
      return start();
    monitor(makes_room->session);
    request(makes_room->session, caf::infinite, background_atom::value)
      .then([this, leaving = *makes_room] {
        app_.table.keep(leaving.id);
        send(leaving.session, disconnect_atom::value);
      });
  }

  // The reply to connect says that the session has its state.
  void start() {
    auto edits = static_cast<int64_t>(cycles_);
    auto session = spawn<::session, caf::monitored>(app_.w, id_, from_, edits);
    session_ = session.address();
    app_.table.enter(id_, session);
    step(connect_atom::value, [this] { step(foreground_atom::value, [this] { was_shown(); }); });
  }

  void was_shown() {
    if (from_ == origin::stored)
      return leave();
    step(background_atom::value, [this] {
      app_.table.hide(id_);
      if (pauses_)
        send(owner_, done_atom::value, cycles_);
      else
        leave();
    });
  }

  // A session that makes room for another ends by itself, or has done so while the caller paused.
  void leave() {
    auto session = app_.table.leave(id_);
    has_place_ = static_cast<bool>(session);
    leaves_ = true;
    if (session)
      send(session, disconnect_atom::value);
    else if (!session_)
      ended();
  }

  void did_end(const caf::actor_addr& who) {
    if (who != session_)
      return start(); // What had to make room.
    session_ = nullptr;
    if (leaves_)
      ended();
  }

  void ended() {
    leaves_ = false;
    if (has_place_)
      app_.table.free_place();
    if (from_ == origin::fresh)
      return reconnect();
    app_.table.remove(id_);
    app_.w.store.erase(id_);
    ++cycles_;
    if (clock_type::now() < end_) {
      id_ = random_.id();
      return open();
    }
    send(owner_, done_atom::value, cycles_);
    quit();
  }

  application& app_;
  clock_type::time_point end_;
  bool pauses_;
  caf::actor owner_;
  generator random_;
  identifier id_;
  caf::actor_addr session_;
  origin from_ = origin::fresh;
  bool has_place_ = false;
  bool leaves_ = false;
  uint64_t cycles_ = 0;
};

void expect_nothing_left(application& a, uint64_t sessions) {
  auto counts = a.table.counts();
  check(counts.rows + counts.evictable + counts.in_memory == 0, "the table is not empty");
  check(a.w.store.size() == 0, "states are left in the store");
  check(counts.created == sessions && counts.removed == sessions, "sessions were not removed");
  check(counts.saved == sessions + counts.evicted, "states were not saved");
}

// Opens one session more than may be in memory, without the clock. The first one makes room, with
// its state saved again, and comes back.
void expect_limits(application& a, caf::scoped_actor& self, uint64_t capacity) {
  std::vector<caf::actor> callers;
  auto past = clock_type::now();
  for (uint64_t i = 0; i <= capacity; ++i) {
    callers.push_back(self->spawn<cycler>(a, identifier{i, i}, past, true, caf::actor(self)));
    self->receive([](done_atom, uint64_t) {});
  }
  auto first = a.table.copy({0, 0}), last = a.table.copy({capacity, capacity});
  check(first.now == phase::disconnected && first.version == 2
          && a.table.counts().in_memory == capacity,
        "the least recently used session did not make room");
  check(last.number == first.number + capacity, "the sessions have wrong numbers");
  for (auto& caller : callers) {
    self->send(caller, tick_atom::value);
    self->receive([](done_atom, uint64_t cycles) { check(cycles == 1, "a life did not end"); });
  }
  std::optional<victim> none;
  check(!session_table(0, 1).add({0, 0}, none), "there are more sessions than allowed");
}

} // namespace

double run_cycle_kept(size_t callers, const options& o) {
  application a(o.sessions);
  uint64_t count = 0;
  caf::scoped_actor self(a.w.system);
  auto start = clock_type::now();
  std::vector<caf::actor> working; // CAF ends an actor that cannot be reached any more.
  for (uint64_t i = 0; i < callers; ++i)
    working.push_back(
      self->spawn<cycler>(a, identifier{i + 1, i}, deadline(o), false, caf::actor(self)));
  for (size_t i = 0; i < callers; ++i)
    self->receive([&](done_atom, uint64_t cycles) { count += cycles; });
  auto rate = static_cast<double>(count) / seconds_since(start);
  expect_nothing_left(a, count);
  expect_limits(a, self, o.sessions);
  expect_nothing_left(a, count + o.sessions + 1);
  return rate;
}
