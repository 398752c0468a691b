// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/binary"
	"math"
)

// decoder reads from bytes that may be damaged: after the first failure every read gives zero.
type decoder struct {
	bytes  []byte
	text   string
	at     int
	failed bool
}

// decode copies the bytes once into a string and lets every string field be a piece of it, which is
// one allocation instead of twenty.
func decode(bytes []byte) (*draft, bool) {
	r := decoder{bytes: bytes, text: string(bytes)}
	d := &draft{
		kind:      r.field("type", tagString).string(),
		document:  r.field("document", tagString).string(),
		author:    r.field("author", tagString).string(),
		edited:    math.Float64frombits(r.field("edited", tagDouble).word()),
		tags:      r.field("tags", tagStrings).strings(),
		thumbnail: r.field("thumbnail", tagBytes).copied(),
		zoom:      math.Float64frombits(r.field("zoom", tagDouble).word()),
		isPinned:  r.field("isPinned", tagBool).byte() != 0,
		edits:     int64(r.field("edits", tagInteger).word()),
		title:     r.field("title", tagString).string(),
	}
	return d, !r.failed && r.at == len(bytes)
}

// field expects the head of a field.
func (r *decoder) field(name string, tag byte) *decoder {
	if r.piece(int(r.byte())) != name || r.byte() != tag {
		r.failed = true
	}
	return r
}

// skip moves over so many bytes and gives where they began.
func (r *decoder) skip(count int) (int, bool) {
	start := r.at
	if r.failed || count < 0 || count > len(r.bytes)-start {
		r.failed = true
		return 0, false
	}
	r.at = start + count
	return start, true
}

func (r *decoder) byte() byte {
	if start, ok := r.skip(1); ok {
		return r.bytes[start]
	}
	return 0
}

func (r *decoder) length() int {
	if start, ok := r.skip(4); ok {
		return int(binary.LittleEndian.Uint32(r.bytes[start:]))
	}
	return 0
}

func (r *decoder) word() uint64 {
	if start, ok := r.skip(8); ok {
		return binary.LittleEndian.Uint64(r.bytes[start:])
	}
	return 0
}

func (r *decoder) piece(length int) string {
	if start, ok := r.skip(length); ok {
		return r.text[start:r.at]
	}
	return ""
}

func (r *decoder) string() string { return r.piece(r.length()) }

// copied gives bytes of their own, as the state may change them and the store must not change.
func (r *decoder) copied() []byte { return []byte(r.string()) }

// strings refuses a count that the bytes cannot hold before it allocates.
func (r *decoder) strings() []string {
	count := r.length()
	if count > (len(r.bytes)-r.at)/4 {
		r.failed = true
		return nil
	}
	list := make([]string, count)
	for i := range list {
		list[i] = r.string()
	}
	return list
}
