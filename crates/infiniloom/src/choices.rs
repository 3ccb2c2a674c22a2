//! The words that callers choose between. Each has the name of its setting's value.

use std::fmt;
use std::str::FromStr;

use crate::Error;

macro_rules! choices {
    ($($(#[$doc:meta])* $choice:ident($what:literal) {
        $($(#[$about:meta])* $variant:ident = $name:literal,)+
    })+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $choice {
            $($(#[$about])* $variant,)+
        }

        impl $choice {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The name, as in settings and on the command line.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }
        }

        impl fmt::Display for $choice {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str(self.name())
            }
        }

        impl FromStr for $choice {
            type Err = Error;

            fn from_str(text: &str) -> Result<Self, Error> {
                let found = Self::ALL.iter().find(|one| one.name() == text);
                found.copied().ok_or_else(|| {
                    let names: Vec<&str> = Self::ALL.iter().map(|one| one.name()).collect();
                    let names = names.join(", ");
                    Error::invalid("unknown_value", format!("unknown {} {text:?}", $what))
                        .with_hint(format!("expected one of {names}"))
                })
            }
        }
    )+};
}

choices! {
    /// A format of output. Each query and result has some of them, and refuses the others.
    Format("format") {
        /// XML with escaped or quoted contents.
        Xml = "xml",
        /// Markdown with fenced code.
        Markdown = "markdown",
        /// JSON for programs.
        Json = "json",
        /// YAML.
        Yaml = "yaml",
        /// Text without markup.
        Plain = "plain",
        /// The markup with the fewest tokens.
        Compact = "compact",
        /// A diagram in Mermaid.
        Mermaid = "mermaid",
        /// A page for a browser.
        Html = "html",
        /// SARIF 2.1.0, for findings.
        Sarif = "sarif",
    }

    /// How much of a text compression elides.
    Level("level") {
        /// Nothing.
        None = "none",
        /// White space and licences.
        Minimal = "minimal",
        /// Long bodies and literals, too.
        Balanced = "balanced",
        /// All bodies; signatures and documentation stay.
        Aggressive = "aggressive",
        /// All but one line for each symbol.
        Extreme = "extreme",
    }

    /// A kind of text that compression keeps whatever the level.
    Preserve("kind of text") {
        /// Documentation of symbols.
        Docstrings = "docstrings",
        /// Definitions of types.
        Types = "types",
        /// Comments such as `TODO` and `FIXME`.
        CommentsWithTodo = "comments_with_todo",
        /// All comments.
        Comments = "comments",
        /// Public functions with their bodies.
        Public = "public",
        /// Tests with their bodies.
        Tests = "tests",
        /// Imports.
        Imports = "imports",
        /// Data literals.
        Literals = "literals",
        /// The licence at the start of a file.
        Licence = "licence",
    }

    /// How a pack fits into its budget.
    Fit("fit") {
        /// Skips the files that have no room.
        Drop = "drop",
        /// Compresses files before it skips any.
        Compress = "compress",
    }

    /// How ranked search orders files for the words of a question.
    Ranking("ranking") {
        /// By words, names, definitions and importance.
        CodeAware = "code_aware",
        /// By BM25.
        Bm25 = "bm25",
        /// By term frequency and inverse document frequency.
        TfIdf = "tfidf",
    }

    /// The units that a search by meaning compares.
    Granularity("granularity") {
        /// Files.
        File = "file",
        /// Classes and other types.
        Class = "class",
        /// Functions.
        Function = "function",
        /// Parts of files.
        Chunk = "chunk",
    }

    /// Whether a search distinguishes upper and lower case.
    Case("case") {
        /// It does.
        Sensitive = "sensitive",
        /// It does not.
        Insensitive = "insensitive",
        /// It does if the pattern has an upper-case letter.
        Smart = "smart",
    }

    /// The order of the files that a search finds.
    Sort("order") {
        /// By path.
        Path = "path",
        /// The best match first.
        Score = "score",
    }

    /// Where chunks end.
    Boundary("boundary") {
        /// Where the text has a seam: definitions, sections, messages, records.
        Semantic = "semantic",
        /// At lines.
        Fixed = "fixed",
        /// At definitions, one or more whole ones in a chunk.
        Symbol = "symbol",
    }

    /// A reason for which a context selects code.
    Signal("signal") {
        /// Words of the query in text, names and paths.
        Lexical = "lexical",
        /// Closeness in meaning.
        EmbeddingSimilarity = "embedding_similarity",
        /// Closeness of summaries.
        Summaries = "summaries",
        /// Paths, stack frames and definitions that the query names.
        Mentions = "mentions",
        /// Calls from and to selected code.
        Calls = "calls",
        /// Files that changed together.
        History = "history",
        /// Importance among all files.
        GraphCentrality = "graph_centrality",
        /// The time since the last change.
        Recency = "recency",
        /// Tests of selected code, and code of selected tests.
        TestAssociation = "test_association",
    }

    /// How a map ranks files by the references between them.
    Algorithm("algorithm") {
        /// PageRank.
        Pagerank = "pagerank",
        /// HITS authority.
        Hits = "hits",
        /// Betweenness.
        Betweenness = "betweenness",
    }

    /// The subject of a diagram.
    Diagram("diagram") {
        /// Types, their members and their relations.
        Classes = "classes",
        /// Directories that import each other.
        Modules = "modules",
    }

    /// How a search uses the index.
    IndexUse("use of the index") {
        /// The index in the cache is used if there is one; it then learns new contents, if they are
        /// at most 100. Other contents are read. Without a cache every file is read.
        Auto = "auto",
        /// After it was brought up to date.
        Update = "update",
        /// Not at all: every file is read.
        Off = "off",
    }

    /// What is done about secrets.
    Secrets("mode") {
        /// Replaces each by a placeholder with its kind.
        Redact = "redact",
        /// Refuses the result.
        Fail = "fail",
        /// Shows them, with a notice.
        Warn = "warn",
        /// Does not look for any.
        Off = "off",
    }

    /// The least confidence of a finding.
    Confidence("confidence") {
        /// Reports guesses, too.
        Low = "low",
        /// Reports likely secrets.
        Medium = "medium",
        /// Reports certain secrets.
        High = "high",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_settings() {
        let setting = |key: &str| {
            let setting = loom_settings::setting(key).unwrap();
            match setting.shape {
                loom_settings::Shape::Choice(all) | loom_settings::Shape::Words(all) => {
                    all.iter().map(|one| one.name).collect::<Vec<_>>()
                }
                _ => Vec::new(),
            }
        };
        fn names<T: Copy>(all: &[T], name: fn(T) -> &'static str) -> Vec<&'static str> {
            all.iter().map(|one| name(*one)).collect()
        }
        assert_eq!(names(Level::ALL, Level::name), setting("pack.compress"));
        assert_eq!(
            names(Preserve::ALL, Preserve::name),
            setting("pack.preserve")
        );
        assert_eq!(names(Fit::ALL, Fit::name), setting("pack.fit"));
        assert_eq!(
            names(Boundary::ALL, Boundary::name),
            setting("chunk.strategy")
        );
        assert_eq!(
            names(Signal::ALL, Signal::name),
            setting("context.strategy")
        );
        assert_eq!(
            names(Algorithm::ALL, Algorithm::name),
            setting("map.algorithm")
        );
        assert_eq!(
            names(Secrets::ALL, Secrets::name),
            setting("privacy.secrets")
        );
        let formats = names(Format::ALL, Format::name);
        for key in ["pack.format", "context.format", "map.format"] {
            let known = setting(key);
            assert!(!known.is_empty());
            assert!(known.iter().all(|name| formats.contains(name)), "{key}");
        }
    }

    #[test]
    fn unknown_word_names_the_known_ones() {
        let error = "loud".parse::<Level>().unwrap_err();
        assert_eq!(error.code(), "unknown_value");
        assert_eq!(error.to_string(), "unknown level \"loud\"");
        assert!(error.hint().unwrap().contains("aggressive"));
        for level in Level::ALL {
            assert_eq!(level.to_string().parse::<Level>().unwrap(), *level);
        }
    }
}
