//! Sources, packers and answers for the tests.

use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use loom_host::{
    CacheOptions, Cancel, Detail, FileHits, FilterKind, IndexUse, LeftOut, NoProgress, PackOptions,
    PackRun, Packer, Progress, Query, QueryOptions, SearchOptions, SearchText, Searcher, Stage,
    Survey, Written,
};
use loom_testkit::{Run, Sandbox};

/// A password, assembled here so that this file contains none.
pub(crate) fn password() -> String {
    ["vK8#pq", "2Zr!xQ", "m7"].concat()
}

/// Another password.
pub(crate) fn other_password() -> String {
    ["hR7!mZ", "2qLp", "Ww8"].concat()
}

/// A token that any text shows to be one.
pub(crate) fn token() -> String {
    ["ghp_", "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx"].concat()
}

/// Opens the working directory of a sandbox.
pub(crate) fn packer(sandbox: &Sandbox, options: PackOptions) -> Packer {
    Packer::open(&[sandbox.work()], options).unwrap()
}

/// Returns options with a cache next to the working directory. New files are settled immediately.
pub(crate) fn cached(sandbox: &Sandbox) -> PackOptions {
    PackOptions {
        cache: Some(cache(&sandbox.path("../cache"))),
        ..PackOptions::default()
    }
}

/// Returns the options of a cache in a directory.
pub(crate) fn cache(folder: &Path) -> CacheOptions {
    CacheOptions {
        coarseness: Duration::ZERO,
        ..CacheOptions::new(Some(folder.to_owned()))
    }
}

pub(crate) fn survey(packer: &Packer) -> Survey {
    PackRun::new(packer, &NoProgress, &Cancel::new())
        .survey()
        .unwrap()
}

/// Writes a pack. Returns its text and its size.
pub(crate) fn write(packer: &Packer, survey: &Survey) -> (String, Written) {
    let mut out = Vec::new();
    let written = PackRun::new(packer, &NoProgress, &Cancel::new()).write(survey, &mut out);
    (String::from_utf8(out).unwrap(), written.unwrap())
}

/// Packs the working directory of a sandbox.
pub(crate) fn pack(sandbox: &Sandbox, options: PackOptions) -> String {
    let packer = packer(sandbox, options);
    write(&packer, &survey(&packer)).0
}

/// Returns the paths of a survey.
pub(crate) fn paths(survey: &Survey) -> Vec<String> {
    survey
        .files()
        .map(|file| file.path.display().into_owned())
        .collect()
}

/// Returns skipped paths with the kinds of their reasons.
pub(crate) fn reasons(left_out: &[LeftOut]) -> Vec<String> {
    let one = |left: &LeftOut| format!("{}: {}", left.path.display(), left.reason.kind());
    left_out.iter().map(one).collect()
}

/// Returns the files of a pack in JSON.
pub(crate) fn files_of(json: &str) -> BTreeMap<String, String> {
    let pack: serde_json::Value = serde_json::from_str(json).unwrap();
    let files = pack["files"].as_array().unwrap().iter();
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    let mut found: BTreeMap<String, String> = BTreeMap::new();
    for file in files {
        let path = found.entry(text(&file["path"])).or_default();
        path.push_str(&text(&file["content"]));
    }
    found
}

/// Returns filters that include or exclude globs.
pub(crate) fn filters(kind: FilterKind, globs: &[&str]) -> Vec<loom_host::Filter> {
    let filter = |glob: &&str| loom_host::Filter::new(kind, glob).unwrap();
    globs.iter().map(filter).collect()
}

pub(crate) fn open(packer: Packer, usage: IndexUse) -> Searcher {
    Searcher::open(Arc::new(packer), usage, &NoProgress, &Cancel::new()).unwrap()
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

/// Returns the lines that match a word.
pub(crate) fn lines(searcher: &Searcher, word: &str) -> Vec<String> {
    let query = Query::literal(word, &QueryOptions::default()).unwrap();
    let mut found = Vec::new();
    let each = |file: FileHits| {
        found.extend(shown(&file));
        ControlFlow::Continue(())
    };
    searcher
        .search(&query, &LINES, &Cancel::new(), each)
        .unwrap();
    found
}

/// Returns the lines of a result as text.
pub(crate) fn shown(file: &FileHits) -> Vec<String> {
    let line =
        |one: &loom_host::HitLine| format!("{}:{}:{}", file.path.display(), one.line, one.text);
    file.lines.iter().map(line).collect()
}

/// Returns all files below a directory, in order.
pub(crate) fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        match path.is_dir() {
            true => found.extend(files_below(&path)),
            false => found.push(path),
        }
    }
    found.sort();
    found
}

/// Returns true if a file below a directory contains these bytes.
pub(crate) fn holds(folder: &Path, needle: &str) -> bool {
    let has = |path: &PathBuf| {
        let bytes = fs::read(path).unwrap();
        bytes
            .windows(needle.len())
            .any(|part| part == needle.as_bytes())
    };
    files_below(folder).iter().any(has)
}

/// Runs one test of this program in a process with the home directory of a sandbox.
pub(crate) fn in_home(sandbox: &Sandbox, test: &str, variables: &[(&str, &str)]) -> Run {
    let mut command = sandbox.command(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--nocapture"]);
    command
        .env("LOOM_CHILD", test)
        .envs(variables.iter().copied());
    command.output().unwrap().into()
}

/// Returns true in the process that [`in_home`] starts for a test.
pub(crate) fn is_child(test: &str) -> bool {
    std::env::var("LOOM_CHILD").is_ok_and(|name| name == test)
}

/// Removes a file when the counting begins, and cancels after some files.
pub(crate) struct Meddling {
    pub(crate) remove: Option<PathBuf>,
    pub(crate) cancel: Cancel,
    pub(crate) left: AtomicUsize,
}

impl Meddling {
    /// Cancels after `count` files.
    pub(crate) fn cancelling(count: usize) -> Self {
        Self {
            remove: None,
            cancel: Cancel::new(),
            left: AtomicUsize::new(count),
        }
    }
}

impl Progress for Meddling {
    fn begin(&self, stage: Stage, _files: Option<usize>) {
        if stage == Stage::Count
            && let Some(path) = &self.remove
        {
            fs::remove_file(path).unwrap();
        }
    }

    fn advance(&self, _files: usize) {
        if self.left.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.cancel.cancel();
        }
    }
}

/// Numbers that look random and are the same in every run.
pub(crate) struct Chance(pub(crate) u64);

impl Chance {
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }
}
