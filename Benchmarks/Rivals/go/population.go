// SPDX-License-Identifier: Apache-2.0

package main

import "runtime"

// population is the sessions of one measurement.
type population struct {
	*world
	ids []ID
}

func populate(count int) *population {
	r := random{42}
	p := &population{newWorld(), make([]ID, count)}
	for i := range p.ids {
		p.ids[i] = r.id()
		p.create(p.ids[i], nil)
	}
	return p
}

// drain waits until every mailbox is empty. Looking at a channel's length costs no message, so the
// wait is short even with many sessions.
func (p *population) drain() {
	for i := range p.ids {
		s, _ := p.registry.get(&p.ids[i])
		for len(s.mailbox) != 0 {
			runtime.Gosched()
		}
	}
}

// verify asks every session, after the clock has stopped, and compares with what was sent.
func (p *population) verify(count, sum uint64) {
	reply := make(chan answer, 1)
	var counted, summed uint64
	for i := range p.ids {
		c, found := p.ask(&p.ids[i], message{kind: askCount}, reply)
		check(found && c.ok, "a session is missing or got numbers out of order")
		s, _ := p.ask(&p.ids[i], message{kind: askSum}, reply)
		counted += c.value
		summed += s.value
	}
	check(counted == count, "sessions counted %d, sent were %d", counted, count)
	check(summed == sum, "sessions summed %d, sent was %d", summed, sum)
}
