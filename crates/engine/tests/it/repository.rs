//! Small repositories written as one text, and linked in memory as a caller links files.

use loom_base::{ContentHash, InMemory, RepoPath};
use loom_engine::context::{Corpus, CorpusBuilder, Cut};
use loom_engine::map::{MapFile, SymbolGraph, flows};
use loom_engine::{FileMeta, describe};
use loom_models::{Tokenizer, Vocabulary};
use loom_program::{FileId, Program, ProgramBuilder, Resolver};
use loom_syntax::{Import, Language, Limits, Structure, extract};

pub(crate) const TOKENIZER: Tokenizer = Tokenizer::Exact(Vocabulary::O200kBase);

/// Splits a text into files. A line `=== PATH` starts each of them.
pub(crate) fn files(text: &str) -> Vec<(String, String)> {
    let mut files: Vec<(String, String)> = Vec::new();
    for line in text.split_inclusive('\n') {
        match line.strip_prefix("=== ") {
            Some(path) => files.push((path.trim_end().to_owned(), String::new())),
            None => files.last_mut().unwrap().1.push_str(line),
        }
    }
    files
}

pub(crate) fn path(text: &str) -> RepoPath {
    RepoPath::new(text).unwrap()
}

pub(crate) fn meta(name: &str, text: &str) -> FileMeta {
    describe(
        path(name),
        text,
        ContentHash::from_bytes([0; 32]),
        TOKENIZER,
    )
}

pub(crate) fn tokens(text: &str) -> usize {
    TOKENIZER.count(text).upper()
}

/// A file that was read.
struct Source {
    path: RepoPath,
    language: Option<Language>,
    structure: Structure,
    lines: usize,
}

fn read(files: &[(String, String)]) -> Vec<Source> {
    let read_one = |(name, text): &(String, String)| {
        let path = path(name);
        let language = Language::detect(&path, text);
        let structure = language.map(|language| extract(language, text, &Limits::default()));
        Source {
            path,
            language,
            structure: structure.unwrap_or_default(),
            lines: text.lines().count(),
        }
    };
    files.iter().map(read_one).collect()
}

fn program(sources: &[Source]) -> Program {
    let paths: Vec<RepoPath> = sources.iter().map(|one| one.path.clone()).collect();
    let mut resolver = Resolver::new(&paths);
    let mut builder = ProgramBuilder::default();
    let known = || sources.iter().filter_map(|one| Some((one, one.language?)));
    for (one, language) in known() {
        resolver.add_file(&one.path, language, &one.structure);
        builder.add_file(&one.path, language, &one.structure);
    }
    for (one, language) in known() {
        let resolve = |import: &Import| {
            let resolution = resolver.resolve(&one.path, language, import);
            (import.clone(), resolution)
        };
        let imports: Vec<_> = one.structure.imports.iter().map(resolve).collect();
        builder.add_imports(&one.path, &imports);
    }
    builder.finish().unwrap()
}

/// Builds the corpus of the files.
pub(crate) fn corpus(files: &[(String, String)]) -> Corpus {
    let sources = read(files);
    let mut builder = CorpusBuilder::new(&InMemory);
    for (one, (_, text)) in sources.iter().zip(files) {
        builder.add(&one.path, one.language, &Cut::of(text, &one.structure));
    }
    builder.finish(program(&sources)).unwrap()
}

/// Links the files for a map.
pub(crate) fn linked(files: &[(String, String)]) -> SymbolGraph {
    let sources = read(files);
    let program = program(&sources);
    let known = sources.iter().filter(|one| one.language.is_some());
    let map_file =
        |one: &Source| MapFile::new(one.path.clone(), one.language, one.lines, &one.structure);
    let files: Vec<MapFile> = known.map(map_file).collect();
    let ids = 0..u32::try_from(files.len()).unwrap();
    let flows = ids.map(|at| flows(&program, FileId(at))).collect();
    SymbolGraph::new(program, files, flows)
}

/// Splits a text into parts. Also returns its structure.
pub(crate) fn cut(name: &str, text: &str) -> (Cut, Structure) {
    let mut sources = read(&[(name.to_owned(), text.to_owned())]);
    let structure = sources.remove(0).structure;
    (Cut::of(text, &structure), structure)
}
