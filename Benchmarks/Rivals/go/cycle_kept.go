// SPDX-License-Identifier: Apache-2.0

package main

import "time"

const sessionQuota = 100_000

// measureCycleKept runs whole life cycles of sessions that have rows. The number of sessions is how
// many may be in memory.
func measureCycleKept(o *options) float64 {
	a := &application{newWorld(), newTable(sessionQuota, o.sessions)}
	start, end := time.Now(), o.end()
	done := together(o.workers, func(worker int) total { return a.cycles(worker, end) })
	result := rate(done.count, start)
	a.expectNothingLeft(done.count)
	a.expectLimit()
	a.expectNothingLeft(done.count + uint64(a.capacity) + 1)
	return result
}

func (a *application) cycles(caller int, end time.Time) (done total) {
	r := random{uint64(caller)<<32 + 7}
	reply := make(chan answer, 1)
	for time.Now().Before(end) {
		done.count++
		a.cycle(r.id(), int64(done.count), reply)
	}
	return done
}

func (a *application) cycle(id ID, edits int64, reply chan answer) {
	a.open(id, newDraft(edits), reply)
	a.foreground(&id, reply)
	a.background(&id, reply)
	a.disconnect(&id, false)
	restored := a.reconnect(id, reply)
	check(restored == answer{uint64(edits), true}, "a state was not restored as it was saved")
	a.foreground(&id, reply)
	a.destroy(&id)
}

// expectLimit opens one session more than may be in memory, without the clock. The first one makes
// room, with its state saved again, and comes back.
func (a *application) expectLimit() {
	r, reply := random{1}, make(chan answer, 1)
	ids := make([]ID, a.capacity+1)
	for i := range ids {
		ids[i] = r.id()
		a.open(ids[i], newDraft(int64(i)), reply)
		a.background(&ids[i], reply)
	}
	first := a.rows[ids[0]]
	check(first.phase == disconnected && first.version == 2 && a.inMemory == a.capacity,
		"the least recently used session did not make room")
	_, added := newTable(0, 1).add(ids[0], nil)
	check(!added, "there are more sessions than allowed")
	check(a.reconnect(ids[0], reply) == answer{0, true}, "a session that made room did not come back")
	for i := range ids {
		a.destroy(&ids[i])
	}
}

func (a *application) expectNothingLeft(sessions uint64) {
	a.expectEmpty()
	check(len(a.rows)+a.evictable.Len()+a.inMemory == 0, "the table is not empty")
	check(a.created == sessions && a.removed == sessions, "sessions were not made or not removed")
	check(a.saved == sessions+a.evicted, "states were not saved")
}
