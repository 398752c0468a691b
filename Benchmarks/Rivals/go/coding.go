// SPDX-License-Identifier: Apache-2.0

package main

import "time"

// kept holds a result where the compiler cannot see that it is not read.
var kept struct {
	bytes []byte
	draft *draft
}

func measureEncode(o *options) {
	d := newDraft(0)
	operations := repeat(o.duration, func() {
		d.edits++
		kept.bytes = d.encode()
	})
	verifyCoding(kept.bytes, d.edits)
	report("encode", "bytes", len(kept.bytes), operations, "1/s")
}

func measureDecode(o *options) {
	bytes := newDraft(7).encode()
	verifyCoding(bytes, 7)
	operations := repeat(o.duration, func() {
		d, ok := decode(bytes)
		check(ok, "a state could not be decoded")
		kept.draft = d
	})
	report("decode", "bytes", len(bytes), operations, "1/s")
}

func verifyCoding(bytes []byte, edits int64) {
	d, ok := decode(bytes)
	check(ok && d.isExpected() && d.edits == edits, "a decoded state is not what was encoded")
	_, ok = decode(bytes[:len(bytes)-1])
	check(!ok, "bytes that were cut short were decoded")
}

// repeat gives the operations per second of one goroutine.
func repeat(duration time.Duration, operation func()) float64 {
	start := time.Now()
	for count := uint64(0); ; {
		for i := 0; i < 256; i++ {
			operation()
		}
		count += 256
		if elapsed := time.Since(start); elapsed >= duration {
			return rate(count, elapsed)
		}
	}
}
