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
	d := new(draft)
	found := 0
	for count := int(r.byte()); count > 0 && !r.failed; count-- {
		name := r.piece(int(r.byte()))
		found |= r.field(d, name, r.byte())
	}
	return d, !r.failed && r.at == len(bytes) && found == 1<<10-1
}

// field reads one value and gives the bit of its field. Fields may come in any order.
func (r *decoder) field(d *draft, name string, tag byte) int {
	switch name {
	case "type":
		d.kind = r.string(tag)
		return 1
	case "document":
		d.document = r.string(tag)
		return 2
	case "author":
		d.author = r.string(tag)
		return 4
	case "edited":
		d.edited = r.double(tag)
		return 8
	case "tags":
		d.tags = r.strings(tag)
		return 16
	case "thumbnail":
		d.thumbnail = r.copied(tag)
		return 32
	case "zoom":
		d.zoom = r.double(tag)
		return 64
	case "isPinned":
		d.isPinned = r.expect(tag, tagBool) && r.byte() != 0
		return 128
	case "edits":
		d.edits = r.integer(tag)
		return 256
	case "title":
		d.title = r.string(tag)
		return 512
	}
	r.failed = true
	return 0
}

func (r *decoder) expect(tag, expected byte) bool {
	if tag != expected {
		r.failed = true
	}
	return !r.failed
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

func (r *decoder) string(tag byte) string {
	if !r.expect(tag, tagString) {
		return ""
	}
	return r.piece(r.length())
}

func (r *decoder) double(tag byte) float64 {
	if !r.expect(tag, tagDouble) {
		return 0
	}
	return math.Float64frombits(r.word())
}

func (r *decoder) integer(tag byte) int64 {
	if !r.expect(tag, tagInteger) {
		return 0
	}
	return int64(r.word())
}

// copied gives bytes of their own, as the state may change them and the store must not change.
func (r *decoder) copied(tag byte) []byte {
	if !r.expect(tag, tagBytes) {
		return nil
	}
	start, ok := r.skip(r.length())
	if !ok {
		return nil
	}
	return append([]byte(nil), r.bytes[start:r.at]...)
}

// strings refuses a count that the bytes cannot hold before it allocates.
func (r *decoder) strings(tag byte) []string {
	count := r.length()
	if !r.expect(tag, tagStrings) || count > (len(r.bytes)-r.at)/4 {
		r.failed = true
		return nil
	}
	list := make([]string, count)
	for i := range list {
		list[i] = r.piece(r.length())
	}
	return list
}
