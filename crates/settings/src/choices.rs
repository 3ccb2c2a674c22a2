//! The words that a setting can be set to, each with its help text.

use crate::value::choices;

choices! {
    /// Format of a pack.
    pub enum Format {
        /// XML that a strict parser reads, whatever the files contain.
        Xml = "xml",
        /// Markdown with fenced files.
        Markdown = "markdown",
        /// JSON for programs.
        Json = "json",
        /// YAML 1.2, contents in literal blocks.
        Yaml = "yaml",
        /// Plain text for people.
        Plain = "plain",
        /// The fewest tokens: contents as they are, one short line before each.
        Compact = "compact",
    }
}

choices! {
    /// Compression level of files.
    pub enum Compress {
        /// Nothing: the source as it is.
        None = "none",
        /// Space at line ends, runs of blank lines, licence headers.
        Minimal = "minimal",
        /// Also long bodies and data literals, and comments that say nothing.
        Balanced = "balanced",
        /// Signatures, documentation and types.
        Aggressive = "aggressive",
        /// One line a symbol.
        Extreme = "extreme",
    }
}

choices! {
    /// Parts that every compression level preserves.
    pub enum Preserved {
        /// Documentation of symbols.
        Docstrings = "docstrings",
        /// Definitions of types.
        Types = "types",
        /// Comments with `TODO`, `FIXME`, `HACK` or `XXX`.
        CommentsWithTodo = "comments_with_todo",
        /// All comments.
        Comments = "comments",
        /// Public functions, with their bodies.
        Public = "public",
        /// Tests, with their bodies.
        Tests = "tests",
        /// Imports.
        Imports = "imports",
        /// Data literals.
        Literals = "literals",
        /// The licence at the start of a file.
        Licence = "licence",
    }
}

choices! {
    /// Compression of the cache.
    pub enum CacheCompression {
        /// Zstandard: small.
        Zstd = "zstd",
        /// LZ4: quick.
        Lz4 = "lz4",
        /// As it is.
        None = "none",
    }
}

choices! {
    /// Hash function that identifies contents in the cache.
    pub enum CacheHash {
        /// BLAKE3.
        Blake3 = "blake3",
        /// SHA-256.
        Sha256 = "sha256",
        /// xxHash64: for repositories that nobody made to deceive it.
        Xxhash64 = "xxhash64",
    }
}

choices! {
    /// Method of fitting a pack into a budget.
    pub enum Fit {
        /// The files that are wanted least are left out.
        Drop = "drop",
        /// Files are compressed first, those that are wanted least the most.
        Compress = "compress",
    }
}

choices! {
    /// Effect of a rule on files.
    pub enum Action {
        /// Packs them as they are.
        Include = "include",
        /// Leaves them out.
        Exclude = "exclude",
        /// Packs them in another form.
        Transform = "transform",
    }
}

choices! {
    /// Transformation of a file.
    pub enum TransformName {
        /// The names of its tests.
        ExtractTestNames = "extract_test_names",
        /// Signatures, documentation and types.
        Signatures = "signatures",
        /// No comments.
        StripComments = "strip_comments",
        /// The first 40 lines.
        Head = "head",
        /// Keys and kinds of JSON, columns of CSV, no values.
        DataShape = "data_shape",
    }
}

choices! {
    /// Use of colour in messages.
    pub enum Color {
        /// When standard error is a terminal and `NO_COLOR` is not set.
        Auto = "auto",
        /// Always.
        Always = "always",
        /// Never.
        Never = "never",
    }
}

choices! {
    /// Handling of secrets.
    pub enum SecretsMode {
        /// Put a word in its place that says what it was.
        Redact = "redact",
        /// Write nothing, and exit with 1.
        Fail = "fail",
        /// Leave it, and say where it is.
        Warn = "warn",
        /// Do not look for any.
        Off = "off",
    }
}

choices! {
    /// Minimum confidence that text is a secret.
    pub enum Confidence {
        /// It has the form or the name of one; test values and examples too.
        Low = "low",
        /// It is most likely one.
        Medium = "medium",
        /// It has the form of one provider's secrets, or is a private key.
        High = "high",
    }
}

choices! {
    /// Boundaries of chunks.
    pub enum ChunkStrategy {
        /// Where functions, types and sections do: what fits is not cut.
        Semantic = "semantic",
        /// At lines, whatever they hold.
        Fixed = "fixed",
        /// Each function, and each type without functions, in a chunk of its own.
        Symbol = "symbol",
    }
}

choices! {
    /// Source of embeddings.
    pub enum EmbeddingProvider {
        /// The table that ships with the program; nothing is sent.
        BuiltIn = "built-in",
        /// A service that speaks as OpenAI's does.
        Openai = "openai",
        /// Ollama.
        Ollama = "ollama",
    }
}

choices! {
    /// Reason to select a part for a context.
    pub enum ContextStrategy {
        /// The words of the question are in it.
        Lexical = "lexical",
        /// It means what the question means, whatever the words.
        EmbeddingSimilarity = "embedding_similarity",
        /// What the file is about, in a few words, means what the question means.
        Summaries = "summaries",
        /// The question names it: its path, a definition, a frame, a quoted text.
        Mentions = "mentions",
        /// It calls, or is called by, what the question names.
        Calls = "calls",
        /// It changed for similar reasons, or together with what fits.
        History = "history",
        /// Much of the repository uses it.
        GraphCentrality = "graph_centrality",
        /// It changed lately.
        Recency = "recency",
        /// Tests that fit the question use it.
        TestAssociation = "test_association",
    }
}

choices! {
    /// Format of a map.
    pub enum MapFormat {
        /// XML: overview, key symbols, signatures, who uses whom.
        Xml = "xml",
        /// Markdown with the signatures in blocks.
        Markdown = "markdown",
        /// JSON for programs.
        Json = "json",
        /// Plain text, which takes the fewest tokens.
        Plain = "plain",
        /// A diagram of which files use which.
        Mermaid = "mermaid",
        /// A page for a browser: graph, hot files, tokens. The budget does not hold.
        Html = "html",
    }
}

choices! {
    /// Ranking of files by their references.
    pub enum MapAlgorithm {
        /// Important is what important files use.
        Pagerank = "pagerank",
        /// Important is what files use that use much of what is important.
        Hits = "hits",
        /// Important is what lies on the ways between others.
        Betweenness = "betweenness",
    }
}

choices! {
    /// Weights of the factors of importance.
    pub enum MapPreset {
        /// What measured best.
        Default = "default",
        /// References 0.4, centrality 0.2, recency 0.2, size 0.1, tests 0.1.
        Seed = "seed",
    }
}

choices! {
    /// Kinds of items in a map.
    pub enum MapExtract {
        /// Functions, methods and macros.
        Functions = "functions",
        /// Classes, structs and enumerations.
        Classes = "classes",
        /// Interfaces, traits and protocols.
        Interfaces = "interfaces",
        /// Aliases of types, tables.
        Types = "types",
        /// Constants and variables outside of functions.
        Constants = "constants",
        /// Which files use which.
        Imports = "imports",
    }
}
