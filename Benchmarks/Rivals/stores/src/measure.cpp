// SPDX-License-Identifier: Apache-2.0
#include "measure.hpp"
#include "folder.hpp"
#include "random.hpp"
#include "states.hpp"
#include "store.hpp"
#include "support.hpp"
#include <algorithm>
#include <vector>

namespace {

// LMDB is killed if its map meets a full disk, and RocksDB keeps several copies for a while.
constexpr uint64_t room_factor = 8;
constexpr uint64_t room_at_least = 512 << 20;

std::unique_ptr<store> open(const std::string& name, const folder& f, const extent& size) {
  if (name == "sqlite")
    return open_sqlite(f.path(), size);
  return name == "lmdb" ? open_lmdb(f.path(), size) : open_rocksdb(f.path(), size);
}

void fill(store& s, states& contents, const extent& size) {
  const size_t batch = std::max<size_t>(1, (8 << 20) / size.bytes);
  for (uint32_t session = 0; session < size.sessions;) {
    s.begin(true);
    for (size_t i = 0; i < batch && session < size.sessions; ++i, ++session)
      s.put(session, contents.next(session));
    s.commit();
  }
  s.settle();
}

// Replaces states in groups until the time is over. Returns how many a second; the sessions of
// the last group are left in `group`.
double replace(store& s, states& contents, const extent& size, double seconds,
               std::vector<uint32_t>& group) {
  generator random{group.size()};
  uint64_t groups = 0;
  auto start = clock_type::now();
  double elapsed = 0;
  while (elapsed < seconds) {
    s.begin(false);
    for (auto& session : group) {
      session = random.below(size.sessions);
      s.put(session, contents.next(session));
    }
    s.commit();
    ++groups;
    elapsed = seconds_since(start);
  }
  return static_cast<double>(groups * group.size()) / elapsed;
}

void verify(store& s, states& contents, const std::vector<uint32_t>& sample,
            const std::string& when) {
  for (auto session : sample) {
    check(s.holds(session, contents.last(session)),
          "session " + std::to_string(session) + " has not what was last written to it, " + when);
  }
}

} // namespace

double measure_snapshots(const options& o) {
  const extent size{o.sessions, o.bytes};
  folder files(o.folder);
  files.check_room(room_factor * size.sessions * size.bytes + room_at_least);
  states contents(size.sessions, size.bytes);
  auto s = open(o.store, files, size);
  fill(*s, contents, size);

  // What was written last is what would be lost first.
  std::vector<uint32_t> sample(o.group);
  auto rate = replace(*s, contents, size, o.seconds, sample);
  generator random{2};
  for (uint32_t i = 0; i < 10000; ++i)
    sample.push_back(random.below(size.sessions));
  verify(*s, contents, sample, o.store + " before it was opened again");
  s.reset();
  s = open(o.store, files, size);
  verify(*s, contents, sample, o.store + " after it was opened again");
  return rate;
}
