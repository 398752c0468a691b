// SPDX-License-Identifier: Apache-2.0

package main

import "time"

// kept holds a result where the compiler cannot see that it is not read.
var kept struct {
	bytes []byte
	draft *draft
}

func measureEncode(o *options) float64 {
	d := newDraft(0)
	operations := repeat(o, func() {
		d.edits++
		kept.bytes = d.encode()
	})
	verifyCoding(kept.bytes, d.edits)
	return operations
}

func measureDecode(o *options) float64 {
	bytes := newDraft(7).encode()
	verifyCoding(bytes, 7)
	return repeat(o, func() {
		d, ok := decode(bytes)
		check(ok, "a state could not be decoded")
		kept.draft = d
	})
}

func verifyCoding(bytes []byte, edits int64) {
	d, ok := decode(bytes)
	check(ok && d.isExpected() && d.edits == edits, "a decoded state is not what was encoded")
	_, ok = decode(bytes[:len(bytes)-1])
	check(!ok, "bytes that were cut short were decoded")
}

// repeat gives the operations per second of one goroutine.
func repeat(o *options, operation func()) float64 {
	count, start, end := uint64(0), time.Now(), o.end()
	for time.Now().Before(end) {
		for i := 0; i < 256; i++ {
			operation()
		}
		count += 256
	}
	return rate(count, start)
}
