// SPDX-License-Identifier: Apache-2.0

package main

// world is the registry of the sessions that live and the store of the states that were saved.
type world struct {
	registry *sharded[*session]
	store    *sharded[[]byte]
}

func newWorld() *world {
	return &world{newSharded[*session](), newSharded[[]byte]()}
}

// send puts a message into the mailbox of a session found by its identifier. The first try is made
// under the shard's read lock: a session is told to stop only after it left the registry, so a
// message that went in that way is handled. Only a sender that must wait looks at done as well.
func (w *world) send(id *ID, m message) bool {
	shard := &w.registry.shards[id.shard()]
	shard.RLock()
	s, found := shard.entries[*id]
	if !found {
		shard.RUnlock()
		return false
	}
	select {
	case s.mailbox <- m:
		shard.RUnlock()
		return true
	default:
		shard.RUnlock()
		return s.sendWaiting(m)
	}
}

func (s *session) sendWaiting(m message) bool {
	select {
	case s.mailbox <- m:
		return true
	case <-s.done:
		return false
	}
}

// ask sends and awaits the answer. The caller reuses its reply channel, as it asks one at a time.
func (w *world) ask(id *ID, m message, reply chan answer) (answer, bool) {
	m.reply = reply
	if !w.send(id, m) {
		return answer{}, false
	}
	return <-reply, true
}

// create starts a session; draft is nil for one with the small state only.
func (w *world) create(id ID, d *draft) {
	s := newSession()
	w.registry.put(&id, s)
	go s.run(w, state{id: id, draft: d})
}

// reconnect starts a session from its stored bytes, which its own goroutine decodes and checks. The
// answer is the restored count of edits.
func (w *world) reconnect(id ID, reply chan answer) (answer, bool) {
	bytes, found := w.store.get(&id)
	if !found {
		return answer{}, false
	}
	s := newSession()
	w.registry.put(&id, s)
	go s.restore(w, id, bytes, reply)
	return <-reply, true
}

func (s *session) restore(w *world, id ID, bytes []byte, reply chan<- answer) {
	d, ok := decode(bytes)
	if !ok || !d.isExpected() {
		reply <- answer{0, false}
		d = nil
	} else {
		reply <- answer{uint64(d.edits), true}
	}
	s.run(w, state{id: id, draft: d})
}

// disconnect takes a session out of the registry, ends it and waits until it has ended.
func (w *world) disconnect(id *ID) bool {
	s, found := w.registry.remove(id)
	if !found {
		return false
	}
	s.mailbox <- message{kind: stop}
	<-s.done
	return true
}
