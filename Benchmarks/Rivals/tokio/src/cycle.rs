// SPDX-License-Identifier: Apache-2.0

//! Whole life cycles in an otherwise empty world, with a memory store.

use crate::draft::Draft;
use crate::id::{Id, Random};
use crate::population::{together, Total};
use crate::session::Message;
use crate::world::World;
use crate::{rate, Options};
use std::time::Instant;

pub async fn measure(options: &Options) -> f64 {
    let world = World::leaked();
    let (start, end) = (Instant::now(), options.end());
    let done = together(options.workers, |worker| cycles(world, worker, end)).await;
    let rate = rate(done.count, start);
    let is_empty = world.registry.is_empty() && world.store.is_empty();
    assert!(is_empty, "a life cycle left something behind");
    rate
}

async fn cycles(world: &'static World, caller: usize, end: Instant) -> Total {
    let mut random = Random(((caller as u64) << 32) + 7);
    let mut done = Total::default();
    while Instant::now() < end {
        done.count += 1;
        cycle(world, random.id(), done.count).await;
    }
    done
}

/// One life: every step finds the session by its identifier and is awaited.
async fn cycle(world: &'static World, id: Id, edits: u64) {
    world.create(id, Some(Draft::new(edits as i64)));
    foreground(world, &id).await;
    let saved = world.ask(&id, Message::Background).await;
    assert!(saved.is_some(), "a session did not go to the background");
    assert!(world.disconnect(&id).await, "a session did not end when it was disconnected");
    let restored = world.reconnect(id).await;
    assert!(restored == Some(edits), "a state was not restored as it was saved");
    foreground(world, &id).await;
    assert!(world.disconnect(&id).await, "a session did not end when it was destroyed");
    assert!(world.store.remove(&id).is_some(), "a destroyed session had no stored state");
}

async fn foreground(world: &'static World, id: &Id) {
    let shown = world.ask(id, Message::Foreground).await;
    assert!(shown.is_some(), "a session did not come to the foreground");
}
