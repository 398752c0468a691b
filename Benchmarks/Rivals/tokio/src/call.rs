// SPDX-License-Identifier: Apache-2.0

//! Requests to random sessions; every caller awaits the reply before its next request.

use crate::id::Random;
use crate::options::Options;
use crate::population::{random_ids, together, Population, Total};
use crate::report::{self, check};
use crate::session::Message;
use std::time::Instant;

/// How many calls are made between two looks at the clock.
const BURST: usize = 16;

pub async fn measure(options: &Options, callers: usize) {
    let population = Population::of(random_ids(options.sessions));
    let start = Instant::now();
    let end = start + options.duration;
    let done = together(callers, |worker| call(population, worker, end)).await;
    let elapsed = start.elapsed();
    population.verify(done).await;
    report::line("call", "callers", callers, report::rate(done.count, elapsed), "1/s");
    population.close().await;
}

async fn call(population: Population, caller: usize, end: Instant) -> Total {
    let mut random = Random(caller as u64 + 1);
    let mut done = Total::default();
    while Instant::now() < end {
        for _ in 0..BURST {
            let id = &population.ids[random.below(population.ids.len())];
            done.count += 1;
            let number = done.count;
            let request = |reply| Message::Call { number, reply };
            let answer = population.world.ask(id, request).await;
            check(answer.map_or(false, |value| value > number), "a call got a wrong reply");
        }
    }
    done
}
