//! Tables as text: one row per line, tabs between columns, `#` before remarks.

/// Returns the rows of `text`.
pub(crate) fn rows(text: &str) -> impl Iterator<Item = Vec<&str>> {
    let lines = text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| line.split('\t').collect())
}
