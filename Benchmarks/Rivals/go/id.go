// SPDX-License-Identifier: Apache-2.0

package main

import "encoding/binary"

// ID finds a session. All of its bytes are random.
type ID [16]byte

// shard takes its bits from the first half of the identifier, which is random already, so a second
// hash would only cost time.
func (id *ID) shard() int {
	return int(binary.LittleEndian.Uint64(id[:8]) % shardCount)
}

// random is SplitMix64: one word of state, no lock, one for each goroutine that needs it.
type random struct{ state uint64 }

func (r *random) next() uint64 {
	r.state += 0x9e3779b97f4a7c15
	z := r.state
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb
	return z ^ (z >> 31)
}

// below gives a uniform number under limit by a multiplication instead of a division.
func (r *random) below(limit int) int {
	return int((r.next() >> 32) * uint64(limit) >> 32)
}

func (r *random) id() ID {
	var id ID
	binary.LittleEndian.PutUint64(id[:8], r.next())
	binary.LittleEndian.PutUint64(id[8:], r.next())
	return id
}
