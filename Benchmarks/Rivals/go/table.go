// SPDX-License-Identifier: Apache-2.0

package main

import (
	"container/list"
	"sync"
)

type phase uint8

const (
	disconnected phase = iota
	connected
	inForeground
	inBackground
)

// row is what is known of a session, whether or not it is in memory.
type row struct {
	number  uint64 // rises with each new session
	used    uint64 // rises with each request: the order of recency
	version uint64 // of the state that is kept; 0 as long as there is none
	phase   phase
	session *session      // in memory; nil as soon as it has ended
	place   *list.Element // among the sessions that may be ended to make room
}

// eviction is a session that has to end, as its place in memory was given to another.
type eviction struct {
	row     *row
	session *session
}

// table is every session there is, under one lock, which no request holds while it waits.
type table struct {
	sync.Mutex
	rows            map[ID]*row
	evictable       list.List // rows in the background, the least recently used one first
	quota, capacity int       // of rows, and of sessions in memory
	inMemory        int
	clock           uint64
	// Counted for the check at the end.
	created, removed, saved, evicted uint64
}

func newTable(quota, capacity int) *table {
	return &table{rows: make(map[ID]*row), quota: quota, capacity: capacity}
}

// add makes the row of a new session, unless there are too many.
func (t *table) add(id ID, s *session) (victim eviction, added bool) {
	t.Lock()
	defer t.Unlock()
	if len(t.rows) >= t.quota || t.rows[id] != nil {
		return eviction{}, false
	}
	t.created++
	r := &row{number: t.created}
	t.rows[id] = r
	return t.connect(r, s), true
}

// restore puts a session with a kept state into memory. An earlier one may not have ended yet.
func (t *table) restore(id *ID, s *session) (earlier *session, victim eviction, found bool) {
	t.Lock()
	defer t.Unlock()
	r := t.rows[*id]
	if r == nil || r.phase != disconnected || r.version == 0 {
		return nil, eviction{}, false
	}
	earlier = r.session
	return earlier, t.connect(r, s), true
}

// connect gives a session a place in memory: that of the least recently used one in the background
// if there is no other. One in the foreground never has to go, so the capacity may be exceeded.
func (t *table) connect(r *row, s *session) (victim eviction) {
	if oldest := t.evictable.Front(); oldest != nil && t.inMemory >= t.capacity {
		least := oldest.Value.(*row)
		victim = eviction{least, least.session}
		t.use(least, disconnected)
		t.evicted++
	} else {
		t.inMemory++
	}
	r.session = s
	t.use(r, connected)
	return victim
}

func (t *table) use(r *row, to phase) {
	if r.place != nil {
		t.evictable.Remove(r.place)
		r.place = nil
	}
	t.clock++
	r.used, r.phase = t.clock, to
}

// request finds a session in memory, which does not have to go before it is in the background again.
func (t *table) request(id *ID) *session {
	t.Lock()
	defer t.Unlock()
	r := t.rows[*id]
	if r == nil || r.phase == disconnected {
		return nil
	}
	t.use(r, inForeground)
	return r.session
}

// hide is told that a session has gone to the background and saved its state.
func (t *table) hide(id *ID) {
	t.Lock()
	defer t.Unlock()
	r := t.rows[*id]
	t.use(r, inBackground)
	r.place = t.evictable.PushBack(r)
	t.keep(r)
}

func (t *table) keep(r *row) {
	r.version++
	t.saved++
}

// leave finds the session that has to end. It is someone else's to end if it makes room already.
func (t *table) leave(id *ID, andRemove bool) (r *row, s *session, isOurs bool) {
	t.Lock()
	defer t.Unlock()
	r = t.rows[*id]
	if r == nil {
		return nil, nil, false
	}
	isOurs = r.phase != disconnected
	t.use(r, disconnected)
	if andRemove {
		delete(t.rows, *id)
		t.removed++
	}
	return r, r.session, isOurs
}

// forget lets go of a session that has ended; it gives so many places back.
func (t *table) forget(r *row, s *session, places int) {
	t.Lock()
	if r.session == s {
		r.session = nil
	}
	t.inMemory -= places
	t.Unlock()
}
