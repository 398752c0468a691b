// SPDX-License-Identifier: Apache-2.0

package main

import (
	"runtime"
	"sync"
	"time"
)

// burst is how many messages a producer sends before it lets receivers run. Without it a producer
// keeps its core until it is preempted, and by then what it sent has left the cache. More than a
// scheduler's local queue holds, 256, would spill to the global queue, which is locked.
const burst = 64

// total is what one producer or caller did. It is counted on the worker's stack and stored once.
type total struct{ count, sum uint64 }

// together runs a function in so many goroutines and adds up what they did.
func together(workers int, work func(worker int) total) total {
	var wait sync.WaitGroup
	totals := make([]total, workers)
	for i := 0; i < workers; i++ {
		wait.Add(1)
		go func(worker int) {
			defer wait.Done()
			totals[worker] = work(worker)
		}(i)
	}
	wait.Wait()
	var all total
	for _, t := range totals {
		all.count += t.count
		all.sum += t.sum
	}
	return all
}

func measureDeliver(o *options) float64 {
	p := populate(o.sessions)
	start, end := time.Now(), o.end()
	sent := together(o.workers, func(worker int) total { return p.produce(worker, end) })
	p.drain()
	result := rate(sent.count, start)
	p.verify(sent.count, sent.sum)
	return result
}

func (p *population) produce(sender int, end time.Time) (sent total) {
	r := random{uint64(sender) + 1}
	for time.Now().Before(end) {
		for i := 0; i < burst; i++ {
			payload := r.next()
			sent.count++
			sent.sum += payload
			m := message{number: sent.count, payload: payload, sender: uint8(sender)}
			check(p.send(&p.ids[r.below(len(p.ids))], m), "a session was not found")
		}
		runtime.Gosched()
	}
	return sent
}

func measureCall(o *options) float64 {
	p := populate(o.sessions)
	start, end := time.Now(), o.end()
	done := together(o.workers, func(worker int) total { return p.call(worker, end) })
	result := rate(done.count, start)
	p.verify(done.count, 0)
	return result
}

func (p *population) call(caller int, end time.Time) (done total) {
	r := random{uint64(caller) + 1}
	reply := make(chan answer, 1)
	for time.Now().Before(end) {
		for i := 0; i < 16; i++ {
			done.count++
			m := message{kind: request, number: done.count}
			a, found := p.ask(&p.ids[r.below(len(p.ids))], m, reply)
			check(found && a.value > done.count, "a call got a wrong reply")
		}
	}
	return done
}
