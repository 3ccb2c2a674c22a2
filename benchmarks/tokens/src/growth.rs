//! Long text of one kind: the time for twice as much, and against `bpe-openai`.

use std::hint::black_box;

use cpu_time::ProcessTime;

use crate::engines::{self, Engine};
use crate::options::Options;

/// Bytes of the shorter text.
const SIZE: usize = 10_000_000;

pub fn compare(options: &Options) {
    let ours = engines::start("loom-tokens", options.vocabulary);
    let theirs = engines::start("bpe-openai", options.vocabulary);
    println!("10 MB of one kind: MB/s, MB/s of bpe-openai, times as long for 20 MB");
    for (name, text) in texts() {
        let (once, twice) = (&text[..text.floor_char_boundary(SIZE)], &text);
        assert_eq!((ours.count)(once), (theirs.count)(once), "{name}");
        let [short, long] = [once, twice].map(|text| best(options, &ours, text));
        let other = best(options, &theirs, once);
        let speed = |seconds: f64| SIZE as f64 / 1e6 / seconds;
        println!(
            "{name:<12} {:>8.0} {:>8.0} {:>8.2}",
            speed(short),
            speed(other),
            long / short
        );
    }
}

fn best(options: &Options, engine: &Engine, text: &str) -> f64 {
    let pass = |_| {
        let clock = ProcessTime::now();
        black_box((engine.count)(text));
        clock.elapsed().as_secs_f64()
    };
    (0..options.rounds).map(pass).fold(f64::MAX, f64::min)
}

fn texts() -> Vec<(&'static str, String)> {
    let mut state = 1u64;
    let mut random = move |below: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) % below
    };
    let digits = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let base64 = (0..2 * SIZE)
        .map(|_| digits[random(64) as usize] as char)
        .collect();
    let letters = (0..2 * SIZE)
        .map(|_| (b'a' + random(26) as u8) as char)
        .collect();
    let han = (0..2 * SIZE / 3)
        .filter_map(|_| char::from_u32(0x4E00 + random(3000) as u32))
        .collect();
    let emoji = (0..2 * SIZE / 4)
        .filter_map(|_| char::from_u32(0x1F600 + random(80) as u32))
        .collect();
    vec![
        ("one letter", "a".repeat(2 * SIZE)),
        ("spaces", " ".repeat(2 * SIZE)),
        ("line ends", "\n".repeat(2 * SIZE)),
        ("one emoji", "👍".repeat(2 * SIZE / 4)),
        ("emoji", emoji),
        ("one Han", "的".repeat(2 * SIZE / 3)),
        ("Han", han),
        ("letters", letters),
        ("base64", base64),
    ]
}
