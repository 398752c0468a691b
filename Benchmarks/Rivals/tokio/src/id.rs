// SPDX-License-Identifier: Apache-2.0

//! Identifiers of sessions, and the random numbers they are made of.

use std::hash::{BuildHasherDefault, Hash, Hasher};

#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Id(pub [u64; 2]);

/// All bytes of an identifier are random, so half of them are a good hash already.
impl Hash for Id {
    #[inline]
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(self.0[0]);
    }
}

/// Passes the random half through, as a second hash would only cost time.
#[derive(Default)]
pub struct IdHasher(u64);

impl Hasher for IdHasher {
    #[inline]
    fn write_u64(&mut self, word: u64) {
        self.0 = word;
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }
}

pub type IdMap<V> = dashmap::DashMap<Id, V, BuildHasherDefault<IdHasher>>;

/// SplitMix64: one word of state, one for each task that needs it.
pub struct Random(pub u64);

impl Random {
    #[inline]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A uniform number under the limit by a multiplication instead of a division.
    #[inline]
    pub fn below(&mut self, limit: usize) -> usize {
        (((self.next() >> 32) * limit as u64) >> 32) as usize
    }

    pub fn id(&mut self) -> Id {
        Id([self.next(), self.next()])
    }
}
