//! Messages, warnings and hints on standard error, with colours if the terminal supports them.
//! Results on standard output have their own colours.

use std::io::{IsTerminal, Write};

use loom_base::printable;
use loom_settings::{Color, Ui as UiSettings};
use loom_wire::NoticeInfo;

use super::numbers::number;

/// Number of names of each kind in a brief summary.
pub(super) const NAMED: usize = 3;

/// Codes of notices that advise, or that report an empty result.
const ADVICE: [&str; 10] = [
    "budget",
    "calls_cut",
    "general",
    "limit",
    "no_files",
    "no_such_name",
    "no_such_path",
    "no_symbols",
    "private",
    "weak_match",
];

/// Options of messages.
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

    /// Returns the options for standard output.
    pub(super) fn on_standard_output(settings: &UiSettings) -> Self {
        Self {
            color: wants_color(settings.color, &std::io::stdout()),
            ..Self::new(settings)
        }
    }

    /// Returns the options before the settings are known.
    pub(super) fn fallback() -> Self {
        Self {
            color: wants_color(Color::Auto, &std::io::stderr()),
            quiet: false,
            verbose: 0,
        }
    }

    /// Removes the colours.
    pub(super) fn plain() -> Self {
        Self {
            color: false,
            quiet: false,
            verbose: 0,
        }
    }

    /// Returns true if standard error can show a progress line.
    pub(super) fn shows_progress(self) -> bool {
        !self.quiet && std::io::stderr().is_terminal()
    }

    /// Prints a message that the user requested.
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

    /// Shows the notices of a result: missing files, empty results and advice. Names only a few
    /// files.
    pub(super) fn tell(self, notices: &[NoticeInfo]) {
        let (mut named, mut more) = (0, 0);
        for notice in notices {
            match (notice.code.as_str(), &notice.path, notice.count) {
                // The command reports these itself, depending on its flags.
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

    /// Shows a part of an error, even with `--quiet`.
    pub(super) fn show_error(self, text: &str) {
        line(&format!("{}: {}", self.paint("31;1", "error"), tame(text)));
    }

    /// Shows the hint of an error, even with `--quiet`.
    pub(super) fn show_hint(self, text: &str) {
        line(&format!("{}: {}", self.paint("36", "hint"), tame(text)));
    }

    pub(super) fn bold(self, text: &str) -> String {
        self.paint("1", text)
    }

    pub(super) fn dim(self, text: &str) -> String {
        self.paint("2", text)
    }

    /// Paints the matching part of a line.
    pub(super) fn found(self, text: &str) -> String {
        self.paint("1;31", text)
    }

    /// Paints a path in a result.
    pub(super) fn path(self, text: &str) -> String {
        self.paint("35", text)
    }

    /// Paints a line number in a result.
    pub(super) fn number(self, text: &str) -> String {
        self.paint("32", text)
    }

    /// Returns true if colours are used.
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

/// Escapes control characters: a message may quote a repository, which must not control the
/// terminal. Newlines stay.
fn tame(text: &str) -> String {
    let lines: Vec<_> = text.split('\n').map(printable).collect();
    lines.join("\n")
}

/// Ignores a closed standard error.
fn line(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}
