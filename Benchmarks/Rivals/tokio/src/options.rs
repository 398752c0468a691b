// SPDX-License-Identifier: Apache-2.0

//! The flags. Those that are not understood end the program with 2.

use std::time::Duration;

#[derive(Clone, Copy, PartialEq)]
pub enum Path {
    Memory,
    Deliver,
    Call,
    Cycle,
    Encode,
    Decode,
}

pub struct Options {
    pub sessions: usize,
    pub duration: Duration,
    pub callers: Vec<usize>,
    pub producers: Vec<usize>,
    paths: Vec<Path>,
}

impl Options {
    pub fn parse(mut arguments: impl Iterator<Item = String>) -> Options {
        let mut options = Options {
            sessions: 100_000,
            duration: Duration::from_secs(3),
            callers: vec![1, 8, 64],
            producers: vec![1, 2, 8],
            paths: parse_paths("memory,deliver,call,cycle,encode,decode"),
        };
        while let Some(argument) = arguments.next() {
            let (flag, value) = match argument.split_once('=') {
                Some((flag, value)) => (flag.to_string(), Some(value.to_string())),
                None => (argument, arguments.next()),
            };
            options.set(&flag, &value.unwrap_or_else(|| refuse(&flag)));
        }
        options
    }

    fn set(&mut self, flag: &str, value: &str) {
        match flag {
            "--sessions" => self.sessions = parse_count(value),
            "--seconds" => self.duration = parse_seconds(value),
            "--callers" => self.callers = parse_counts(value),
            "--producers" => self.producers = parse_counts(value),
            "--paths" => self.paths = parse_paths(value),
            _ => refuse(flag),
        }
    }

    pub fn wants(&self, path: Path) -> bool {
        self.paths.contains(&path)
    }
}

fn parse_counts(list: &str) -> Vec<usize> {
    list.split(',').map(parse_count).collect()
}

fn parse_count(text: &str) -> usize {
    match text.parse() {
        Ok(count) if count > 0 => count,
        _ => refuse(text),
    }
}

fn parse_seconds(text: &str) -> Duration {
    match text.parse() {
        Ok(seconds) if seconds > 0.0 && seconds < 1e6 => Duration::from_secs_f64(seconds),
        _ => refuse(text),
    }
}

fn parse_paths(text: &str) -> Vec<Path> {
    text.split(',')
        .map(|name| match name {
            "memory" => Path::Memory,
            "deliver" => Path::Deliver,
            "call" => Path::Call,
            "cycle" => Path::Cycle,
            "encode" => Path::Encode,
            "decode" => Path::Decode,
            _ => refuse(name),
        })
        .collect()
}

fn refuse(text: &str) -> ! {
    eprintln!("not understood, or without a value: {text}");
    eprintln!("flags: --sessions N --seconds S --paths a,b,c --callers 1,8,64");
    std::process::exit(2)
}
