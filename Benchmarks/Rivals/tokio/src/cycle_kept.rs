// SPDX-License-Identifier: Apache-2.0

//! Whole life cycles of sessions that have rows. The number of sessions is how many may be in
//! memory.

use crate::application::Application;
use crate::draft::Draft;
use crate::id::{Id, Random};
use crate::population::{together, Total};
use crate::table::{Phase, Table};
use crate::{rate, Options};
use std::time::Instant;

const QUOTA: usize = 100_000;

pub async fn measure(options: &Options) -> f64 {
    let application = Application::leaked(Table::new(QUOTA, options.sessions));
    let (start, end) = (Instant::now(), options.end());
    let done = together(options.workers, |worker| cycles(application, worker, end)).await;
    let rate = rate(done.count, start);
    expect_nothing_left(application, done.count);
    expect_limits(application).await;
    expect_nothing_left(application, done.count + options.sessions as u64 + 1);
    rate
}

async fn cycles(application: &'static Application, caller: usize, end: Instant) -> Total {
    let mut random = Random(((caller as u64) << 32) + 7);
    let mut done = Total::default();
    while Instant::now() < end {
        done.count += 1;
        cycle(application, random.id(), done.count).await;
    }
    done
}

async fn cycle(application: &'static Application, id: Id, edits: u64) {
    assert!(application.open(id, Draft::new(edits as i64)).await, "there are too many sessions");
    foreground(application, &id).await;
    assert!(application.background(&id).await, "a session did not go to the background");
    assert!(application.disconnect(&id).await, "a session did not end when it was disconnected");
    let restored = application.reconnect(id).await;
    assert!(restored == Some(edits), "a state was not restored as it was saved");
    foreground(application, &id).await;
    assert!(application.destroy(&id).await, "a session was not destroyed");
}

async fn foreground(application: &'static Application, id: &Id) {
    assert!(application.foreground(id).await, "a session did not come to the foreground");
}

/// Opens one session more than may be in memory, without the clock. The first one makes room, with
/// its state saved again, and comes back.
async fn expect_limits(application: &'static Application) {
    let mut random = Random(1);
    let capacity = application.table().capacity;
    let ids: Vec<Id> = (0..=capacity).map(|_| random.id()).collect();
    for (edits, &id) in ids.iter().enumerate() {
        assert!(application.open(id, Draft::new(edits as i64)).await, "a session was refused");
        assert!(application.background(&id).await, "a session did not go to the background");
    }
    {
        let table = application.table();
        let (first, last) = (&table.rows[&ids[0]], &table.rows[&ids[capacity]]);
        let is_gone = first.phase == Phase::Disconnected && first.version == 2;
        assert!(is_gone && table.in_memory == capacity, "the oldest session did not make room");
        assert!(last.number == first.number + capacity as u64, "the sessions have wrong numbers");
    }
    assert!(application.reconnect(ids[0]).await == Some(0), "the oldest session did not come back");
    for id in &ids {
        assert!(application.destroy(id).await, "a session was not destroyed");
    }
    let refuses = !Application::leaked(Table::new(0, 1)).open(ids[0], Draft::new(0)).await;
    assert!(refuses, "there are more sessions than allowed");
}

fn expect_nothing_left(application: &Application, sessions: u64) {
    let table = application.table();
    let left = table.rows.len() + table.evictable.len() + table.in_memory;
    assert!(left == 0 && application.world.store.is_empty(), "a life cycle left something behind");
    let is_right = table.created == sessions && table.removed == sessions;
    assert!(is_right, "sessions were not made or not removed");
    assert!(table.saved == sessions + table.evicted, "states were not saved");
}
