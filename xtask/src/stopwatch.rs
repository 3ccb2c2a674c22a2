//! Times of the parts of a command, as a table for its end.

use std::time::{Duration, Instant};

/// One line of the table.
struct Row {
    name: String,
    outcome: String,
    took: Duration,
}

/// Times one part after the other.
#[derive(Default)]
pub(crate) struct Stopwatch {
    rows: Vec<Row>,
}

impl Stopwatch {
    /// Runs `part` and records its time under `name`, with the outcome from `describe`.
    pub(crate) fn time<T>(
        &mut self,
        name: &str,
        part: impl FnOnce() -> T,
        describe: impl FnOnce(&T) -> String,
    ) -> T {
        let start = Instant::now();
        let result = part();
        let outcome = describe(&result);
        self.push(name, outcome, start.elapsed());
        result
    }

    fn push(&mut self, name: &str, outcome: String, took: Duration) {
        self.rows.push(Row {
            name: name.to_owned(),
            outcome,
            took,
        });
    }

    /// Formats the table, one line per part.
    pub(crate) fn table(&self) -> String {
        let width = self
            .rows
            .iter()
            .map(|row| row.name.len())
            .max()
            .unwrap_or(0);
        let lines = self.rows.iter().map(|row| {
            let seconds = row.took.as_secs_f64();
            format!("  {:width$}  {seconds:>7.1} s  {}\n", row.name, row.outcome)
        });
        lines.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let mut watch = Stopwatch::default();
        watch.push("fmt", "ok".to_owned(), Duration::from_millis(1_250));
        watch.push("clippy", "failed".to_owned(), Duration::from_secs(61));
        assert_eq!(
            watch.table(),
            "  fmt         1.2 s  ok\n  clippy     61.0 s  failed\n"
        );
    }
}
