//! White space that means nothing: at the ends of lines, in runs of blank lines, and
//! before lines. What means something differs between languages.

/// What may be done to the white space of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Space {
    /// Whether space at the end of a line goes.
    trailing: bool,
    /// How many blank lines may follow each other.
    pub(super) blank_lines: usize,
    /// The columns that one step of indentation has, where it is made smaller.
    step: Option<usize>,
}

/// One space for each step; deeper code is rare.
const STEPS: &str = "                                ";

impl Space {
    /// Nothing is done.
    pub(super) const KEPT: Self = Self {
        trailing: false,
        blank_lines: usize::MAX,
        step: None,
    };

    /// What is safe in a text of a language that was parsed.
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

    /// What is safe in a text that nobody parsed: little, because a line end may stand
    /// in a string.
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

    /// The same with no blank lines, and the least indentation where it means nothing.
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

    /// A line without the space at its end.
    pub(super) fn trimmed(self, line: &str) -> String {
        if !self.trailing {
            return line.to_owned();
        }
        let content = line.trim_end_matches(['\n', '\r']);
        let end = &line[content.len()..];
        let mut trimmed = content.trim_end_matches([' ', '\t']).to_owned();
        // A backslash before the end of a line joins it with the next.
        if trimmed.ends_with('\\') {
            return line.to_owned();
        }
        trimmed.push_str(end);
        trimmed
    }

    /// What stands before the text of a line in place of its indentation.
    pub(super) fn indent(self, line: &str) -> &'static str {
        let Some(step) = self.step else {
            return "";
        };
        let space = &line[..line.len() - self.unindented(line).len()];
        let tabs = space.matches('\t').count();
        let steps = tabs + (space.len() - tabs).div_ceil(step);
        &STEPS[..steps.min(STEPS.len())]
    }

    /// A line without its indentation, where that is made smaller.
    pub(super) fn unindented(self, line: &str) -> &str {
        match self.step {
            Some(_) => line.trim_start_matches([' ', '\t']),
            None => line,
        }
    }
}

/// The columns of one step: the least that a line is indented by, from two on.
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
