//! Where the pieces of an answer come from, told as ids by which they can be asked for again.

use std::collections::HashMap;

use infiniloom::Model;
use serde_json::json;

/// Where a piece comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Source {
    pub(crate) path: String,
    /// The first and the last line; none where only the file is named.
    pub(crate) lines: Option<(usize, usize)>,
}

impl Source {
    pub(crate) fn lines(path: impl Into<String>, first: usize, last: usize) -> Self {
        Self {
            path: path.into(),
            lines: Some((first, last)),
        }
    }

    pub(crate) fn file(path: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            lines: None,
        }
    }

    /// The address by which the piece can be asked for again.
    fn id(&self) -> String {
        match self.lines {
            Some((first, last)) => format!("{}:{first}-{last}", self.path),
            None => self.path.clone(),
        }
    }

    /// Whether `next` begins where this one ends or within it.
    fn goes_on_in(&self, next: &Self) -> bool {
        match (self.lines, next.lines) {
            (Some((first, last)), Some((begin, _))) => {
                self.path == next.path && first <= begin && begin <= last + 1
            }
            _ => false,
        }
    }
}

/// Sources with lines that follow each other as one, each once.
pub(crate) fn joined<'a>(sources: impl Iterator<Item = &'a Source>) -> Vec<Source> {
    let mut joined: Vec<Source> = Vec::new();
    for source in sources {
        let last = joined.last_mut().filter(|last| last.goes_on_in(source));
        if let Some(last) = last {
            let ends = [last.lines, source.lines].into_iter().flatten();
            let end = ends.map(|(_, end)| end).max();
            last.lines = last.lines.zip(end).map(|((first, _), end)| (first, end));
        } else if !joined.contains(source) {
            joined.push(source.clone());
        }
    }
    joined
}

/// Sources within so many tokens, and how many are left out: where there are too many, one
/// for each file, and then the first of those. All of them stand in the text too.
pub(crate) fn fit_sources(
    sources: Vec<Source>,
    limit: usize,
    model: &Model,
) -> (Vec<String>, usize) {
    let ids = |sources: &[Source]| sources.iter().map(Source::id).collect::<Vec<_>>();
    let fits = |ids: &[String]| model.count(&json!(ids).to_string()).upper() <= limit;
    let all = ids(&sources);
    if fits(&all) {
        return (all, 0);
    }
    let mut files = ids(&by_file(sources));
    let is_first = |kept: usize| fits(&files[..kept]);
    let (mut low, mut high) = (0, files.len());
    while low < high {
        let middle = low + (high - low).div_ceil(2);
        match is_first(middle) {
            true => low = middle,
            false => high = middle - 1,
        }
    }
    let left_out = files.len() - low;
    files.truncate(low);
    (files, left_out)
}

/// One source for each file: from its first line to its last.
fn by_file(sources: Vec<Source>) -> Vec<Source> {
    let mut files: Vec<Source> = Vec::new();
    let mut places = HashMap::new();
    for source in sources {
        let place = *places.entry(source.path.clone()).or_insert(files.len());
        let Some(known) = files.get_mut(place) else {
            files.push(source);
            continue;
        };
        known.lines = match (known.lines, source.lines) {
            (Some((first, last)), Some((begin, end))) => Some((first.min(begin), last.max(end))),
            (one, other) => one.or(other),
        };
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_told_once() {
        let sources = [
            Source::lines("a", 1, 2),
            Source::lines("a", 3, 3),
            Source::lines("b", 1, 9),
            Source::lines("b", 4, 5),
            Source::file("c"),
            Source::lines("a", 1, 3),
            Source::file("c"),
        ];
        let ids: Vec<String> = joined(sources.iter()).iter().map(Source::id).collect();
        assert_eq!(ids, ["a:1-3", "b:1-9", "c"]);
    }

    #[test]
    fn too_many_sources_are_told_by_file() {
        let model = &infiniloom::Infiniloom::new().model("gpt-4o").unwrap();
        let lines = |path: &str| {
            let lines = (0..50).map(|at| Source::lines(path, at * 9 + 1, at * 9 + 1));
            lines.collect::<Vec<_>>()
        };
        let sources = [lines("src/a.py"), lines("src/b.py")].concat();
        assert_eq!(fit_sources(sources.clone(), 2000, model).0.len(), 100);
        let few = ["src/a.py:1-442".to_owned(), "src/b.py:1-442".to_owned()];
        assert_eq!(fit_sources(sources.clone(), 100, model), (few.to_vec(), 0));
        assert_eq!(fit_sources(sources, 12, model), (few[..1].to_vec(), 1));
    }
}
