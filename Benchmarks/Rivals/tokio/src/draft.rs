// SPDX-License-Identifier: Apache-2.0

//! The state with ten fields that the life cycle saves and restores.

use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
pub struct Draft {
    pub kind: String,
    pub document: String,
    pub author: String,
    pub edited: f64,
    pub tags: Vec<String>,
    #[serde(with = "serde_bytes")]
    pub thumbnail: Vec<u8>,
    pub zoom: f64,
    pub is_pinned: bool,
    pub edits: i64,
    pub title: String,
}

const KIND: &str = "org.example.draft";
const DOCUMENT: &str = "6f1c2d3e-4b5a-4968-8776-95a4b3c2d1e0";
const AUTHOR: &str = "0e1d2c3b-4a59-4687-9675-a4b3c2d1e0f6";
const EDITED: f64 = 812_345_678.25;
const ZOOM: f64 = 1.25;
const TITLE: &str = "A draft of a letter";
const TAGS: [&str; 16] = [
    "tag number 0",
    "tag number 1",
    "tag number 2",
    "tag number 3",
    "tag number 4",
    "tag number 5",
    "tag number 6",
    "tag number 7",
    "tag number 8",
    "tag number 9",
    "tag number 10",
    "tag number 11",
    "tag number 12",
    "tag number 13",
    "tag number 14",
    "tag number 15",
];
const THUMBNAIL: [u8; 200] = thumbnail();

const fn thumbnail() -> [u8; 200] {
    let mut pixels = [0; 200];
    let mut i = 0;
    while i < pixels.len() {
        pixels[i] = (i * 37 % 256) as u8;
        i += 1;
    }
    pixels
}

impl Draft {
    pub fn new(edits: i64) -> Draft {
        Draft {
            kind: KIND.into(),
            document: DOCUMENT.into(),
            author: AUTHOR.into(),
            edited: EDITED,
            tags: TAGS.iter().map(|&tag| tag.into()).collect(),
            thumbnail: THUMBNAIL.into(),
            zoom: ZOOM,
            is_pinned: true,
            edits,
            title: TITLE.into(),
        }
    }

    /// Compares nine fields; a caller that knows the count of edits compares the tenth.
    pub fn is_expected(&self) -> bool {
        self.kind == KIND
            && self.document == DOCUMENT
            && self.author == AUTHOR
            && self.edited == EDITED
            && self.tags == TAGS
            && self.thumbnail == THUMBNAIL
            && self.zoom == ZOOM
            && self.is_pinned
            && self.title == TITLE
    }
}
