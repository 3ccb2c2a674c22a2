//! Markers for elided parts: the number of lines, in the comment form of the language.

/// Comment syntax of a language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CommentForm {
    /// `//` and `/* */`.
    Slashes,
    /// `#` until the end of the line.
    Hash,
    /// `--` until the end of the line.
    Dashes,
    /// Only `/* */`.
    Block,
    /// `<!-- -->`.
    Angle,
    /// `;` until the end of the line.
    Semicolon,
    /// `%` until the end of the line.
    Percent,
    /// No comments: the marker is a string in the data.
    Data,
    /// No comments: the marker is a separate line.
    Bare,
}

impl CommentForm {
    /// Returns the form of a language, by its identifier.
    pub(super) fn for_language(id: &str) -> Self {
        match id {
            "c" | "cpp" | "csharp" | "go" | "java" | "javascript" | "jsx" | "kotlin" | "php"
            | "rust" | "scala" | "swift" | "tsx" | "typescript" | "cuda" | "d" | "dart"
            | "fsharp" | "glsl" | "groovy" | "hlsl" | "less" | "scss" | "objc" | "odin"
            | "proto" | "solidity" | "v" | "vala" | "verilog" | "wgsl" | "zig" | "gomod"
            | "gleam" | "prisma" | "assembly" | "pascal" | "typst" => Self::Slashes,
            "sql" | "lua" | "haskell" | "elm" | "ada" | "vhdl" => Self::Dashes,
            "css" | "ocaml" => Self::Block,
            "html" | "vue" | "svelte" | "markdown" | "mdx" | "xml" | "svg" => Self::Angle,
            "lisp" | "clojure" | "scheme" | "racket" => Self::Semicolon,
            "latex" | "bibtex" | "erlang" | "matlab" | "prolog" => Self::Percent,
            "json" => Self::Data,
            "text" | "rst" | "log" | "csv" | "tsv" | "jsonl" | "diff" | "jupyter" => Self::Bare,
            _ => Self::Hash,
        }
    }

    /// Returns a marker that takes the rest of its line.
    pub(super) fn line(self, lines: usize) -> String {
        self.whole_line(words(lines))
    }

    /// Returns a marker that takes the rest of its line, for parts of that number of lines.
    #[cfg(feature = "grammars")]
    pub(super) fn parts(self, lines: usize) -> String {
        let lines = if lines == 1 {
            "1 line".to_owned()
        } else {
            format!("{lines} lines")
        };
        self.whole_line(format!("… parts of {lines}"))
    }

    /// Returns a marker for lines in a language that cannot be parsed.
    pub(super) fn unread(self, lines: usize, language: &str) -> String {
        self.whole_line(format!(
            "{} of {language} that cannot be read",
            words(lines)
        ))
    }

    fn whole_line(self, words: String) -> String {
        match self {
            Self::Slashes => format!("// {words}"),
            Self::Hash => format!("# {words}"),
            Self::Dashes => format!("-- {words}"),
            Self::Semicolon => format!("; {words}"),
            Self::Percent => format!("% {words}"),
            Self::Block | Self::Angle | Self::Data => self.within_line(words),
            Self::Bare => words,
        }
    }

    /// Returns a marker after which the line may continue, if the language supports it.
    pub(super) fn inline(self, lines: usize) -> String {
        self.within_line(words(lines))
    }

    fn within_line(self, words: String) -> String {
        match self {
            Self::Slashes | Self::Block => format!("/* {words} */"),
            Self::Angle => format!("<!-- {words} -->"),
            Self::Data => format!("\"{words}\""),
            _ => self.whole_line(words),
        }
    }

    /// Returns whether a marker of a whole line ends the line.
    #[cfg(feature = "grammars")]
    pub(super) fn ends_line(self) -> bool {
        !matches!(self, Self::Block | Self::Angle | Self::Data)
    }
}

fn words(lines: usize) -> String {
    match lines {
        1 => "… 1 line".to_owned(),
        lines => format!("… {lines} lines"),
    }
}
