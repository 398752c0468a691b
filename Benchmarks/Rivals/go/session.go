// SPDX-License-Identifier: Apache-2.0

package main

// mailboxCapacity bounds a mailbox. A channel's buffer is allocated whole, 32 bytes a message, so it
// is kept small: with uniform load a mailbox seldom holds more than two.
const mailboxCapacity = 8

type kind uint8

const (
	deliver kind = iota
	request
	askCount
	askSum
	foreground
	background
	stop
)

// message is sent by value, so a send allocates nothing.
type message struct {
	number  uint64
	payload uint64
	reply   chan<- answer
	kind    kind
	sender  uint8
}

type answer struct {
	value uint64
	ok    bool
}

// session is what the registry holds: the way in, and the sign that the goroutine has ended.
type session struct {
	mailbox chan message
	done    chan struct{}
}

// state belongs to the session's goroutine alone and lives on its stack.
type state struct {
	count, sum uint64
	last       []uint64
	disordered bool
	isVisible  bool
	id         ID
	draft      *draft
}

func newSession() *session {
	return &session{make(chan message, mailboxCapacity), make(chan struct{})}
}

// run handles messages in order until it is told to stop. Closing done is the goroutine's last act.
func (s *session) run(w *world, st state) {
	defer close(s.done)
	for {
		m := <-s.mailbox
		switch m.kind {
		case deliver:
			st.take(&m)
		case stop:
			return
		default:
			m.reply <- st.answer(w, &m)
		}
	}
}

// take adds a delivered message and checks that the numbers of its sender rise.
func (st *state) take(m *message) {
	for int(m.sender) >= len(st.last) {
		st.last = append(st.last, 0)
	}
	if m.number <= st.last[m.sender] {
		st.disordered = true
	}
	st.last[m.sender] = m.number
	st.sum += m.payload
	st.count++
}

func (st *state) answer(w *world, m *message) answer {
	switch m.kind {
	case request:
		st.count++
		return answer{m.number + st.count, true}
	case askCount:
		return answer{st.count, !st.disordered}
	case askSum:
		return answer{st.sum, !st.disordered}
	case foreground:
		st.isVisible = true
		return answer{0, true}
	default:
		return answer{0, st.save(w)}
	}
}

// save writes the state of a session that goes to the background.
func (st *state) save(w *world) bool {
	if st.draft == nil {
		return false
	}
	st.isVisible = false
	w.store.put(&st.id, st.draft.encode())
	return true
}
