// SPDX-License-Identifier: Apache-2.0

//! Every session there is, whether or not it is in memory.

use crate::id::{Id, IdHasher};
use crate::session::Message;
use crate::world::Session;
use std::collections::{BTreeMap, HashMap};
use std::hash::BuildHasherDefault;
use tokio::sync::{mpsc, watch};

#[derive(Clone, Copy, PartialEq)]
pub enum Phase {
    Disconnected,
    Connected,
    Foreground,
    Background,
}

pub struct Row {
    /// Rises with each new session.
    pub number: u64,
    /// Rises with each request: the order of recency.
    used: u64,
    /// Of the state that is kept; 0 as long as there is none.
    pub version: u64,
    pub phase: Phase,
    session: Option<Session>,
    /// Closed as soon as a session that makes room has ended.
    pub leaving: Option<watch::Receiver<()>>,
}

/// A session that has to end, as its place in memory was given to another.
pub struct Victim {
    pub id: Id,
    pub session: Session,
    /// Dropped when it has ended.
    pub ended: watch::Sender<()>,
}

/// All methods are short, so a lock that blocks guards the table; it is never held in an await.
#[derive(Default)]
pub struct Table {
    pub rows: HashMap<Id, Row, BuildHasherDefault<IdHasher>>,
    /// The sessions in the background by their last use: the first one has to go first.
    pub evictable: BTreeMap<u64, Id>,
    quota: usize,
    pub capacity: usize,
    pub in_memory: usize,
    clock: u64,
    pub created: u64,
    pub removed: u64,
    pub saved: u64,
    pub evicted: u64,
}

impl Table {
    pub fn new(quota: usize, capacity: usize) -> Table {
        Table { quota, capacity, ..Table::default() }
    }

    /// Reserves a place in memory: that of the least recently used session in the background if
    /// there is no other. One in the foreground never has to go, so the capacity may be exceeded.
    pub fn reserve(&mut self) -> Option<Victim> {
        let oldest = self.evictable.values().next().copied();
        let victim = oldest.filter(|_| self.in_memory >= self.capacity).and_then(|id| {
            let (ended, leaving) = watch::channel(());
            let row = self.touch(&id, Phase::Disconnected)?;
            row.leaving = Some(leaving);
            Some(Victim { id, session: row.session.take()?, ended })
        });
        match victim {
            Some(_) => self.evicted += 1,
            None => self.in_memory += 1,
        }
        victim
    }

    /// Makes the row of a new session, unless there are too many.
    pub fn add(&mut self, id: Id, start: impl FnOnce() -> Session) -> bool {
        if self.rows.len() >= self.quota || self.rows.contains_key(&id) {
            return false;
        }
        self.created += 1;
        self.clock += 1;
        let row = Row {
            number: self.created,
            used: self.clock,
            version: 0,
            phase: Phase::Connected,
            session: Some(start()),
            leaving: None,
        };
        self.rows.insert(id, row);
        true
    }

    /// Finds the row of a session that is not in memory and has a state.
    pub fn restore(&mut self, id: &Id, start: impl FnOnce() -> Session) -> bool {
        match self.touch(id, Phase::Connected) {
            Some(row) if row.session.is_none() && row.version > 0 => {
                row.session = Some(start());
                true
            }
            _ => false,
        }
    }

    /// Finds a session in memory, which does not have to go before it is in the background again.
    pub fn request(&mut self, id: &Id) -> Option<mpsc::Sender<Message>> {
        let row = self.touch(id, Phase::Foreground)?;
        row.session.as_ref().map(|session| session.mailbox.clone())
    }

    /// A session has gone to the background and saved its state.
    pub fn hide(&mut self, id: &Id) {
        if let Some(row) = self.touch(id, Phase::Background) {
            row.version += 1;
            let used = row.used;
            self.evictable.insert(used, *id);
            self.saved += 1;
        }
    }

    /// Takes the session out of its row, unless it makes room already.
    pub fn leave(&mut self, id: &Id) -> Option<Session> {
        self.touch(id, Phase::Disconnected)?.session.take()
    }

    pub fn remove(&mut self, id: &Id) -> bool {
        self.removed += 1;
        self.rows.remove(id).is_some()
    }

    fn touch(&mut self, id: &Id, phase: Phase) -> Option<&mut Row> {
        let row = self.rows.get_mut(id)?;
        if row.phase == Phase::Background {
            self.evictable.remove(&row.used);
        }
        self.clock += 1;
        row.used = self.clock;
        row.phase = phase;
        Some(row)
    }
}
