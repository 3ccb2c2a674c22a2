//! What is said to a person on standard error: messages, warnings, hints, with
//! colours where they are wanted. A result on standard output has its own colours.

use std::io::{IsTerminal, Write};

use loom_base::printable;
use loom_settings::{Color, Ui as UiSettings};
use loom_wire::NoticeInfo;

use super::numbers::number;

/// How many names of each kind a brief summary gives.
pub(super) const NAMED: usize = 3;

/// The codes of remarks that say what to do, or what was not found.
const ADVICE: [&str; 8] = [
    "budget",
    "calls_cut",
    "general",
    "limit",
    "no_files",
    "no_such_name",
    "no_such_path",
    "private",
];

/// How to talk.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ui {
    color: bool,
    pub(super) quiet: bool,
    pub(super) verbose: u8,
}

impl Ui {
    pub(super) fn new(settings: &UiSettings) -> Self {
        Self {
            color: wants_color(settings.color, &std::io::stderr()),
            quiet: settings.quiet,
            verbose: settings.verbose,
        }
    }

    /// For text that goes to standard output.
    pub(super) fn on_standard_output(settings: &UiSettings) -> Self {
        Self {
            color: wants_color(settings.color, &std::io::stdout()),
            ..Self::new(settings)
        }
    }

    /// Before the settings are known.
    pub(super) fn fallback() -> Self {
        Self {
            color: wants_color(Color::Auto, &std::io::stderr()),
            quiet: false,
            verbose: 0,
        }
    }

    /// Without colours.
    pub(super) fn plain() -> Self {
        Self {
            color: false,
            quiet: false,
            verbose: 0,
        }
    }

    /// Whether a moving progress line makes sense.
    pub(super) fn shows_progress(self) -> bool {
        !self.quiet && std::io::stderr().is_terminal()
    }

    /// Something the user asked to know.
    pub(super) fn say(self, text: &str) {
        if !self.quiet {
            line(text);
        }
    }

    pub(super) fn warn(self, text: &str) {
        if !self.quiet {
            line(&format!("{}: {}", self.paint("33", "warning"), tame(text)));
        }
    }

    /// Shows the remarks of a result: files that are missing from it, what was not found, and
    /// what to look at. Of many files it names a few.
    pub(super) fn tell(self, notices: &[NoticeInfo]) {
        let (mut named, mut more) = (0, 0);
        for notice in notices {
            match (notice.code.as_str(), &notice.path, notice.count) {
                // The command tells of these as its flags ask for it.
                ("secrets" | "no_match" | "no_definition", ..) => {}
                (code, ..) if ADVICE.contains(&code) => self.hint(&notice.message),
                (_, _, Some(count)) => more += count,
                (_, Some(_), _) if named == NAMED => more += 1,
                (_, path, _) => {
                    named += usize::from(path.is_some());
                    self.warn(&notice.message);
                }
            }
        }
        if more > 0 {
            self.warn(&format!("{} more are left out", number(more)));
        }
    }

    pub(super) fn hint(self, text: &str) {
        if !self.quiet {
            self.show_hint(text);
        }
    }

    /// Shows a part of an error, also to those who asked for quiet.
    pub(super) fn show_error(self, text: &str) {
        line(&format!("{}: {}", self.paint("31;1", "error"), tame(text)));
    }

    /// Shows what to do about an error, also to those who asked for quiet.
    pub(super) fn show_hint(self, text: &str) {
        line(&format!("{}: {}", self.paint("36", "hint"), tame(text)));
    }

    pub(super) fn bold(self, text: &str) -> String {
        self.paint("1", text)
    }

    pub(super) fn dim(self, text: &str) -> String {
        self.paint("2", text)
    }

    /// The part of a line that was looked for.
    pub(super) fn found(self, text: &str) -> String {
        self.paint("1;31", text)
    }

    /// A path in an answer.
    pub(super) fn path(self, text: &str) -> String {
        self.paint("35", text)
    }

    /// The number of a line in an answer.
    pub(super) fn number(self, text: &str) -> String {
        self.paint("32", text)
    }

    /// Whether colours are used.
    pub(super) fn has_color(self) -> bool {
        self.color
    }

    fn paint(self, code: &str, text: &str) -> String {
        if self.color {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }
}

fn wants_color(color: Color, stream: &impl IsTerminal) -> bool {
    match color {
        Color::Always => true,
        Color::Never => false,
        _ => {
            let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
            let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
            stream.is_terminal() && !no_color && !dumb
        }
    }
}

/// What a message quotes may come from a repository: it must not steer the
/// terminal. Line ends of our own are kept.
fn tame(text: &str) -> String {
    let lines: Vec<_> = text.split('\n').map(printable).collect();
    lines.join("\n")
}

/// A closed standard error is no reason to fail.
fn line(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}
