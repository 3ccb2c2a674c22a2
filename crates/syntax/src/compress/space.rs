//! White space without a meaning: at the ends of lines, in runs of blank lines, and in indentation.
//! Significant white space differs between languages.

/// Permitted changes to the white space of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Space {
    /// True to remove trailing space.
    trailing: bool,
    /// Maximum number of consecutive blank lines.
    pub(super) blank_lines: usize,
    /// Width of an indentation step, if indentation is reduced.
    step: Option<usize>,
}

/// One tab per step; deeper code is rare.
const STEPS: &str = "                                ";

impl Space {
    /// No changes.
    pub(super) const KEPT: Self = Self {
        trailing: false,
        blank_lines: usize::MAX,
        step: None,
    };

    /// Returns the safe changes for a text that was parsed.
    #[cfg(feature = "grammars")]
    pub(super) fn of_grammar(id: &str, text: &str) -> Self {
        match id {
            // Two spaces at the end of a line are a line break.
            "markdown" => Self {
                blank_lines: 1,
                ..Self::KEPT
            },
            // Blank lines after a block that keeps them belong to it.
            "yaml" if text.contains("|+") || text.contains(">+") => Self::KEPT,
            "html" | "vue" | "svelte" if has_preformatted(text) => Self::KEPT,
            _ => Self::ONE,
        }
    }

    #[cfg(feature = "grammars")]
    const ONE: Self = Self {
        trailing: true,
        blank_lines: 1,
        step: None,
    };

    /// Returns the safe changes for a text that was not parsed: few, because a newline may be
    /// inside a string.
    pub(super) fn of_lines(id: Option<&str>) -> Self {
        let (trailing, blank_lines) = match id {
            Some(
                "rst" | "proto" | "scss" | "less" | "ini" | "kconfig" | "gomod" | "assembly"
                | "ada" | "fortran" | "verilog" | "vhdl" | "pascal" | "glsl" | "hlsl" | "wgsl"
                | "prisma" | "cuda" | "solidity" | "meson",
            ) => (true, 1),
            // Space may be part of a value or a name; lines are not.
            Some("text" | "gitignore" | "makefile" | "dockerfile" | "just") => (false, 1),
            _ => (false, usize::MAX),
        };
        Self {
            trailing,
            blank_lines,
            step: None,
        }
    }

    /// Removes blank lines, and reduces indentation to the minimum if it has no meaning.
    #[must_use]
    pub(super) fn minified(mut self, id: &str, text: &str) -> Self {
        if self.blank_lines == usize::MAX {
            return self;
        }
        self.blank_lines = usize::from(id == "markdown" || id == "text" || id == "rst");
        let is_free = matches!(
            id,
            "c" | "cpp"
                | "csharp"
                | "css"
                | "go"
                | "java"
                | "javascript"
                | "json"
                | "jsx"
                | "kotlin"
                | "php"
                | "rust"
                | "sql"
                | "swift"
                | "tsx"
                | "typescript"
        );
        self.step = is_free.then(|| step_of(text));
        self
    }

    /// Removes the trailing space of a line.
    pub(super) fn trimmed(self, line: &str) -> String {
        if !self.trailing {
            return line.to_owned();
        }
        let content = line.trim_end_matches(['\n', '\r']);
        let end = &line[content.len()..];
        let mut trimmed = content.trim_end_matches([' ', '\t']).to_owned();
        // A backslash before the newline joins the line with the next.
        if trimmed.ends_with('\\') {
            return line.to_owned();
        }
        trimmed.push_str(end);
        trimmed
    }

    /// Returns the new indentation of a line.
    pub(super) fn indent(self, line: &str) -> &'static str {
        let Some(step) = self.step else {
            return "";
        };
        let space = &line[..line.len() - self.unindented(line).len()];
        let tabs = space.matches('\t').count();
        let steps = tabs + (space.len() - tabs).div_ceil(step);
        &STEPS[..steps.min(STEPS.len())]
    }

    /// Removes the indentation of a line, if it is reduced.
    pub(super) fn unindented(self, line: &str) -> &str {
        match self.step {
            Some(_) => line.trim_start_matches([' ', '\t']),
            None => line,
        }
    }
}

/// Returns the width of one step: the smallest indentation of at least two columns.
fn step_of(text: &str) -> usize {
    let columns = text
        .lines()
        .map(|line| line.len() - line.trim_start_matches(' ').len());
    columns.filter(|columns| *columns >= 2).min().unwrap_or(4)
}

#[cfg(feature = "grammars")]
fn has_preformatted(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    ["<pre", "<textarea", "pre-wrap"]
        .iter()
        .any(|mark| lower.contains(mark))
}
