//! What a search may tell of the lines that it found. A match within a secret would
//! confirm a guess of it, so the line is not told.

use loom_host::{FileHits, HitLine};

/// Leaves the lines that match outside of what is hidden, and `around` lines beside each.
/// `None` where nothing is left.
pub(super) fn telling(mut file: FileHits, around: usize) -> Option<FileHits> {
    let is_hidden = |line: &HitLine| {
        // The places within what was taken out are gone.
        line.is_match && line.places.is_empty() && line.has_secret
    };
    if !file.lines.iter().any(is_hidden) {
        return Some(file);
    }
    let told = |line: &&HitLine| line.is_match && !is_hidden(line);
    let told: Vec<usize> = file
        .lines
        .iter()
        .filter(told)
        .map(|line| line.line)
        .collect();
    let is_near = |line: usize| told.iter().any(|told| told.abs_diff(line) <= around);
    for line in &mut file.lines {
        line.is_match &= told.contains(&line.line);
    }
    file.lines.retain(|line| is_near(line.line));
    file.count = told.len();
    (!told.is_empty()).then_some(file)
}

#[cfg(test)]
mod tests {
    use loom_host::RepoPath;

    use super::*;

    fn line(number: usize, text: &str, places: &[std::ops::Range<usize>]) -> HitLine {
        HitLine {
            line: number,
            column: 1,
            text: text.to_owned(),
            places: places.to_vec(),
            symbol: None,
            is_match: text != "beside",
            has_secret: text.contains("[REDACTED:"),
        }
    }

    fn file(lines: Vec<HitLine>) -> FileHits {
        FileHits {
            path: RepoPath::new("a.py").unwrap(),
            language: None,
            count: lines.len(),
            lines,
            score: None,
            secrets: 0,
        }
    }

    #[test]
    fn a_guess_of_a_secret_is_not_confirmed() {
        let secret = line(2, "key = '[REDACTED:password]'", &[]);
        let beside = [line(1, "beside", &[]), line(3, "beside", &[])];
        let [before, after] = beside;
        assert!(telling(file(vec![before.clone(), secret.clone(), after.clone()]), 1).is_none());
        let seen = line(4, "key", std::slice::from_ref(&(0..3)));
        let told = telling(file(vec![before, secret.clone(), after, seen]), 1).unwrap();
        let numbers: Vec<usize> = told.lines.iter().map(|line| line.line).collect();
        assert_eq!((numbers, told.count), (vec![3, 4], 1));
        let named = line(
            2,
            "key = '[REDACTED:password]'",
            std::slice::from_ref(&(0..3)),
        );
        assert_eq!(telling(file(vec![named]), 0).unwrap().lines.len(), 1);
    }
}
