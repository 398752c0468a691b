// SPDX-License-Identifier: Apache-2.0

//! Messages without an answer, from several producers to random sessions.

use crate::id::Random;
use crate::population::{together, Population, Total};
use crate::session::Message;
use crate::{rate, Options};
use std::time::Instant;
use tokio::task::yield_now;

/// How many messages a producer sends before it lets receivers run. Without a pause it would keep
/// its worker, as a send with room in the mailbox never waits. Shorter bursts were slower.
const BURST: usize = 1024;

pub async fn measure(options: &Options) -> f64 {
    let population = Population::of(options.sessions);
    let (start, end) = (Instant::now(), options.end());
    let sent = together(options.workers, |worker| produce(population, worker as u8, end)).await;
    population.drain().await;
    let rate = rate(sent.count, start);
    population.verify(sent).await;
    rate
}

async fn produce(population: Population, sender: u8, end: Instant) -> Total {
    let mut random = Random(u64::from(sender) + 1);
    let mut sent = Total::default();
    while Instant::now() < end {
        for _ in 0..BURST {
            let id = &population.ids[random.below(population.ids.len())];
            let payload = random.next();
            sent.count += 1;
            sent.sum = sent.sum.wrapping_add(payload);
            let message = Message::Deliver { sender, number: sent.count, payload };
            assert!(population.world.send(id, message).await, "a session was not found");
        }
        yield_now().await;
    }
    sent
}
