// SPDX-License-Identifier: Apache-2.0

//! The decoding, of bytes that may be damaged: any failure gives nothing.

use crate::codec::{BOOL, BYTES, DOUBLE, INTEGER, STRING, STRINGS};
use crate::draft::Draft;

/// Fields may come in any order; all ten must be there and nothing after them.
pub fn decode(bytes: &[u8]) -> Option<Draft> {
    let mut reader = Reader { rest: bytes };
    let mut draft = Draft::default();
    let mut found = 0;
    for _ in 0..reader.byte()? {
        found |= reader.field(&mut draft)?;
    }
    (reader.rest.is_empty() && found == (1 << 10) - 1).then_some(draft)
}

struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// Reads one value and gives the bit of its field.
    #[inline]
    fn field(&mut self, draft: &mut Draft) -> Option<u32> {
        let length = self.byte()?.into();
        let name = self.take(length)?;
        let kind = self.byte()?;
        match (name, kind) {
            (b"type", STRING) => {
                draft.kind = self.string()?;
                Some(1 << 0)
            }
            (b"document", STRING) => {
                draft.document = self.string()?;
                Some(1 << 1)
            }
            (b"author", STRING) => {
                draft.author = self.string()?;
                Some(1 << 2)
            }
            (b"edited", DOUBLE) => {
                draft.edited = f64::from_bits(self.word()?);
                Some(1 << 3)
            }
            (b"tags", STRINGS) => {
                draft.tags = self.strings()?;
                Some(1 << 4)
            }
            (b"thumbnail", BYTES) => {
                draft.thumbnail = self.blob()?.into();
                Some(1 << 5)
            }
            (b"zoom", DOUBLE) => {
                draft.zoom = f64::from_bits(self.word()?);
                Some(1 << 6)
            }
            (b"isPinned", BOOL) => {
                draft.is_pinned = self.byte()? != 0;
                Some(1 << 7)
            }
            (b"edits", INTEGER) => {
                draft.edits = self.word()? as i64;
                Some(1 << 8)
            }
            (b"title", STRING) => {
                draft.title = self.string()?;
                Some(1 << 9)
            }
            _ => None,
        }
    }

    #[inline]
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        if length > self.rest.len() {
            return None;
        }
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        Some(taken)
    }

    #[inline]
    fn byte(&mut self) -> Option<u8> {
        Some(self.take(1)?[0])
    }

    #[inline]
    fn length(&mut self) -> Option<usize> {
        Some(u32::from_le_bytes(self.take(4)?.try_into().ok()?) as usize)
    }

    #[inline]
    fn word(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(self.take(8)?.try_into().ok()?))
    }

    #[inline]
    fn blob(&mut self) -> Option<&'a [u8]> {
        let length = self.length()?;
        self.take(length)
    }

    #[inline]
    fn string(&mut self) -> Option<String> {
        Some(std::str::from_utf8(self.blob()?).ok()?.into())
    }

    /// Refuses a count that the bytes cannot hold before it allocates.
    fn strings(&mut self) -> Option<Vec<String>> {
        let count = self.length()?;
        if count > self.rest.len() / 4 {
            return None;
        }
        let mut list = Vec::with_capacity(count);
        for _ in 0..count {
            list.push(self.string()?);
        }
        Some(list)
    }
}
