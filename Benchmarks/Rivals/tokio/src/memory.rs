// SPDX-License-Identifier: Apache-2.0

//! Resident memory of an idle session.

use crate::options::Options;
use crate::population::{random_ids, Population, Total};
use crate::report::{self, check, fail};
use crate::session::Message;

/// Every session gets one message, so that its small state is real.
pub async fn measure(options: &Options) {
    let ids = random_ids(options.sessions);
    let before = resident();
    let population = Population::of(ids);
    for id in ids {
        let message = Message::Deliver { sender: 0, number: 1, payload: 3 };
        check(population.world.send(id, message).await, "a session was not found");
    }
    population.drain().await;
    let each = (resident() - before) / options.sessions as f64;
    let count = options.sessions as u64;
    population.verify(Total { count, sum: 3 * count }).await;
    report::line("memory", "sessions", options.sessions, each, "B");
    population.close().await;
}

/// Reads the process's resident memory, which this file gives in units of 1024 bytes.
fn resident() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let number = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
    number.unwrap_or_else(|| fail("the resident memory cannot be read")) * 1024.0
}
