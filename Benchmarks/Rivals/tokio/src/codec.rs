// SPDX-License-Identifier: Apache-2.0

//! The encoding. A field is its name (one byte of length, then text), a byte for the kind of value,
//! and the value. Lengths and counts of values are 4 bytes, numbers 8, least significant first.

use crate::draft::Draft;

pub const STRING: u8 = 1;
pub const DOUBLE: u8 = 2;
pub const STRINGS: u8 = 3;
pub const BYTES: u8 = 4;
pub const BOOL: u8 = 5;
pub const INTEGER: u8 = 6;

/// A guess that is large enough for the usual draft, so that appending never grows.
const SIZE: usize = 704;

/// Gives fresh bytes, as they stay in the store.
pub fn encode(draft: &Draft) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(SIZE);
    bytes.push(10);
    put_blob(&mut bytes, "type", STRING, draft.kind.as_bytes());
    put_blob(&mut bytes, "document", STRING, draft.document.as_bytes());
    put_blob(&mut bytes, "author", STRING, draft.author.as_bytes());
    put_word(&mut bytes, "edited", DOUBLE, draft.edited.to_bits());
    put_strings(&mut bytes, "tags", &draft.tags);
    put_blob(&mut bytes, "thumbnail", BYTES, &draft.thumbnail);
    put_word(&mut bytes, "zoom", DOUBLE, draft.zoom.to_bits());
    put_name(&mut bytes, "isPinned", BOOL);
    bytes.push(draft.is_pinned.into());
    put_word(&mut bytes, "edits", INTEGER, draft.edits as u64);
    put_blob(&mut bytes, "title", STRING, draft.title.as_bytes());
    bytes
}

#[inline]
fn put_name(bytes: &mut Vec<u8>, name: &str, kind: u8) {
    bytes.push(name.len() as u8);
    bytes.extend_from_slice(name.as_bytes());
    bytes.push(kind);
}

#[inline]
fn put_length(bytes: &mut Vec<u8>, length: usize) {
    bytes.extend_from_slice(&(length as u32).to_le_bytes());
}

#[inline]
fn put_blob(bytes: &mut Vec<u8>, name: &str, kind: u8, value: &[u8]) {
    put_name(bytes, name, kind);
    put_length(bytes, value.len());
    bytes.extend_from_slice(value);
}

#[inline]
fn put_word(bytes: &mut Vec<u8>, name: &str, kind: u8, value: u64) {
    put_name(bytes, name, kind);
    bytes.extend_from_slice(&value.to_le_bytes());
}

#[inline]
fn put_strings(bytes: &mut Vec<u8>, name: &str, list: &[String]) {
    put_name(bytes, name, STRINGS);
    put_length(bytes, list.len());
    for text in list {
        put_length(bytes, text.len());
        bytes.extend_from_slice(text.as_bytes());
    }
}
