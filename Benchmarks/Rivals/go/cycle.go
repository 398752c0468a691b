// SPDX-License-Identifier: Apache-2.0

package main

import "time"

// measureCycle runs whole life cycles in an otherwise empty world, with a memory store.
func measureCycle(o *options) float64 {
	w := newWorld()
	start, end := time.Now(), o.end()
	done := together(o.workers, func(worker int) total { return w.cycles(worker, end) })
	result := rate(done.count, start)
	w.expectEmpty()
	return result
}

func (w *world) cycles(caller int, end time.Time) (done total) {
	r := random{uint64(caller)<<32 + 7}
	reply := make(chan answer, 1)
	for time.Now().Before(end) {
		done.count++
		w.cycle(r.id(), int64(done.count), reply)
	}
	return done
}

// cycle is one life: every step finds the session by its identifier and is awaited.
func (w *world) cycle(id ID, edits int64, reply chan answer) {
	w.create(id, newDraft(edits))
	w.step(&id, foreground, reply)
	w.step(&id, background, reply)
	check(w.disconnect(&id), "a session was not there to be disconnected")
	a, found := w.reconnect(id, reply)
	check(found && a.ok && a.value == uint64(edits), "a state was not restored as it was saved")
	w.step(&id, foreground, reply)
	check(w.disconnect(&id), "a session was not there to be destroyed")
	_, found = w.store.remove(&id)
	check(found, "a destroyed session had no stored state")
}

func (w *world) step(id *ID, k kind, reply chan answer) {
	a, found := w.ask(id, message{kind: k}, reply)
	check(found && a.ok, "a step of the life cycle failed")
}

func (w *world) expectEmpty() {
	for i := range w.store.shards {
		left := len(w.store.shards[i].entries) + len(w.registry.shards[i].entries)
		check(left == 0, "a life cycle left something behind")
	}
}
