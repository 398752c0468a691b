// SPDX-License-Identifier: Apache-2.0

package main

// application is sessions that outlive their goroutines: the table says which there are, and the
// world's store has the bytes of their states. Every request passes the table and is awaited.
type application struct {
	*world
	*table
}

func (a *application) open(id ID, d *draft, reply chan answer) {
	s := newSession()
	victim, added := a.add(id, s)
	check(added, "there are too many sessions")
	a.evict(victim, reply)
	go s.run(a.world, state{id: id, draft: d})
}

func (a *application) foreground(id *ID, reply chan answer) {
	s := a.request(id)
	check(s != nil && s.ask(foreground, reply).ok, "a session did not come to the foreground")
}

func (a *application) background(id *ID, reply chan answer) {
	s := a.request(id)
	check(s != nil && s.ask(background, reply).ok, "a session was not saved")
	a.hide(id)
}

// reconnect starts a session from its stored bytes, after an earlier one has ended.
func (a *application) reconnect(id ID, reply chan answer) answer {
	s := newSession()
	earlier, victim, found := a.restore(&id, s)
	check(found, "a session has no state to be restored from")
	a.evict(victim, reply)
	if earlier != nil {
		<-earlier.done
	}
	bytes, found := a.store.get(&id)
	check(found, "a state is not in the store")
	go s.restore(a.world, id, bytes, reply)
	return <-reply
}

// disconnect ends a session, or waits for one that makes room for another already.
func (a *application) disconnect(id *ID, andRemove bool) {
	r, s, isOurs := a.leave(id, andRemove)
	check(r != nil, "a session was not there to be ended")
	if isOurs {
		s.stop()
		a.forget(r, s, 1)
	} else if s != nil {
		<-s.done
	}
}

func (a *application) destroy(id *ID) {
	a.disconnect(id, true)
	_, found := a.store.remove(id)
	check(found, "a destroyed session had no stored state")
}

// evict lets a session save its state and ends it. Its place has been given away already.
func (a *application) evict(victim eviction, reply chan answer) {
	r, s := victim.row, victim.session
	if r == nil {
		return
	}
	check(s.ask(background, reply).ok, "a session did not save before it had to go")
	a.Lock()
	a.keep(r)
	a.Unlock()
	s.stop()
	a.forget(r, s, 0)
}

func (s *session) ask(k kind, reply chan answer) answer {
	s.mailbox <- message{kind: k, reply: reply}
	return <-reply
}

func (s *session) stop() {
	s.mailbox <- message{kind: stop}
	<-s.done
}
