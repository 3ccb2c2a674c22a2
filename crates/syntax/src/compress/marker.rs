//! The marks that stand where something was left out: so many lines, in the comment
//! form of the language.

/// How a language writes comments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// `//` and `/* */`.
    Slashes,
    /// `#` to the end of the line.
    Hash,
    /// `--` to the end of the line.
    Dashes,
    /// `/* */` alone.
    Block,
    /// `<!-- -->`.
    Angle,
    /// `;` to the end of the line.
    Semicolon,
    /// `%` to the end of the line.
    Percent,
    /// None: the mark is a text among the data.
    Data,
    /// None: the mark is a line of its own.
    Bare,
}

impl Form {
    /// The form of a language, by its identifier.
    pub(super) fn of(id: &str) -> Self {
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

    /// A mark that takes the rest of its line.
    pub(super) fn line(self, lines: usize) -> String {
        self.whole_line(words(lines))
    }

    /// A mark that takes the rest of its line, for parts of so many lines.
    #[cfg(feature = "grammars")]
    pub(super) fn parts(self, lines: usize) -> String {
        let lines = if lines == 1 {
            "1 line".to_owned()
        } else {
            format!("{lines} lines")
        };
        self.whole_line(format!("… parts of {lines}"))
    }

    /// A mark for lines of that language which cannot be read.
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

    /// A mark after which the line may go on, where the language has one.
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

    /// Whether a mark of a whole line ends the line.
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
