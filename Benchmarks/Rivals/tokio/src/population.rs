// SPDX-License-Identifier: Apache-2.0

//! The sessions of one measurement.

use crate::id::{Id, Random};
use crate::session::{Message, CAPACITY};
use crate::world::World;
use std::future::Future;
use tokio::task::{yield_now, JoinHandle};

/// What one producer or caller did.
#[derive(Clone, Copy, Default)]
pub struct Total {
    pub count: u64,
    pub sum: u64,
}

#[derive(Clone, Copy)]
pub struct Population {
    pub world: &'static World,
    pub ids: &'static [Id],
}

impl Population {
    pub fn of(count: usize) -> Population {
        let mut random = Random(42);
        let ids: &[Id] = Box::leak((0..count).map(|_| random.id()).collect());
        let world = World::leaked();
        for &id in ids {
            world.create(id, None);
        }
        Population { world, ids }
    }

    /// Waits until every mailbox is empty. Looking at its free capacity costs no message, so the
    /// wait is short even with many sessions.
    pub async fn drain(&self) {
        for id in self.ids {
            while !self.is_drained(id) {
                yield_now().await;
            }
        }
    }

    fn is_drained(&self, id: &Id) -> bool {
        let session = self.world.registry.get(id);
        session.map_or(true, |session| session.mailbox.capacity() == CAPACITY)
    }

    /// Asks every session, after the clock has stopped, and compares with what was sent.
    pub async fn verify(&self, sent: Total) {
        let mut seen = Total::default();
        for id in self.ids {
            let audit = self.world.ask(id, Message::Audit).await.expect("a session");
            assert!(audit.in_order, "a session got numbers out of order");
            seen.count += audit.count;
            seen.sum = seen.sum.wrapping_add(audit.sum);
        }
        assert!(seen.count == sent.count, "the sessions did not count what was sent");
        assert!(seen.sum == sent.sum, "the sessions did not sum what was sent");
    }
}

/// Runs so many tasks at once and adds up what they did.
pub async fn together<F>(workers: usize, work: impl Fn(usize) -> F) -> Total
where
    F: Future<Output = Total> + Send + 'static,
{
    let tasks: Vec<JoinHandle<Total>> =
        (0..workers).map(|worker| tokio::spawn(work(worker))).collect();
    let mut all = Total::default();
    for task in tasks {
        let total = task.await.expect("a worker that ends");
        all.count += total.count;
        all.sum = all.sum.wrapping_add(total.sum);
    }
    all
}
