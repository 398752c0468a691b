// SPDX-License-Identifier: Apache-2.0

//! Passes the version of Tokio that cargo resolved to the program, which prints it.

use std::fs;

fn main() {
    println!("cargo:rerun-if-changed=Cargo.lock");
    let lock = fs::read_to_string("Cargo.lock").unwrap_or_default();
    let mut lines = lock.lines().skip_while(|line| *line != "name = \"tokio\"");
    let version = lines
        .find_map(|line| line.strip_prefix("version = \""))
        .map_or("unknown", |rest| rest.trim_end_matches('"'));
    println!("cargo:rustc-env=TOKIO_VERSION={version}");
}
