// SPDX-License-Identifier: Apache-2.0

//! Whole life cycles in an otherwise empty world, with a memory store.

use crate::draft::Draft;
use crate::id::{Id, Random};
use crate::options::Options;
use crate::population::{together, Total};
use crate::report::{self, check};
use crate::session::Message;
use crate::world::World;
use std::time::Instant;

pub async fn measure(options: &Options, callers: usize) {
    let world = World::leaked();
    let start = Instant::now();
    let end = start + options.duration;
    let done = together(callers, |worker| cycles(world, worker, end)).await;
    let elapsed = start.elapsed();
    let is_empty = world.registry.is_empty() && world.store.is_empty();
    check(is_empty, "a life cycle left something behind");
    report::line("cycle", "callers", callers, report::rate(done.count, elapsed), "1/s");
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
    check(saved.is_some(), "a session did not go to the background");
    check(world.disconnect(&id).await, "a session did not end when it was disconnected");
    let restored = world.reconnect(id).await;
    check(restored == Some(edits), "a state was not restored as it was saved");
    foreground(world, &id).await;
    check(world.disconnect(&id).await, "a session did not end when it was destroyed");
    check(world.store.remove(&id).is_some(), "a destroyed session had no stored state");
}

async fn foreground(world: &'static World, id: &Id) {
    let shown = world.ask(id, Message::Foreground).await;
    check(shown.is_some(), "a session did not come to the foreground");
}
