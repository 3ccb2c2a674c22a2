//! Files in memory, as a caller provides them, and answers as text.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use loom_base::RepoPath;
use loom_lookup::{
    Calls, Code, CodeFiles, Definition, Detail, FileHits, Keep, KeptText, Navigate, Navigator,
    ParsedFile, PreparedSearch, SearchFiles, SearchOptions, SearchText, Searched, Target, Use,
    hide_names,
};
use loom_program::Resolver;
use loom_search::{Candidates, Program, Query, QueryOptions};
use loom_secrets::{Finding, Numbers, Replaced, Scanner, redact};
use loom_syntax::{Language, Limits, Structure, Symbol, extract};

/// A secret, assembled here so that this file contains none.
pub(crate) fn key() -> String {
    ["AKIA", "Z7QK3", "LTX5R", "VNMWPA"].concat()
}

/// Returns a path.
pub(crate) fn path(text: &str) -> RepoPath {
    RepoPath::new(text).unwrap()
}

/// Files in memory, ordered by path.
pub(crate) struct Files {
    files: Vec<(RepoPath, String)>,
    /// True if secrets are hidden.
    pub(crate) hides: bool,
    /// Number of texts that were read for navigation.
    pub(crate) reads: AtomicUsize,
    /// True if the time for reading is over.
    pub(crate) is_reading_over: AtomicBool,
    /// True if the answer is cancelled.
    pub(crate) is_stopped: AtomicBool,
}

impl Files {
    pub(crate) fn new<P: AsRef<str>, T: AsRef<str>>(files: &[(P, T)]) -> Self {
        let file = |(name, text): &(P, T)| (path(name.as_ref()), text.as_ref().to_owned());
        let mut files: Vec<_> = files.iter().map(file).collect();
        files.sort();
        Self {
            files,
            hides: true,
            reads: AtomicUsize::new(0),
            is_reading_over: AtomicBool::new(false),
            is_stopped: AtomicBool::new(false),
        }
    }

    fn language(&self, number: usize) -> Option<Language> {
        let (path, text) = &self.files[number];
        Language::detect(path, text)
    }

    fn containing(&self, name: &str) -> Vec<usize> {
        let has = |at: &usize| self.files[*at].1.contains(name);
        (0..self.files.len()).filter(has).collect()
    }

    fn scan(&self, number: usize) -> Vec<Finding> {
        let (path, text) = &self.files[number];
        Scanner::default().scan_file(&path.display(), text)
    }
}

impl SearchFiles for Files {
    fn path(&self, number: usize) -> &RepoPath {
        &self.files[number].0
    }

    fn text(&self, number: usize, _keep: Keep) -> Option<KeptText> {
        let text = &self.files[number].1;
        (!text.contains('\0')).then(|| KeptText::new(text.clone()))
    }

    fn findings(&self, number: usize, _kept: &KeptText) -> Vec<Finding> {
        self.scan(number)
    }

    fn without_secrets(&self, number: usize, kept: KeptText) -> KeptText {
        if !self.hides {
            return kept;
        }
        let plan = Replaced::plan(&kept.text, &self.scan(number), &mut Numbers::default());
        KeptText::new(redact(&kept.text, &plan))
    }

    fn hide_names(&self, number: usize, kept: &KeptText, symbols: &mut [Symbol]) {
        if self.hides {
            hide_names(symbols, &kept.text, &self.scan(number));
        }
    }

    fn hides(&self) -> bool {
        self.hides
    }

    fn symbols(&self, language: Language, text: &str) -> Vec<Symbol> {
        extract(language, text, &Limits::default()).symbols
    }
}

impl CodeFiles for &Files {
    fn count(&self) -> usize {
        self.files.len()
    }

    fn path(&self, number: usize) -> &RepoPath {
        &self.files[number].0
    }

    fn number_of(&self, path: &RepoPath) -> Option<usize> {
        self.files.binary_search_by(|(one, _)| one.cmp(path)).ok()
    }

    fn number_typed(&self, typed: &str) -> Option<usize> {
        self.files
            .iter()
            .position(|(one, _)| one.display() == typed)
    }

    fn naming(&self, name: &str) -> Vec<usize> {
        self.containing(name)
    }

    fn defining(&self, name: &str) -> Vec<usize> {
        self.containing(name)
    }

    fn code(&self, number: usize) -> Option<Code> {
        self.reads.fetch_add(1, Ordering::SeqCst);
        let (path, text) = &self.files[number];
        Some(Code {
            path: path.clone(),
            text: text.clone(),
            language: self.language(number),
            findings: self.scan(number),
            hides: self.hides,
        })
    }

    fn limits(&self) -> Limits {
        Limits {
            all: true,
            ..Limits::default()
        }
    }

    fn extract(&self, language: Language, text: &str, limits: &Limits) -> Structure {
        extract(language, text, limits)
    }

    fn parsing<T>(&self, _bytes: usize, work: impl FnOnce() -> T) -> T {
        work()
    }

    fn structures(&self, numbers: &[usize], mut each: impl FnMut(ParsedFile)) {
        for number in numbers {
            let (path, text) = &self.files[*number];
            if let Some(language) = self.language(*number) {
                each(ParsedFile {
                    path: path.clone(),
                    language,
                    structure: extract(language, text, &Limits::default()),
                });
            }
        }
    }

    fn resolver(&self) -> Resolver {
        let mut resolver = Resolver::new(self.files.iter().map(|(path, _)| path));
        for (path, text) in &self.files {
            if Resolver::is_manifest(path) {
                resolver.add_manifest(path, text);
            }
        }
        resolver
    }

    fn in_order<R: Send>(
        &self,
        count: usize,
        work: impl Fn(usize) -> R + Sync,
        take: impl FnMut(R),
    ) {
        (0..count).map(work).for_each(take);
    }

    fn is_reading_over(&self) -> bool {
        self.is_reading_over.load(Ordering::SeqCst)
    }

    fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::SeqCst)
    }

    fn has_deadline(&self) -> bool {
        false
    }
}

/// Answers a question of navigation: `def`, `refs`, `impls`, `callers` or `callees`, a target, and
/// for calls the number of steps.
pub(crate) fn ask(files: &Files, question: &str) -> String {
    answer(&Navigator::new(files, Default::default()), question)
}

/// Works like [`ask`] with a navigator that exists.
pub(crate) fn answer(navigator: &Navigator<&Files>, question: &str) -> String {
    let (kind, rest) = question.split_once(' ').unwrap();
    let (target, depth) = match rest.rsplit_once(" depth ") {
        Some((target, depth)) => (target, depth.parse().unwrap()),
        None => (rest, 1),
    };
    let of = navigator.definitions(&Target::parse(target).unwrap());
    match kind {
        "def" => of.iter().map(definition).collect(),
        "refs" => navigator.references(&of).iter().map(reference).collect(),
        "impls" => {
            let found = navigator.implementations(&of);
            found.iter().map(definition).collect()
        }
        "callers" => calls(&navigator.callers(&of, depth)),
        _ => calls(&navigator.callees(&of, depth)),
    }
}

fn definition(one: &Definition) -> String {
    let place = &one.place;
    let (kind, name) = (one.kind.name(), &one.qualified);
    let (line, column) = (place.line, place.column);
    format!(
        "{}:{line}:{column}: {kind} {name}  {}\n",
        place.path.display(),
        one.signature
    )
}

fn mark(certainty: loom_lookup::Certainty) -> &'static str {
    match certainty {
        loom_lookup::Certainty::Resolved => "",
        loom_lookup::Certainty::Possible => "(possible) ",
    }
}

fn reference(one: &Use) -> String {
    let (line, column) = (one.place.line, one.place.column);
    let certainty = mark(one.certainty);
    format!(
        "{}:{line}:{column}: {certainty}{}\n",
        one.place.path.display(),
        one.text
    )
}

fn calls(calls: &Calls) -> String {
    let call = |one: &loom_lookup::Call| {
        let (path, line, column) = (one.place.path.display(), one.place.line, one.place.column);
        let caller = one.caller.as_deref().unwrap_or("-");
        let (certainty, callee) = (mark(one.certainty), &one.callee);
        let indent = "  ".repeat(one.step - 1);
        format!("{indent}{path}:{line}:{column}: {certainty}{caller} -> {callee}\n")
    };
    calls.calls.iter().map(call).collect()
}

/// Checks the answer to a question about files.
#[track_caller]
pub(crate) fn check(files: &[(&str, &str)], question: &str, expected: &str) {
    assert_eq!(ask(&Files::new(files), question), expected, "{question}");
}

/// Options of a search for lines without context.
pub(crate) const LINES: SearchOptions = SearchOptions {
    detail: Detail::Lines {
        before: 0,
        after: 0,
    },
    symbols: false,
    limit: None,
    per_file: None,
    search_text: SearchText::Raw,
};

/// Runs a query on all files. Returns the results and the totals.
pub(crate) fn search(
    files: &Files,
    query: &str,
    options: SearchOptions,
) -> (Vec<FileHits>, Searched) {
    let language = |name: &str| Language::from_id(name).map(|one| one.id().to_owned());
    let query_options = QueryOptions {
        language: &language,
        ..QueryOptions::default()
    };
    let query = Query::parse(query, &query_options).unwrap();
    let prepared = PreparedSearch {
        files,
        program: Program::new(&query).unwrap(),
        plan: Candidates::new(&query),
        options,
        keep: Keep::No,
    };
    let (mut hits, mut totals) = (Vec::new(), Searched::default());
    let mut emit = |one: FileHits| {
        hits.push(one);
        ControlFlow::Continue(())
    };
    for number in 0..files.files.len() {
        let outcome = prepared.file(number);
        if prepared
            .hand_out(number, outcome, &mut totals, &mut emit)
            .is_break()
        {
            break;
        }
    }
    (hits, totals)
}

/// Returns the lines of results, context lines with `-`.
pub(crate) fn shown(hits: &[FileHits]) -> Vec<String> {
    let of = |file: &FileHits| {
        let path = file.path.display().into_owned();
        let line = move |one: &loom_lookup::HitLine| {
            let sign = if one.is_match { ':' } else { '-' };
            format!("{path}{sign}{}{sign}{}", one.line, one.text)
        };
        file.lines.iter().map(line).collect::<Vec<_>>()
    };
    hits.iter().flat_map(of).collect()
}
