// SPDX-License-Identifier: Apache-2.0

//! The program measures sessions made of Tokio tasks and bounded channels: a path, with so many
//! sessions and workers, for so many seconds. It prints operations a second.

mod application;
mod call;
mod cycle;
mod cycle_kept;
mod deliver;
mod draft;
mod id;
mod population;
mod session;
mod table;
mod world;

use std::time::{Duration, Instant};

pub struct Options {
    pub sessions: usize,
    pub workers: usize,
    seconds: f64,
}

impl Options {
    pub fn end(&self) -> Instant {
        Instant::now() + Duration::from_secs_f64(self.seconds)
    }
}

fn main() {
    let [path, sessions, seconds, workers]: [String; 4] = std::env::args()
        .skip(1)
        .collect::<Vec<_>>()
        .try_into()
        .expect("PATH SESSIONS SECONDS WORKERS");
    let options = Options {
        sessions: sessions.parse().expect("a number of sessions"),
        seconds: seconds.parse().expect("a number of seconds"),
        workers: workers.parse().expect("a number of workers"),
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().build().expect("a runtime");
    // The thread that blocks is not a worker, so the measurements run in a task.
    let measured = runtime.block_on(async { tokio::spawn(measure(path, options)).await });
    println!("{:.0}", measured.expect("a measurement that ends"));
}

async fn measure(path: String, options: Options) -> f64 {
    match path.as_str() {
        "deliver" => deliver::measure(&options).await,
        "call" => call::measure(&options).await,
        "cycle" => cycle::measure(&options).await,
        "cycle_kept" => cycle_kept::measure(&options).await,
        _ => panic!("unknown path: {path}"),
    }
}

pub fn rate(count: u64, start: Instant) -> f64 {
    count as f64 / start.elapsed().as_secs_f64()
}
