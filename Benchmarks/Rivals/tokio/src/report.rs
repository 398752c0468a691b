// SPDX-License-Identifier: Apache-2.0

//! The lines of the report, and the end of the program when a check fails.

use std::time::Duration;

pub fn header() {
    println!("rival,version,path,parameter,value,unit");
}

pub fn line(path: &str, parameter: &str, of: usize, value: f64, unit: &str) {
    let version = env!("TOKIO_VERSION");
    println!("tokio,{version},{path},{parameter}={of},{value:.0},{unit}");
}

pub fn rate(count: u64, elapsed: Duration) -> f64 {
    count as f64 / elapsed.as_secs_f64()
}

#[inline]
pub fn check(holds: bool, message: &str) {
    if !holds {
        fail(message);
    }
}

#[cold]
pub fn fail(message: &str) -> ! {
    eprintln!("{message}");
    std::process::exit(1)
}
