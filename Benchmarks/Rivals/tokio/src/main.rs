// SPDX-License-Identifier: Apache-2.0

//! The program measures sessions made of Tokio tasks and bounded channels.

#[cfg(feature = "mimalloc")]
mod allocator;
mod call;
mod codec;
mod coding;
mod cycle;
mod decode;
mod deliver;
mod draft;
mod id;
mod memory;
mod options;
mod population;
mod report;
mod session;
mod world;

use options::{Options, Path};

fn main() {
    let options = Options::parse(std::env::args().skip(1));
    let runtime = tokio::runtime::Builder::new_multi_thread().build();
    let runtime = runtime.unwrap_or_else(|error| report::fail(&format!("no runtime: {error}")));
    report::header();
    // The thread that blocks is not a worker, so the measurements run in a task.
    let ended = runtime.block_on(async { tokio::spawn(measure(options)).await });
    report::check(ended.is_ok(), "a measurement ended early");
}

async fn measure(options: Options) {
    // Memory comes first, while nothing else has used the heap.
    if options.wants(Path::Memory) {
        memory::measure(&options).await;
    }
    if options.wants(Path::Deliver) {
        for &producers in &options.producers {
            deliver::measure(&options, producers).await;
        }
    }
    if options.wants(Path::Call) {
        for &callers in &options.callers {
            call::measure(&options, callers).await;
        }
    }
    if options.wants(Path::Cycle) {
        for &callers in &options.callers {
            cycle::measure(&options, callers).await;
        }
    }
    if options.wants(Path::Encode) {
        coding::measure_encode(&options);
    }
    if options.wants(Path::Decode) {
        coding::measure_decode(&options);
    }
}
