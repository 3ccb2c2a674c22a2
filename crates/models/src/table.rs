//! Tables as text: one row per line, columns separated by tabs, `#` before comments, `-` for an
//! empty column.

/// Returns the rows of `text` with exactly `N` columns and passes the others to `bad`.
pub(crate) fn rows<'a, const N: usize>(
    text: &'a str,
    mut bad: impl FnMut(&'a str),
) -> Vec<[&'a str; N]> {
    let lines = text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    let rows = lines.filter_map(|line| {
        let columns: Vec<&str> = line.split('\t').collect();
        let row = columns.try_into().ok();
        if row.is_none() {
            bad(line);
        }
        row
    });
    rows.collect()
}

/// Returns the value of a column that may be empty.
pub(crate) fn optional(column: &str) -> Option<&str> {
    (column != "-").then_some(column)
}
