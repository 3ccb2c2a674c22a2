//! Maps of one repository in one process: `maps ROOT [QUERY_FILE] [BUDGETS] [ROUNDS]`. It reads the
//! repository once, then makes maps for each budget: without a focus, with the names in the text of
//! the file as mentions, and with the text as query. Prints a JSON object: texts, the seconds of
//! reading, and the minimum seconds of a map for each mode and budget.
#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a program for measuring, not a part of the library"
)]

use std::time::Instant;

use loom_host::{
    Cancel, Focus, MapBuilder, MapFormat, MapRequest, MapWanted, PackOptions, Packer, mentions,
};
use serde_json::{Map, Value, json};

fn main() {
    let mut words = std::env::args().skip(1);
    let root = words.next().unwrap();
    let query = words.next().filter(|path| !path.is_empty());
    let query = query.map(|path| std::fs::read_to_string(path).unwrap());
    let budgets = words
        .next()
        .unwrap_or_else(|| "1000,2000,4000,8000".to_owned());
    let rounds: usize = words.next().map_or(1, |word| word.parse().unwrap());
    let packer = Packer::open(&[root], PackOptions::default()).unwrap();
    let start = Instant::now();
    let read = MapBuilder::new(&packer, &loom_host::Run::new(), &Cancel::new())
        .build(&MapWanted::default());
    let repository = read.unwrap();
    let reading = start.elapsed().as_secs_f64();
    let mut modes = vec![("plain", Focus::default())];
    if let Some(query) = query {
        let names = Focus {
            mentions: mentions(&query),
            ..Focus::default()
        };
        let words = Focus {
            query: Some(query),
            ..Focus::default()
        };
        modes.extend([("mentions", names), ("query", words)]);
    }
    let (mut texts, mut seconds) = (Map::new(), Map::new());
    for (mode, focus) in modes {
        let (mut by_budget, mut times) = (Map::new(), Map::new());
        for budget in budgets.split(',') {
            let request = MapRequest {
                budget: budget.parse().unwrap(),
                format: MapFormat::Plain,
                focus: focus.clone(),
                ..MapRequest::default()
            };
            let mut least = f64::INFINITY;
            for _ in 0..rounds {
                let start = Instant::now();
                let map = repository.render(&packer, &request).unwrap();
                least = least.min(start.elapsed().as_secs_f64());
                by_budget.insert(budget.to_owned(), Value::from(map.text));
            }
            times.insert(budget.to_owned(), Value::from(least));
        }
        texts.insert(mode.to_owned(), Value::from(by_budget));
        seconds.insert(mode.to_owned(), Value::from(times));
    }
    let files = repository.linked().files.len();
    println!(
        "{}",
        json!({"files": files, "reading": reading, "texts": texts, "seconds": seconds})
    );
}
