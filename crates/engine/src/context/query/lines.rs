//! Classifies the lines of a report: title, prose, code, output, environment, and template text.

/// Class of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineKind {
    /// The first line.
    Title,
    /// Prose of the author.
    Prose,
    /// Code in a fence.
    Code,
    /// Output of a program.
    Output,
    /// Versions, systems, settings.
    Environment,
    /// Empty, or part of a template.
    Nothing,
}

impl LineKind {
    /// Returns true if a person wrote the line as prose.
    pub(super) fn is_words(self) -> bool {
        matches!(self, Self::Title | Self::Prose)
    }
}

/// One line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'a> {
    pub(super) text: &'a str,
    pub(super) kind: LineKind,
}

/// Splits a text into classified lines.
pub(super) fn read(text: &str) -> Vec<Line<'_>> {
    let mut state = State::default();
    text.lines().map(|line| state.line(line)).collect()
}

#[derive(Default)]
struct State {
    has_title: bool,
    /// The open code fence.
    fence: Option<&'static str>,
    in_comment: bool,
    in_environment: bool,
}

impl State {
    fn line<'a>(&mut self, text: &'a str) -> Line<'a> {
        let line = |kind| Line { text, kind };
        let trimmed = text.trim();
        if self.in_comment {
            self.in_comment = !trimmed.contains("-->");
            return line(LineKind::Nothing);
        }
        if self.fence.is_none() && trimmed.starts_with("<!--") {
            self.in_comment = !trimmed.contains("-->");
            return line(LineKind::Nothing);
        }
        for fence in ["```", "~~~"] {
            if trimmed.starts_with(fence) && self.fence.is_none_or(|open| open == fence) {
                self.fence = match self.fence {
                    None if trimmed.len() > 3 && trimmed[3..].contains(fence) => None,
                    None => Some(fence),
                    Some(_) => None,
                };
                return line(LineKind::Nothing);
            }
        }
        if trimmed.is_empty() {
            return line(LineKind::Nothing);
        }
        if !self.has_title {
            self.has_title = true;
            return line(LineKind::Title);
        }
        if self.fence.is_some() {
            return line(match () {
                () if self.in_environment => LineKind::Environment,
                () if is_output(trimmed) => LineKind::Output,
                () => LineKind::Code,
            });
        }
        if let Some(heading) = heading(trimmed) {
            self.in_environment = is_environment(&heading);
            return line(match is_stock(&heading) {
                true => LineKind::Nothing,
                false => LineKind::Prose,
            });
        }
        line(match () {
            () if is_boilerplate(trimmed) => LineKind::Nothing,
            () if self.in_environment => LineKind::Environment,
            () if is_output(trimmed) => LineKind::Output,
            () => LineKind::Prose,
        })
    }
}

/// Returns the words of a heading in lower case.
fn heading(line: &str) -> Option<String> {
    let words = match line.strip_prefix('#') {
        Some(rest) => rest.trim_start_matches('#').trim(),
        None => {
            let inner = line.strip_prefix("**")?;
            let inner = inner.trim_end_matches(':').strip_suffix("**")?;
            inner.trim()
        }
    };
    Some(words.trim_end_matches([':', '?', '.']).to_lowercase())
}

/// Returns true for headings of sections about the environment.
fn is_environment(heading: &str) -> bool {
    const WORDS: &[&str] = &[
        "version",
        "environment",
        "system info",
        "your system",
        "platform",
        "checklist",
        "dependencies",
        "code of conduct",
        "are you willing",
        "desktop",
        "smartphone",
        "setup",
        "relevant packages",
        "installed",
        "os and",
        "operating system",
    ];
    WORDS.iter().any(|word| heading.contains(word)) && heading.len() < 60
}

/// Returns true for headings of templates.
fn is_stock(heading: &str) -> bool {
    const STARTS: &[&str] = &[
        "describe",
        "expected",
        "actual",
        "steps",
        "to reproduce",
        "how to reproduce",
        "reproduc",
        "additional",
        "version",
        "environment",
        "system",
        "what happened",
        "what you expected",
        "what i expected",
        "current behav",
        "observed",
        "description",
        "summary",
        "search before",
        "code of conduct",
        "are you willing",
        "screenshots",
        "is your feature",
        "dialect",
        "configuration",
        "bug report",
        "feature request",
        "context",
        "motivation",
        "proposal",
        "problem",
        "solution",
        "possible solution",
        "alternatives",
        "minimal",
        "example",
        "output",
        "error",
        "traceback",
        "note",
        "checklist",
        "what did you",
        "what do you",
        "your environment",
        "use case",
        "suggest",
        "desktop",
        "smartphone",
        "steps/code",
        "issue",
        "details",
        "background",
        "request",
        "related",
    ];
    heading.is_empty()
        || (heading.len() < 60 && STARTS.iter().any(|start| heading.starts_with(start)))
}

/// Returns true for instructions and checkboxes of a template.
fn is_boilerplate(line: &str) -> bool {
    let lower = line.to_lowercase();
    let is_box = ["- [ ]", "- [x]", "* [ ]", "* [x]", "[ ]", "[x]"]
        .iter()
        .any(|start| lower.starts_with(start));
    const PHRASES: &[&str] = &[
        "i searched the",
        "code of conduct",
        "contributing guide",
        "a clear and concise description",
        "please fill",
        "please provide",
        "please make sure",
        "existing issues",
        "i have read",
        "describe the solution you'd like",
        "add any other context",
    ];
    is_box || PHRASES.iter().any(|phrase| lower.contains(phrase)) || lower.starts_with("---")
}

/// Returns true for lines that a program printed.
fn is_output(line: &str) -> bool {
    let starts = [
        "at ",
        "File \"",
        "Traceback",
        "from /",
        "#0 ",
        "#1 ",
        "goroutine ",
        "Caused by:",
    ];
    starts.iter().any(|start| line.starts_with(start)) || line.starts_with("--->")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_classified() {
        let text = "Crash\n\n<!-- fill\nin -->\n### Describe the bug\nIt fails.\n```py\nx = 1\n```\n\
                    ### Versions\nPython 3.8\n- [x] I searched the issues\n### Parser of dates\nmore";
        let kinds: Vec<LineKind> = read(text).iter().map(|line| line.kind).collect();
        use LineKind::{Code, Environment, Nothing, Prose, Title};
        assert_eq!(
            kinds,
            [
                Title,
                Nothing,
                Nothing,
                Nothing,
                Nothing,
                Prose,
                Nothing,
                Code,
                Nothing,
                Nothing,
                Environment,
                Nothing,
                Prose,
                Prose
            ]
        );
    }
}
