// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"os"
	"runtime/debug"
	"strconv"
)

// measureMemory gives every session one message, so that its small state is real, and compares the
// resident memory. Unused memory goes back to the system first: garbage is not a session's.
func measureMemory(o *options) {
	ids := randomIDs(o.sessions)
	debug.FreeOSMemory()
	before := resident()
	p := populate(ids)
	for i := range ids {
		check(p.send(&ids[i], message{number: 1, payload: 3}), "a session was not found")
	}
	p.drain()
	debug.FreeOSMemory()
	each := (resident() - before) / float64(o.sessions)
	p.verify(uint64(o.sessions), 3*uint64(o.sessions))
	report("memory", "sessions", o.sessions, each, "B")
	p.close()
}

// resident reads the process's resident pages, the second number of this file.
func resident() float64 {
	text, err := os.ReadFile("/proc/self/statm")
	check(err == nil, "the resident memory cannot be read: %v", err)
	fields := bytes.Fields(text)
	check(len(fields) > 1, "the resident memory cannot be read")
	pages, err := strconv.Atoi(string(fields[1]))
	check(err == nil, "the resident memory cannot be read: %v", err)
	return float64(pages) * float64(os.Getpagesize())
}
