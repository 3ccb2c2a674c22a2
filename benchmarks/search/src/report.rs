//! What was measured of a tree, for people and as JSON.

use std::time::Duration;

use loom_host::IndexBuilt;

use crate::queries::Asked;

/// What one query took and gave.
pub(crate) struct Row {
    pub(crate) asked: Asked,
    /// Files that match.
    pub(crate) files: usize,
    /// Whether every file had to be read.
    pub(crate) reads_all: bool,
    /// Seconds when it is asked first, and when it is asked again.
    pub(crate) first: f64,
    pub(crate) again: f64,
    pub(crate) peer: f64,
    pub(crate) is_same: bool,
}

impl Row {
    pub(crate) fn is_narrow(&self) -> bool {
        (1..200).contains(&self.files)
    }

    fn is_broad(&self) -> bool {
        self.files >= 200 || self.reads_all
    }
}

/// Named numbers of one tree.
pub(crate) struct Report {
    tree: String,
    numbers: Vec<(String, f64)>,
}

impl Report {
    pub(crate) fn new(tree: &str, queries: usize, seed: u64) -> Self {
        let numbers = vec![
            ("queries".to_owned(), queries as f64),
            ("seed".to_owned(), seed as f64),
        ];
        Self {
            tree: tree.to_owned(),
            numbers,
        }
    }

    pub(crate) fn number(&mut self, name: &str, value: f64) {
        println!("{name}: {value:.3}");
        let rounded = (value * 1e3).round() / 1e3;
        self.numbers.push((name.to_owned(), rounded));
    }

    pub(crate) fn built(&mut self, built: Option<IndexBuilt>, took: Duration) {
        let Some(built) = built else { return };
        self.number("contents", built.indexed as f64);
        self.number("text_bytes", built.text as f64);
        self.number("index_bytes", built.size as f64);
        let share = 100.0 * built.size as f64 / built.text.max(1) as f64;
        self.number("index_percent", share);
        self.number("index_s", took.as_secs_f64());
    }

    pub(crate) fn rows(&mut self, rows: &[Row]) {
        let same = rows.iter().filter(|row| row.is_same).count();
        self.number("answers_as_ripgrep", same as f64);
        let of = |test: fn(&Row) -> bool| rows.iter().filter(|row| test(row)).collect::<Vec<_>>();
        self.group("all", &of(|_| true));
        self.group("under_200_files", &of(Row::is_narrow));
        self.group("broad_or_without_grams", &of(Row::is_broad));
    }

    fn group(&mut self, name: &str, rows: &[&Row]) {
        if rows.is_empty() {
            return;
        }
        let sorted = |time: fn(&Row) -> f64| {
            let mut times: Vec<f64> = rows.iter().map(|row| time(row)).collect();
            times.sort_by(f64::total_cmp);
            times
        };
        let at = |times: &[f64], share: f64| times[((times.len() - 1) as f64 * share) as usize];
        let (first, again) = (sorted(|row| row.first), sorted(|row| row.again));
        let (peer, ratio) = (sorted(|row| row.peer), sorted(|row| row.peer / row.first));
        let slower: f64 = rows.iter().map(|row| row.first).sum();
        let peers: f64 = rows.iter().map(|row| row.peer).sum();
        // The slowest hundredth of fewer queries is a handful.
        if rows.len() >= 1000 {
            self.number(&format!("{name}_p99_ms"), 1e3 * at(&first, 0.99));
            self.number(&format!("{name}_ripgrep_p99_ms"), 1e3 * at(&peer, 0.99));
        }
        for (what, value) in [
            ("queries", rows.len() as f64),
            ("p50_ms", 1e3 * at(&first, 0.5)),
            ("p90_ms", 1e3 * at(&first, 0.9)),
            ("again_p50_ms", 1e3 * at(&again, 0.5)),
            ("ripgrep_p50_ms", 1e3 * at(&peer, 0.5)),
            ("ripgrep_p90_ms", 1e3 * at(&peer, 0.9)),
            ("times_faster_p50", at(&peer, 0.5) / at(&first, 0.5)),
            ("times_faster_median", at(&ratio, 0.5)),
            ("time_of_all_against_ripgrep", slower / peers),
        ] {
            self.number(&format!("{name}_{what}"), value);
        }
    }

    /// What was measured, as an object of JSON.
    pub(crate) fn json(&self) -> String {
        let numbers = self
            .numbers
            .iter()
            .map(|(name, value)| format!("\"{name}\":{value}"));
        let numbers: Vec<String> = numbers.collect();
        format!("{{\"tree\":\"{}\",{}}}", self.tree, numbers.join(","))
    }
}
