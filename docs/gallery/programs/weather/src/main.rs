//! Reads a year of weather reports in JSON and prints the mean temperature of each station.

mod json;

use json::{Parser, Value};
use std::collections::BTreeMap;
use std::fmt::Write;

const STATIONS: [&str; 6] = ["Oslo", "Lisbon", "Nairobi", "Lima", "Perth", "Quebec"];

/// Returns the reports of a day, one for each station and minute.
fn reports(day: u64) -> String {
    let mut text = String::from("[");
    let mut random = day;
    for minute in 0..1440 {
        for (number, station) in STATIONS.iter().enumerate() {
            random = random
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            let degrees = (random >> 33) as f64 / 4e8 + number as f64 * 4.0;
            let separator = if text.len() > 1 { "," } else { "" };
            write!(
                text,
                r#"{separator}{{"station": "{station}", "minute": {minute}, "degrees": {degrees:.2}, "rain": null}}"#
            )
            .expect("memory");
        }
    }
    text.push(']');
    text
}

#[derive(Default)]
struct Mean {
    sum: f64,
    count: u64,
}

fn add(means: &mut BTreeMap<String, Mean>, report: &Value) -> Option<()> {
    let degrees = report.get("degrees")?.number()?;
    let mean = means
        .entry(report.get("station")?.text()?.to_string())
        .or_default();
    mean.sum += degrees;
    mean.count += 1;
    Some(())
}

fn read_day(means: &mut BTreeMap<String, Mean>, text: &str) -> Result<(), usize> {
    if let Value::List(list) = Parser::new(text).value()? {
        for report in &list {
            add(means, report);
        }
    }
    Ok(())
}

fn main() {
    let mut means = BTreeMap::new();
    for day in 0..365 {
        if let Err(offset) = read_day(&mut means, &reports(day)) {
            eprintln!("day {day}: no JSON at byte {offset}");
        }
    }
    for (station, mean) in &means {
        println!("{station:8} {:6.2}", mean.sum / mean.count as f64);
    }
}
