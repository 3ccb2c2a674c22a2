//! Every setting, declared once. To add one, add a declaration here: its flag, environment
//! variable, position in the file, help, reference and schema follow.
//!
//! `-h` shows the first paragraph of a comment. `trust` limits a repository's own file: a setting
//! that names a path outside the repository, a program or a key, or that hides information from the
//! user, is `UserOnly`; a setting that could stall a run is `LowerOnly`.

use super::declare::settings;
use crate::Flag;
use crate::choices::{
    CacheCompression, CacheHash, ChunkStrategy, Color, Compress, Confidence, ContextStrategy,
    EmbeddingProvider, Fit, Format, MapAlgorithm, MapExtract, MapFormat, MapPreset, Preserved,
    SecretsMode,
};
use crate::value::{
    ByteSize, Extent, Globs, InputPath, OutputPath, Several, Threads, TokenCount, Weight,
};

settings! {
    /// Which files are read.
    scan: Scan {
        filters {
            /// Take only files that match GLOB, whatever the ignore files say.
            ///
            /// A glob as in `.gitignore`, with `{a,b}` besides: without a slash it
            /// matches names in any folder, with one it starts at the root of the
            /// repository; a folder stands for all that is in it.
            /// May be given several times, or with commas between globs. Among
            /// `--include` and `--exclude` the last one that matches a file
            /// decides; in a settings file excludes come after includes.
            include: Include, flag: Some(Flag::value("include", "GLOB")), trust: Anyone;

            /// Leave out files that match GLOB.
            ///
            /// May be given several times, or with commas between globs. Among
            /// `--include` and `--exclude` the last one that matches a file
            /// decides; in a settings file excludes come after includes.
            exclude: Exclude, flag: Some(Flag::value("exclude", "GLOB")), trust: Anyone;
        }

        /// Leave out what nobody wants to read.
        ///
        /// Build output, dependency folders, lock files, minified bundles and
        /// generated protocol code. `--no-default-ignore` reads them too.
        default_ignore: bool = true,
            flag: Some(Flag::off("no-default-ignore", "Read also what nobody wants to read")),
            trust: Anyone;

        /// Honour the ignore files.
        ///
        /// `.gitignore`, `.ignore` and `.infiniloomignore` in every folder, and
        /// git's own excludes. `--no-ignore` reads what they leave out.
        ignore_files: bool = true,
            flag: Some(Flag::off("no-ignore", "Read also what the ignore files leave out")),
            trust: Anyone;

        /// Leave out files larger than SIZE.
        ///
        /// Bytes, or a number with a unit: `500k` and `500kb` are 500,000 bytes,
        /// `10mb` is 10,000,000, `1gib` is 1,073,741,824. What is left out is
        /// counted and named.
        max_file_size: ByteSize = ByteSize::megabytes(32),
            flag: Some(Flag::value("max-file-size", "SIZE")), trust: LowerOnly;

        /// Take only files that changed since HEAD left REV.
        ///
        /// Without REV, or with `HEAD`: what is not committed, staged or not, and
        /// files that git does not track and does not ignore. Deleted files are
        /// named; the rest is counted. A word after `--changed` that is the name of
        /// a file or folder here is a path to pack: write `--changed=REV` for a
        /// revision of that name. Only the user may ask for it.
        changed: Option<String> = None,
            flag: Some(Flag::value("changed", "REV").or_bare("HEAD")), trust: UserOnly;
    }

    /// What a pack looks like and where it goes.
    pack: Pack {
        /// The form of the result.
        format: Format = Format::Xml,
            flag: Some(Flag::value("format", "FORMAT").short('f')), trust: Anyone;

        /// Let the template FILE write the whole result.
        ///
        /// A MiniJinja template; the guide on templates names what it is given. A
        /// relative path starts from the working directory. Only the user may name
        /// one: a template decides what the reader sees and is told.
        template: Option<InputPath> = None,
            flag: Some(Flag::value("template", "FILE").conflicts(&["pack.format"])),
            trust: UserOnly;

        /// Show TEXT in the head of the result, as the user's words.
        header: Option<String> = None, flag: Some(Flag::value("header", "TEXT")), trust: UserOnly;

        /// Show the text of FILE in the head of the result, as the user's instructions.
        ///
        /// At most 1 MiB. A relative path starts from the working directory. Only
        /// the user may name one: a repository must not speak in the user's name.
        instruction_file: Option<InputPath> = None,
            flag: Some(Flag::value("instruction-file", "FILE")), trust: UserOnly;

        /// Show the last N commits of the repository.
        ///
        /// Hash, author, date, message, and the files with added and removed lines.
        /// No addresses of authors.
        log: u32 = 0, flag: Some(Flag::value("log", "N")), trust: UserOnly;

        /// Show what changed in the working tree and is not staged.
        ///
        /// As a patch that `git apply` reads. Of files that are not packed only the
        /// names are shown.
        diff: bool = false, flag: Some(Flag::on("diff")), trust: UserOnly;

        /// Show what is staged, in the same way.
        staged: bool = false, flag: Some(Flag::on("staged")), trust: UserOnly;

        /// Show what changed since HEAD left REV, in the same way.
        ///
        /// The working tree against the merge base of REV and `HEAD`; files that git
        /// does not track count as new.
        since: Option<String> = None,
            flag: Some(Flag::value("since", "REV")), trust: UserOnly;

        /// Mark changed lines in the contents of files.
        ///
        /// Against the revision of `--changed` or `--since`, else against `HEAD`. The
        /// guide on changes says how to take the marks off again.
        highlight_changes: bool = false,
            flag: Some(Flag::on("highlight-changes")), trust: UserOnly;

        /// Put the result on the clipboard.
        ///
        /// Through the platform's program, over ssh through the terminal. Nothing
        /// goes to standard output then, unless `-o -` asks for it.
        copy: bool = false, flag: Some(Flag::on("copy")), trust: UserOnly;

        /// Write the result to FILE instead of standard output.
        ///
        /// The file appears whole or not at all. A relative path starts from the
        /// working directory, in a repository's file from its root. Empty text
        /// takes back what a file says.
        output: Option<OutputPath> = None,
            flag: Some(Flag::value("output", "FILE").short('o')), trust: InsideRepository;

        /// Put its number before every line.
        line_numbers: bool = false, flag: Some(Flag::on("line-numbers")), trust: Anyone;

        /// Leave out what a reader can miss.
        ///
        /// What is left out has a mark with its number of lines, in the comment form of
        /// the language. Strings and white space that mean something stay. `[[compress]]`
        /// in a settings file gives some files another level.
        compress: Compress = Compress::None,
            flag: Some(Flag::value("compress", "LEVEL")), trust: Anyone;

        /// Keep these kinds of text whatever the level, with commas between them.
        preserve: Several<Preserved> = Several::default(),
            flag: Some(Flag::value("preserve", "KINDS")), trust: Anyone;

        /// Take comments out, documentation too.
        ///
        /// What speaks to tools stays, and what `--preserve` names.
        remove_comments: bool = false, flag: Some(Flag::on("remove-comments")), trust: Anyone;

        /// Take blank lines out, and indentation where it means nothing.
        minify_whitespace: bool = false,
            flag: Some(Flag::on("minify-whitespace")), trust: Anyone;

        /// Cut a file that has more than N tokens after a line.
        ///
        /// With `--fit compress` it is compressed first.
        max_tokens_per_file: Option<TokenCount> = None,
            flag: Some(Flag::value("max-tokens-per-file", "N")), trust: Anyone;

        /// How to keep a budget: leave files out, or compress them first.
        ///
        /// `compress` takes every file at a lower level rather than a part of the files,
        /// and leaves files out only when the lowest level is too large.
        fit: Fit = Fit::Drop, flag: Some(Flag::value("fit", "HOW")), trust: Anyone;

        /// Keep the whole result within N tokens.
        ///
        /// A number, or one with `k` or `m`: `100k` is 100,000. What the reader wants
        /// most comes first: introductions, source, documents, tests, data. The last
        /// file may be cut at a line. What is left out is counted and named.
        budget: Option<TokenCount> = None,
            flag: Some(Flag::value("budget", "N").conflicts(&["pack.split"])), trust: Anyone;

        /// Write numbered parts of at most SIZE each.
        ///
        /// Tokens, `100k`, or bytes, `10mb`. Each part is a pack by itself. With `-o
        /// repo.xml` they are `repo.1.xml`, `repo.2.xml` and so on. A file goes on in
        /// the next part only where it is too large for one.
        split: Option<Extent> = None,
            flag: Some(Flag::value("split", "SIZE").conflicts(&["pack.copy"])), trust: UserOnly;

        /// Exit with 1 when the result has more than N tokens.
        ///
        /// It is written all the same.
        fail_over: Option<TokenCount> = None,
            flag: Some(Flag::value("fail-over", "N")), trust: Anyone;

        /// Write a JSON report of the run to FILE.
        ///
        /// It counts and names every file with its outcome. Relative paths start
        /// where those of `pack.output` do.
        report: Option<OutputPath> = None,
            flag: Some(Flag::value("report", "FILE")), trust: InsideRepository;

        /// Name the N largest files in the closing summary.
        top: u32 = 10, flag: Some(Flag::value("top", "N")), trust: Anyone;

        /// Show the tree with tokens in the closing summary.
        tree: bool = false, flag: Some(Flag::on("tree")), trust: Anyone;
    }

    /// How texts are cut into chunks.
    chunk: Chunk {
        /// Make chunks of at most N tokens.
        ///
        /// A number, or one with `k`: `8k` is 8,000. What stands before the text and
        /// what repeats the chunk before it count. At least 16.
        tokens: TokenCount = TokenCount::thousands(8),
            flag: Some(Flag::value("tokens", "N").short('t')), trust: Anyone;

        /// Repeat at most N tokens of the chunk before.
        ///
        /// Whole lines, messages or records; fewer where a function would have to be
        /// cut for them. Unless told otherwise a sixteenth of a chunk, at most 256, and
        /// nothing with the strategy `symbol`; 0 repeats nothing.
        overlap: Option<u32> = None,
            flag: Some(Flag::value("overlap", "N")), trust: Anyone;

        /// Where chunks end.
        ///
        /// Conversations are cut at messages and logs at records, whatever is chosen.
        strategy: ChunkStrategy = ChunkStrategy::Semantic,
            flag: Some(Flag::value("strategy", "STRATEGY").short('s')), trust: Anyone;
    }

    /// What a map shows, and what counts for it.
    map: Map {
        /// Make a map of at most N tokens.
        ///
        /// A number, or one with `k`. All that is written counts, and a map uses at
        /// least 95 % of it, unless there is no more to show.
        budget: TokenCount = TokenCount::thousands(2),
            flag: Some(Flag::value("budget", "N").short('b')), trust: Anyone;

        /// The form of the map.
        format: MapFormat = MapFormat::Xml,
            flag: Some(Flag::value("format", "FORMAT").short('f')), trust: Anyone;

        /// How files are ranked by who uses them.
        algorithm: MapAlgorithm = MapAlgorithm::Pagerank,
            flag: Some(Flag::value("algorithm", "NAME")), trust: Anyone;

        /// Show only these kinds, with commas between them; all of them unless told.
        extract: Several<MapExtract> = Several::default(),
            flag: Some(Flag::value("extract", "KINDS")), trust: Anyone;

        /// How much each factor of importance counts.
        ///
        /// The settings below replace single factors of it.
        factors: MapPreset = MapPreset::Default,
            flag: Some(Flag::value("factors", "PRESET")), trust: Anyone;

        /// How much it counts how often a symbol is used.
        reference_count: Option<Weight> = None, flag: None, trust: Anyone;

        /// How much the place of a file among those that use each other counts.
        import_centrality: Option<Weight> = None, flag: None, trust: Anyone;

        /// How much it counts how lately a file changed before the last commit.
        modification_recency: Option<Weight> = None, flag: None, trust: Anyone;

        /// How much the size of a file counts.
        file_size: Option<Weight> = None, flag: None, trust: Anyone;

        /// How much it counts that tests use a file.
        test_coverage: Option<Weight> = None, flag: None, trust: Anyone;
    }

    /// What a context holds: the code for one question.
    context: Context {
        /// Make a context of at most N tokens, the response's share taken off.
        ///
        /// A number, or one with `k`. All that is written counts, and at least 80 % of
        /// it is used, unless there is no more to show.
        budget: TokenCount = TokenCount::thousands(50),
            flag: Some(Flag::value("budget", "N").short('b')), trust: Anyone;

        /// Keep N tokens of the budget free for the response.
        reserve: Option<TokenCount> = None,
            flag: Some(Flag::value("reserve", "N")), trust: Anyone;

        /// The form of the context. `json` also tells how everything was ranked.
        format: Format = Format::Xml,
            flag: Some(Flag::value("format", "FORMAT").short('f')), trust: Anyone;

        /// Let only these reasons count, with commas between them.
        ///
        /// Unless told, all count but `graph_centrality` and `recency`.
        strategy: Several<ContextStrategy> = Several::default(),
            flag: Some(Flag::value("strategy", "REASONS")), trust: Anyone;

        /// Take at most N parts; as many as there is room for unless told.
        top: Option<u32> = None, flag: Some(Flag::value("top", "N")), trust: Anyone;

        /// Take only parts with at least this score.
        threshold: Option<Weight> = None,
            flag: Some(Flag::value("threshold", "SCORE")), trust: Anyone;
    }

    /// Who turns texts into vectors, for what is compared by meaning.
    embedding: Embedding {
        /// Who makes vectors.
        ///
        /// A service gets the texts of the parts that fit best, without secrets. Only the
        /// user may name one. Its key is taken from `INFINILOOM_EMBEDDING_KEY`, and that of
        /// OpenAI itself from `OPENAI_API_KEY` too.
        provider: EmbeddingProvider = EmbeddingProvider::BuiltIn, flag: None, trust: UserOnly;

        /// The model of the service, as the service names it.
        model: Option<String> = None, flag: None, trust: UserOnly;

        /// Where the service is, up to what is the same for all its endpoints.
        address: Option<String> = None, flag: None, trust: UserOnly;
    }

    /// What may leave the machine.
    privacy: Privacy {
        /// What to do about secrets in the files, in diffs and in messages.
        ///
        /// `redact` puts `[REDACTED:kind:number]` in their place, the same secret
        /// under the same number; `fail` writes nothing; `warn` leaves them and says
        /// where they are; `off` does not look. Only the user may choose: a
        /// repository must not open this gate.
        secrets: SecretsMode = SecretsMode::Redact,
            flag: Some(Flag::value("secrets", "MODE")), trust: UserOnly;
    }

    /// What is taken for a secret.
    secrets: Secrets {
        /// Report what is a secret with at least this confidence.
        confidence: Confidence = Confidence::Medium,
            flag: Some(Flag::value("confidence", "LEVEL")), trust: UserOnly;

        /// Leave alone the findings that the baseline FILE names.
        ///
        /// `infiniloom scan --write-baseline FILE` makes one.
        baseline: Option<InputPath> = None,
            flag: Some(Flag::value("baseline", "FILE")), trust: UserOnly;

        /// Do not look for secrets in files that match GLOB.
        ///
        /// Globs as for `--include`, with commas between them.
        allow: Globs = Globs::default(),
            flag: Some(Flag::value("allow-secrets-in", "GLOB")), trust: UserOnly;
    }

    /// The model that will read the result.
    model: Model {
        /// Count tokens for the model NAME, and warn past its window.
        ///
        /// `tokens` takes several, with commas between them. `infiniloom models` lists
        /// the known ones; others can be described in `[[models]]`.
        name: String = String::from("gpt-5"),
            flag: Some(Flag::value("model", "NAME").short('m')), trust: Anyone;

        /// Count by the vocabulary in FILE.
        ///
        /// For models whose vocabulary may not be shipped, which are estimated without
        /// it: the `tokenizer.model` or `tokenizer.json` of Llama or of Gemma up to 3, the
        /// `tiktoken.model` of Kimi, or the `tokenizer.json` of any model with a BPE
        /// tokenizer that is known. `infiniloom models NAME` says which file is needed.
        vocabulary: Option<InputPath> = None,
            flag: Some(Flag::value("vocabulary", "FILE")), trust: UserOnly;
    }

    /// Which symbols are listed.
    symbols: Symbols {
        /// Show what only the file or the type itself can use, too.
        private: bool = false, flag: Some(Flag::on("private")), trust: Anyone;

        /// Read minified and generated files, too.
        generated: bool = false, flag: Some(Flag::on("generated")), trust: Anyone;
    }

    /// What is said on standard error.
    ui: Ui {
        /// When to use colours.
        color: Color = Color::Auto, flag: Some(Flag::value("color", "WHEN")), trust: UserOnly;

        /// Say nothing but errors.
        quiet: bool = false,
            flag: Some(Flag::on("quiet").short('q').conflicts(&["ui.verbose"])), trust: UserOnly;

        /// Say more; given twice, still more.
        verbose: u8 = 0,
            flag: Some(Flag::on("verbose").short('v').conflicts(&["ui.quiet"])), trust: UserOnly;
    }

    /// What is remembered between runs.
    cache: Cache {
        /// Remember what was derived from files, so that the next run is quicker.
        ///
        /// Results are the same with and without it. It lies in the user's cache
        /// folder, never in a repository; `infiniloom cache` shows and removes it.
        enabled: bool = true,
            flag: Some(Flag::off("no-cache", "Neither use nor keep what was derived before")),
            trust: UserOnly;

        /// Remember it in the folder DIR.
        ///
        /// `$XDG_CACHE_HOME/infiniloom` or `~/.cache/infiniloom` unless told otherwise.
        dir: Option<InputPath> = None,
            flag: Some(Flag::value("cache-dir", "DIR")), trust: UserOnly;

        /// Let it grow to SIZE: what was not used for longest goes first.
        max_size: ByteSize = ByteSize::megabytes(2000), flag: None, trust: UserOnly;

        /// How it is made small.
        compression: CacheCompression = CacheCompression::Zstd, flag: None, trust: UserOnly;

        /// By what contents are known.
        hash: CacheHash = CacheHash::Blake3, flag: None, trust: UserOnly;
    }

    /// How the work is done.
    run: Run {
        /// Use N threads; 0 is one per core.
        ///
        /// The result is the same for every number.
        threads: Threads = Threads::ALL_CORES,
            flag: Some(Flag::value("threads", "N").short('j')), trust: Anyone;

        /// Use about SIZE of memory.
        ///
        /// A run keeps text between its two passes only within this limit, and moves long
        /// lists (the terms, embeddings and references of a context or map) to temporary
        /// files beside the cache. Each single file is held whole: `--max-file-size`
        /// bounds those.
        max_memory: ByteSize = ByteSize::megabytes(256),
            flag: Some(Flag::value("max-memory", "SIZE")), trust: LowerOnly;
    }
}
