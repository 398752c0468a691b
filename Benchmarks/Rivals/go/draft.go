// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"strconv"
)

// draft is the state with ten fields that the life cycle saves and restores.
type draft struct {
	kind      string
	document  string
	author    string
	edited    float64
	tags      []string
	thumbnail []byte
	zoom      float64
	isPinned  bool
	edits     int64
	title     string
}

var model = draft{
	kind:      "org.example.draft",
	document:  "6f1c2d3e-4b5a-4968-8776-95a4b3c2d1e0",
	author:    "0e1d2c3b-4a59-4687-9675-a4b3c2d1e0f6",
	edited:    812345678.25,
	tags:      modelTags(),
	thumbnail: modelThumbnail(),
	zoom:      1.25,
	isPinned:  true,
	title:     "A draft of a letter",
}

func modelTags() []string {
	tags := make([]string, 16)
	for i := range tags {
		tags[i] = "tag number " + strconv.Itoa(i)
	}
	return tags
}

func modelThumbnail() []byte {
	pixels := make([]byte, 200)
	for i := range pixels {
		pixels[i] = byte(i * 37)
	}
	return pixels
}

// newDraft owns what can be changed; strings cannot, so they are shared.
func newDraft(edits int64) *draft {
	d := model
	d.tags = append([]string(nil), model.tags...)
	d.thumbnail = append([]byte(nil), model.thumbnail...)
	d.edits = edits
	return &d
}

// isExpected compares nine fields; a caller that knows the count of edits compares the tenth.
func (d *draft) isExpected() bool {
	if len(d.tags) != len(model.tags) {
		return false
	}
	for i := range d.tags {
		if d.tags[i] != model.tags[i] {
			return false
		}
	}
	return d.kind == model.kind && d.document == model.document && d.author == model.author &&
		d.edited == model.edited && bytes.Equal(d.thumbnail, model.thumbnail) &&
		d.zoom == model.zoom && d.isPinned == model.isPinned && d.title == model.title
}
