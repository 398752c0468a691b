// SPDX-License-Identifier: Apache-2.0

//! Requests to random sessions; every caller awaits the reply before its next request.

use crate::id::Random;
use crate::population::{together, Population, Total};
use crate::session::Message;
use crate::{rate, Options};
use std::time::Instant;

/// How many calls are made between two looks at the clock.
const BURST: usize = 16;

pub async fn measure(options: &Options) -> f64 {
    let population = Population::of(options.sessions);
    let (start, end) = (Instant::now(), options.end());
    let done = together(options.workers, |worker| call(population, worker, end)).await;
    let rate = rate(done.count, start);
    population.verify(done).await;
    rate
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
            assert!(answer.map_or(false, |value| value > number), "a call got a wrong reply");
        }
    }
    done
}
