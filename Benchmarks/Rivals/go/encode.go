// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/binary"
	"math"
)

// A field is its name (one byte of length, then text), a byte for the kind of value, and the value.
// Lengths and counts of values are 4 bytes, numbers 8, least significant byte first.
const (
	tagString byte = iota + 1
	tagDouble
	tagStrings
	tagBytes
	tagBool
	tagInteger
)

// encodedSize is a guess that is large enough for the usual draft, so that appending never grows.
const encodedSize = 704

// encode gives fresh bytes, as they stay in the store.
func (d *draft) encode() []byte {
	b := make([]byte, 0, encodedSize)
	b = appendString(appendField(b, "type", tagString), d.kind)
	b = appendString(appendField(b, "document", tagString), d.document)
	b = appendString(appendField(b, "author", tagString), d.author)
	b = appendDouble(appendField(b, "edited", tagDouble), d.edited)
	b = appendStrings(appendField(b, "tags", tagStrings), d.tags)
	b = appendBytes(appendField(b, "thumbnail", tagBytes), d.thumbnail)
	b = appendDouble(appendField(b, "zoom", tagDouble), d.zoom)
	b = appendBool(appendField(b, "isPinned", tagBool), d.isPinned)
	b = binary.LittleEndian.AppendUint64(appendField(b, "edits", tagInteger), uint64(d.edits))
	return appendString(appendField(b, "title", tagString), d.title)
}

func appendField(b []byte, name string, tag byte) []byte {
	b = append(b, byte(len(name)))
	b = append(b, name...)
	return append(b, tag)
}

func appendString(b []byte, s string) []byte {
	return append(binary.LittleEndian.AppendUint32(b, uint32(len(s))), s...)
}

func appendBytes(b []byte, s []byte) []byte {
	return append(binary.LittleEndian.AppendUint32(b, uint32(len(s))), s...)
}

func appendStrings(b []byte, list []string) []byte {
	b = binary.LittleEndian.AppendUint32(b, uint32(len(list)))
	for _, s := range list {
		b = appendString(b, s)
	}
	return b
}

func appendDouble(b []byte, x float64) []byte {
	return binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
}

func appendBool(b []byte, x bool) []byte {
	if x {
		return append(b, 1)
	}
	return append(b, 0)
}
