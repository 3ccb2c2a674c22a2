//! Parsers of the formats that state the length of contents, and of YAML with a YAML parser.

use saphyr::{LoadableYamlNode, Yaml};

use super::Files;

pub(super) fn read_yaml(pack: &str) -> Files {
    let documents = Yaml::load_from_str(pack).unwrap_or_else(|error| panic!("{error}\n{pack}"));
    let [document] = documents.as_slice() else {
        panic!("{} documents", documents.len());
    };
    let field = |file: &Yaml<'_>, key: &str| file[key].as_str().unwrap().to_owned();
    let files = document["files"].as_vec().unwrap();
    files
        .iter()
        .map(|file| (field(file, "path"), field(file, "content")))
        .collect()
}

pub(super) fn read_plain(pack: &str) -> Files {
    let mut files = Files::new();
    let mut rest = pack;
    while let Some((line, after)) = rest.split_once('\n') {
        rest = after;
        let Some((mark, title)) = opened(line) else {
            continue;
        };
        if mark.starts_with('-') {
            rest = upto(rest, mark).1;
            continue;
        }
        let (about, after) = rest.split_once("\n\n").unwrap();
        let (text, after) = upto(after, mark);
        let text = if about.ends_with("no line end at the end") {
            text.strip_suffix('\n').unwrap()
        } else {
            text
        };
        files.push((title.to_owned(), text.to_owned()));
        rest = after;
    }
    assert_eq!(rest, "");
    files
}

pub(super) fn opened(line: &str) -> Option<(&str, &str)> {
    let (mark, title) = line.split_once(' ')?;
    let is_run = |of: char| mark.len() >= 16 && mark.chars().all(|c| c == of);
    (is_run('=') || is_run('-')).then_some((mark, title))
}

/// Returns the text before the line `mark`, and the text after it.
pub(super) fn upto<'a>(text: &'a str, mark: &str) -> (&'a str, &'a str) {
    let close = format!("{mark}\n");
    let end = if text.starts_with(&close) {
        0
    } else {
        text.find(&format!("\n{close}")).unwrap() + 1
    };
    (&text[..end], &text[end + close.len()..])
}

pub(super) fn read_compact(pack: &str) -> Files {
    let mut files = Files::new();
    let mut rest = pack.splitn(3, '\n').nth(2).unwrap();
    while let Some((line, mut after)) = rest.split_once('\n') {
        let (about, name) = line.split_once(' ').unwrap();
        let count = about.trim_start_matches(['#', '@']);
        let count: usize = count.trim_end_matches(['-', '!']).parse().unwrap();
        if about.ends_with('!') {
            after = after.split_once('\n').unwrap().1;
        }
        let ends = after.match_indices('\n').map(|(at, _)| at + 1);
        let end = std::iter::once(0).chain(ends).nth(count).unwrap();
        let text = if about.contains('-') {
            after[..end].strip_suffix('\n').unwrap()
        } else {
            &after[..end]
        };
        if about.starts_with('@') {
            files.push((name.to_owned(), text.to_owned()));
        }
        rest = &after[end..];
    }
    assert_eq!(rest, "");
    files
}
