//! Redacts secrets in paths. A file is known by its redacted path from then on.

use std::borrow::Cow;
use std::collections::HashMap;

use loom_secrets::{Copies, Numbers, Replaced, redact};

use crate::RepoPath;
use crate::options::SecretsOptions;

/// File name under which the scanner sees the list of paths.
const PATHS: &str = "(paths)";

impl SecretsOptions {
    /// Returns the redacted form of each path that contains a secret, by its number.
    pub(crate) fn redacted_paths<'a>(
        &self,
        paths: impl Iterator<Item = &'a RepoPath>,
        copies: &Copies,
    ) -> HashMap<usize, RepoPath> {
        if !self.mode.hides() {
            return HashMap::new();
        }
        let lines = self.redacted_lines(paths.map(RepoPath::display), copies);
        let paths = lines
            .into_iter()
            .filter_map(|(at, line)| Some((at, RepoPath::new(line).ok()?)));
        paths.collect()
    }

    /// Returns the redacted form of each line that contains a secret, by its number.
    pub(super) fn redacted_lines<'a>(
        &self,
        lines: impl Iterator<Item = Cow<'a, str>>,
        copies: &Copies,
    ) -> HashMap<usize, String> {
        let mut redacted = HashMap::new();
        let (mut text, mut ends) = (String::new(), Vec::new());
        for line in lines {
            text.push_str(&line);
            text.push('\n');
            ends.push(text.len());
        }
        let name = RepoPath::new(PATHS).unwrap_or_else(|_| RepoPath::root());
        let findings = self.scan(&name, &text);
        let findings = self.with_copies(&name, &text, findings, copies);
        let mut numbers = Numbers::default();
        for (at, end) in ends.iter().enumerate() {
            let start = at.checked_sub(1).map_or(0, |before| ends[before]);
            let first = findings.partition_point(|one| one.span.end <= start);
            let within = findings[first..]
                .iter()
                .take_while(|one| one.span.start < *end);
            let line = start..*end - 1;
            let within = within.map(|one| {
                let mut one = one.clone();
                let (from, to) = (one.span.start.max(start), one.span.end.min(line.end));
                one.span = from - start..to - start;
                one
            });
            let within: Vec<_> = within.filter(|one| !one.span.is_empty()).collect();
            if within.is_empty() {
                continue;
            }
            let line = &text[line];
            let plan = Replaced::plan(line, &within, &mut numbers);
            redacted.insert(at, redact(line, &plan));
        }
        redacted
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::SecretsMode;

    #[test]
    fn paths_are_redacted_and_stay_different() {
        // Assembled here, so that this file contains no secret.
        let token = concat!("ghp_", "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx");
        let paths = [
            "a.py".to_owned(),
            format!("keys/{token}/c.py"),
            format!("{token}.py"),
        ];
        let paths: Vec<RepoPath> = paths
            .iter()
            .map(|path| RepoPath::new(path).unwrap())
            .collect();
        let redacted = |mode| {
            let options = SecretsOptions::new(mode);
            let redacted = options.redacted_paths(paths.iter(), &Copies::default());
            let mut redacted: Vec<_> = redacted
                .into_iter()
                .map(|(at, path)| (at, path.display().into_owned()))
                .collect();
            redacted.sort();
            redacted
        };
        let expected = [
            (1, "keys/[REDACTED:github-token:1]/c.py"),
            (2, "[REDACTED:github-token:1].py"),
        ];
        let expected = expected.map(|(at, path)| (at, path.to_owned()));
        assert_eq!(redacted(SecretsMode::Redact), expected);
        assert_eq!(redacted(SecretsMode::Warn), []);
    }

    fn token() -> &'static str {
        concat!("ghp_", "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx")
    }

    #[test]
    fn only_lines_with_secrets_are_returned() {
        let options = SecretsOptions::default();
        let lines = [
            "plain".to_owned(),
            String::new(),
            format!("uses {}", token()),
            "end".to_owned(),
        ];
        let lines = lines.iter().map(|line| Cow::Borrowed(line.as_str()));
        let redacted = options.redacted_lines(lines, &Copies::default());
        assert_eq!(redacted.len(), 1);
        assert_eq!(redacted[&2], "uses [REDACTED:github-token:1]");
    }

    proptest! {
        /// A line is redacted in the same way, whatever stands before and after it.
        #[test]
        fn each_line_is_redacted_on_its_own(lines in prop::collection::vec(("[a-z ]{0,12}", any::<bool>(), "[a-z ]{0,12}"), 0..12)) {
            let line = |(before, has, after): &(String, bool, String)| {
                let secret = if *has { token() } else { "" };
                format!("{before} {secret} {after}")
            };
            let texts: Vec<String> = lines.iter().map(line).collect();
            let options = SecretsOptions::default();
            let all = texts.iter().map(|line| Cow::Borrowed(line.as_str()));
            let redacted = options.redacted_lines(all, &Copies::default());
            for (at, text) in texts.iter().enumerate() {
                let expected = lines[at].1.then(|| text.replace(token(), "[REDACTED:github-token:1]"));
                prop_assert_eq!(redacted.get(&at), expected.as_ref());
            }
        }
    }
}
