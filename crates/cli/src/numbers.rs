//! Formats numbers for people.

use loom_wire::LeftOutCount;

/// Formats a number with its noun.
pub(super) fn plural(count: usize, one: &str, many: &str) -> String {
    match count {
        1 => format!("1 {one}"),
        count => format!("{} {many}", number(count)),
    }
}

/// Formats a number with commas between thousands.
pub(super) fn number(value: usize) -> String {
    let digits = value.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Formats skipped files and directories of one reason: `1 gitignore directory`, `3 binary`.
pub(super) fn skipped(share: &LeftOutCount) -> String {
    let (count, reason) = (number(share.count), &share.reason);
    match share.directories {
        0 => format!("{count} {reason}"),
        1 if share.count == 1 => format!("1 {reason} directory"),
        all if all == share.count => format!("{count} {reason} directories"),
        1 => format!("{count} {reason} (1 of them a directory)"),
        some => format!("{count} {reason} ({} of them directories)", number(some)),
    }
}

/// Formats a size in a suitable unit.
pub(super) fn size(bytes: usize) -> String {
    const UNITS: [(&str, usize); 3] = [("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1_000)];
    let unit = UNITS.iter().find(|(_, unit)| bytes >= *unit);
    match unit {
        Some((name, unit)) => format!("{:.1} {name}", bytes as f64 / *unit as f64),
        None => format!("{bytes} bytes"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_sizes() {
        assert_eq!(number(0), "0");
        assert_eq!(number(1_234_567), "1,234,567");
        assert_eq!(size(999), "999 bytes");
        assert_eq!(size(1_500_000), "1.5 MB");
    }
}
