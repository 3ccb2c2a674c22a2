//! Paths in a text.

use super::lines::{Line, LineKind};

/// A path as written, split into components.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathCue {
    /// Components; the file name is the last.
    pub parts: Vec<String>,
    /// True if a person wrote it, not a program.
    pub is_by_person: bool,
    /// Line number after it.
    pub line: Option<usize>,
}

/// More paths mean a listing.
const MOST: usize = 64;

pub(super) fn read(lines: &[Line<'_>]) -> Vec<PathCue> {
    let mut found: Vec<PathCue> = Vec::new();
    for line in lines.iter().filter(|line| line.kind != LineKind::Nothing) {
        for word in words(line.text) {
            let Some(mut cue) = cue(word) else {
                continue;
            };
            cue.is_by_person = line.kind.is_words();
            match found.iter().position(|one| one.parts == cue.parts) {
                Some(at) => found[at].is_by_person |= cue.is_by_person,
                None if found.len() < MOST => found.push(cue),
                None => {}
            }
        }
    }
    found
}

/// Splits a line into runs of characters that paths consist of.
pub(super) fn words(line: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_alphanumeric() || "/\\._-@+~:#$".contains(c);
    line.split(move |c: char| !is_part(c))
        .filter(|word| word.len() > 2)
}

/// Parses a word as a path.
pub(super) fn cue(word: &str) -> Option<PathCue> {
    let word = word.trim_matches(['.', ':', '-', ',', '~', '#']);
    let (path, line) = cut_line(word);
    let path = path.rsplit("://").next().unwrap_or(path).replace('\\', "/");
    let parts: Vec<String> = path
        .split('/')
        .filter(|part| !part.is_empty() && *part != "." && *part != "..")
        .map(str::to_owned)
        .collect();
    let name = parts.last()?;
    let (stem, ending) = name.rsplit_once('.')?;
    let is_file = !stem.is_empty() && ENDINGS.contains(&ending);
    is_file.then_some(PathCue {
        parts,
        is_by_person: false,
        line,
    })
}

/// Splits a line number off: `a.py:12:3`, `a.py#L12`, `a.py`.
fn cut_line(word: &str) -> (&str, Option<usize>) {
    if let Some((path, rest)) = word.split_once("#L") {
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        return (path, digits.parse().ok());
    }
    let Some(dot) = word.rfind('.') else {
        return (word, None);
    };
    match word[dot..].split_once(':') {
        Some((ending, rest)) => {
            let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
            (&word[..dot + ending.len()], digits.parse().ok())
        }
        None => (word, None),
    }
}

/// Extensions of files that people mention in reports.
pub(super) const ENDINGS: &[&str] = &[
    "py", "pyi", "pyx", "js", "jsx", "mjs", "cjs", "ts", "tsx", "vue", "svelte", "java", "kt",
    "kts", "scala", "go", "rs", "rb", "php", "c", "h", "cc", "cpp", "cxx", "hpp", "hh", "cs",
    "swift", "m", "mm", "zig", "lua", "sh", "bash", "sql", "html", "css", "scss", "toml", "yaml",
    "yml", "json", "cfg", "ini", "xml", "rst", "md", "erb", "rake", "gradle", "cmake", "proto",
    "ex", "exs", "erl", "hs", "ml", "r", "jl", "pl", "pm", "dart", "inc", "tpl", "twig",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_are_paths() {
        let of = |word: &str| cue(word).map(|cue| (cue.parts.join("/"), cue.line));
        assert_eq!(
            of("src/a_b/c.py:12:3"),
            Some(("src/a_b/c.py".into(), Some(12)))
        );
        assert_eq!(of("c.rs."), Some(("c.rs".into(), None)));
        assert_eq!(
            of("https://x.org/o/n/blob/main/lib/a.rb#L10-L12"),
            Some(("x.org/o/n/blob/main/lib/a.rb".into(), Some(10)))
        );
        assert_eq!(of("C:\\x\\y.cs"), Some(("C:/x/y.cs".into(), None)));
        assert_eq!(of("self.value"), None);
        assert_eq!(of("1.2.3"), None);
    }
}
