// SPDX-License-Identifier: Apache-2.0

//! Encoding and decoding alone, in one thread.

use crate::codec::encode;
use crate::decode::decode;
use crate::draft::Draft;
use crate::options::Options;
use crate::report::{self, check};
use std::time::{Duration, Instant};

pub fn measure_encode(options: &Options) {
    let mut draft = Draft::new(0);
    let hidden = hide(encode as fn(&Draft) -> Vec<u8>);
    let rate = repeat(options.duration, || {
        draft.edits += 1;
        check(!hidden(&draft).is_empty(), "a state could not be encoded");
    });
    let bytes = encode(&draft);
    verify(&bytes, draft.edits);
    report::line("encode", "bytes", bytes.len(), rate, "1/s");
}

pub fn measure_decode(options: &Options) {
    let bytes = encode(&Draft::new(7));
    verify(&bytes, 7);
    let hidden = hide(decode as fn(&[u8]) -> Option<Draft>);
    let rate = repeat(options.duration, || {
        check(hidden(&bytes).is_some(), "a state could not be decoded");
    });
    report::line("decode", "bytes", bytes.len(), rate, "1/s");
}

fn verify(bytes: &[u8], edits: i64) {
    let draft = decode(bytes).filter(Draft::is_expected);
    let is_same = draft.map_or(false, |draft| draft.edits == edits);
    check(is_same, "a decoded state is not what was encoded");
    let cut = decode(&bytes[..bytes.len() - 1]);
    check(cut.is_none(), "bytes that were cut short were decoded");
}

/// Hides which function is called, so that the compiler cannot leave out work whose result is not read. The
/// standard library's black box is not stable in the compiler that Debian has.
fn hide<F: Copy>(function: F) -> F {
    // Safety: a reference to a value that can be copied may be read.
    unsafe { std::ptr::read_volatile(&function) }
}

/// Gives the operations per second.
fn repeat(duration: Duration, mut operation: impl FnMut()) -> f64 {
    let start = Instant::now();
    let mut count = 0;
    loop {
        for _ in 0..256 {
            operation();
        }
        count += 256;
        let elapsed = start.elapsed();
        if elapsed >= duration {
            return report::rate(count, elapsed);
        }
    }
}
