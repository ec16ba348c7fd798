//! A collapser in Rust for lines of a stack, root first, and a number of milliseconds: "main > load: 12.5".
//!
//! SPDX-License-Identifier: MIT
use brazier_plugin::abi::*;
use brazier_plugin::{collapser, plugin, Collapser, Host, Result};

#[derive(Default)]
struct Steps {
    frames: Vec<brz_frame>,
}

/// Divides "12.5" into nanoseconds.
fn nanoseconds(text: &str) -> Option<i64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let is_number = |s: &str| !s.is_empty() && s.bytes().all(|c| c.is_ascii_digit());
    if !is_number(whole) || !is_number(fraction) {
        return None;
    }
    let fraction: i64 = format!("{:0<6.6}", fraction).parse().ok()?;
    whole.parse::<i64>().ok()?.checked_mul(1_000_000)?.checked_add(fraction)
}

/// Divides a line into its stack and its time; None: it is not of this format.
fn divide(line: &[u8]) -> Option<(&[u8], i64)> {
    let colon = line.iter().rposition(|&c| c == b':')?;
    let time = nanoseconds(std::str::from_utf8(&line[colon + 1..]).ok()?.trim())?;
    let stack = trim(&line[..colon]);
    if stack.is_empty() { None } else { Some((stack, time)) }
}

fn trim(mut text: &[u8]) -> &[u8] {
    while let [b' ' | b'\t' | b'\r', rest @ ..] | [rest @ .., b' ' | b'\t' | b'\r'] = text {
        text = rest;
    }
    text
}

impl Steps {
    fn read_line(&mut self, host: &mut Host, line: &[u8]) -> Result {
        let line = trim(line);
        match divide(line) {
            None if line.is_empty() => Ok(()),
            None => {
                host.lost(b"steps.line\0", line, "not a step: left out");
                Ok(())
            }
            Some((stack, time)) => {
                self.frames.clear();
                for name in stack.split(|&c| c == b'>') {
                    self.frames.push(host.frame(trim(name)));
                }
                host.sample(&self.frames, 0, &[time], None, BRZ_NO_TAG)
            }
        }
    }
}

impl Collapser for Steps {
    const FLAGS: u32 = BRZ_SPLITTABLE;

    fn sniff(head: &[u8], is_whole: bool) -> i32 {
        let end = if is_whole { head.len() } else { head.iter().rposition(|&c| c == b'\n').map_or(0, |i| i + 1) };
        let mut lines = head[..end].split(|&c| c == b'\n').map(trim).filter(|l| !l.is_empty()).take(20).peekable();
        let is_step = |line: &[u8]| divide(line).map_or(false, |(stack, _)| stack.windows(3).any(|w| w == b" > "));
        if lines.peek().is_some() && lines.all(is_step) { BRZ_SNIFF_RECORDS } else { BRZ_SNIFF_NO }
    }

    fn open(&mut self, host: &mut Host) -> Result {
        host.column("time", "nanoseconds");
        Ok(())
    }

    fn parse(&mut self, host: &mut Host, chunk: &[u8], is_last: bool) -> Result<usize> {
        let end = if is_last { chunk.len() } else { chunk.iter().rposition(|&c| c == b'\n').map_or(0, |i| i + 1) };
        for line in chunk[..end].split(|&c| c == b'\n') {
            self.read_line(host, line)?;
        }
        Ok(end)
    }
}

plugin!("steps", "1.0", "MIT", "https://example.org/brazier-steps/issues",
        [(BRZ_COLLAPSER, brz_collapser, collapser::<Steps>(), "steps", "steps of a program",
          "Record with `steps PROGRAM > FILE`.")]);
