//! Parses packs, with one strict parser for each format.

use quick_xml::events::{BytesStart, Event};
use saphyr::LoadableYamlNode;
use serde_json::Value;

/// Paths and contents.
pub(crate) type Files = Vec<(String, String)>;

/// Parses a pack of the format of that name.
#[track_caller]
pub(crate) fn read(format: &str, pack: &str) -> Files {
    match format {
        "xml" => xml(pack),
        "markdown" => markdown(pack),
        "yaml" => yaml(pack),
        "plain" => plain(pack),
        "compact" => compact(pack),
        _ => json(pack),
    }
}

/// Joins the pieces of files from packs in which a file may have several.
pub(crate) fn joined(files: impl IntoIterator<Item = (String, String)>) -> Files {
    let mut whole: Files = Vec::new();
    for (path, text) in files {
        match whole.last_mut() {
            Some((last, so_far)) if *last == path => so_far.push_str(&text),
            _ => whole.push((path, text)),
        }
    }
    whole
}

#[track_caller]
fn yaml(pack: &str) -> Files {
    let documents = saphyr::Yaml::load_from_str(pack).unwrap();
    let text = |value: &saphyr::Yaml<'_>| value.as_str().unwrap().to_owned();
    let files = documents[0]["files"].as_sequence().unwrap().iter();
    files
        .map(|file| (text(&file["path"]), text(&file["content"])))
        .collect()
}

/// Parses the plain format: a line of `=` with a path opens a file, and a line of the same length
/// closes it.
#[track_caller]
fn plain(pack: &str) -> Files {
    let mut files = Files::new();
    let start = pack.find("\n\n=").map(|at| at + 2).unwrap_or(pack.len());
    let mut rest = &pack[start..];
    while !rest.is_empty() {
        let (opening, after) = rest.split_once('\n').unwrap();
        let (mark, path) = opening.split_once(' ').unwrap();
        assert_eq!(mark.trim_start_matches('='), "");
        let (about, after) = after.split_once("\n\n").unwrap();
        let close = format!("{mark}\n");
        let end = match after.starts_with(&close) {
            true => 0,
            false => after.find(&format!("\n{close}")).unwrap() + 1,
        };
        let mut text = &after[..end];
        if about.ends_with("no line end at the end") {
            text = text.strip_suffix('\n').unwrap();
        }
        files.push((path.to_owned(), text.to_owned()));
        rest = &after[end + close.len()..];
        rest = rest.strip_prefix('\n').unwrap_or(rest);
    }
    files
}

/// Parses the compact format: `@LINES PATH`, then LINES lines.
#[track_caller]
fn compact(pack: &str) -> Files {
    let mut files = Files::new();
    let mut lines = pack.split_inclusive('\n').skip(2);
    while let Some(line) = lines.next() {
        let (marks, path) = line.strip_suffix('\n').unwrap().split_once(' ').unwrap();
        let digits: String = marks[1..]
            .chars()
            .take_while(char::is_ascii_digit)
            .collect();
        let count: usize = digits.parse().unwrap();
        if marks.ends_with('!') {
            lines.next().unwrap();
        }
        let mut text: String = lines.by_ref().take(count).collect();
        if marks.contains('-') {
            assert_eq!(text.pop(), Some('\n'));
        }
        if marks.starts_with('@') {
            files.push((path.to_owned(), text));
        }
    }
    files
}

#[track_caller]
pub(crate) fn json(pack: &str) -> Files {
    let pack: Value = serde_json::from_str(pack).unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let files = pack["files"].as_array().unwrap().iter();
    files
        .map(|file| (text(&file["path"]), text(&file["content"])))
        .collect()
}

/// Checks every event of the document, not only those of the files.
#[track_caller]
fn xml(pack: &str) -> Files {
    let mut reader = quick_xml::Reader::from_str(pack);
    reader.config_mut().check_comments = true;
    reader.config_mut().check_end_names = true;
    let mut files = Files::new();
    let mut open = None;
    let mut depth = 0;
    loop {
        match reader.read_event().unwrap() {
            Event::Start(tag) => {
                depth += 1;
                let pairs = attributes(&tag);
                if tag.name().as_ref() == "file" {
                    open = Some((pairs, String::new()));
                }
            }
            Event::CData(part) => {
                if let Some((_, text)) = &mut open {
                    text.push_str(&part.xml10_content());
                }
            }
            Event::End(tag) => {
                depth -= 1;
                if tag.name().as_ref() == "file" {
                    let (pairs, text) = open.take().unwrap();
                    files.push(xml_file(&pairs, &text));
                }
            }
            Event::Eof => break,
            _ => {}
        }
    }
    assert_eq!(depth, 0, "an element is not closed");
    files
}

fn attributes(tag: &BytesStart<'_>) -> Vec<(String, String)> {
    let pair = |pair: Result<quick_xml::events::attributes::Attribute<'_>, _>| {
        let pair = pair.unwrap();
        let value = pair.normalized_value(quick_xml::XmlVersion::Explicit1_0);
        let key: &str = pair.key.as_ref();
        (key.to_owned(), value.unwrap().into_owned())
    };
    tag.attributes().map(pair).collect()
}

fn xml_file(pairs: &[(String, String)], text: &str) -> (String, String) {
    let get = |key: &str| pairs.iter().find(|(name, _)| name == key);
    let mut text = text.strip_prefix('\n').unwrap().to_owned();
    if get("newlines").is_some() {
        text = text.replace('\n', "\r\n");
    }
    if get("escaped").is_some() {
        text = unescaped(&text);
    }
    (get("path").unwrap().1.clone(), text)
}

fn unescaped(text: &str) -> String {
    let mut parts = text.split("␛{");
    let mut plain = parts.next().unwrap().to_owned();
    for part in parts {
        let (code, rest) = part.split_once('}').unwrap();
        plain.push(char::from_u32(u32::from_str_radix(code, 16).unwrap()).unwrap());
        plain.push_str(rest);
    }
    plain
}

#[track_caller]
fn markdown(pack: &str) -> Files {
    let mut files = Files::new();
    let mut rest = pack.split_once("\n## Files\n").unwrap().1;
    while let Some(after) = rest.strip_prefix("\n### ") {
        let (heading, after) = after.split_once("\n\n").unwrap();
        let (about, after) = after.split_once("\n\n").unwrap();
        let (open, after) = after.split_once('\n').unwrap();
        let fence: String = open.chars().take_while(|&c| c == '`').collect();
        let close = format!("{fence}\n");
        let end = if after.starts_with(&close) {
            0
        } else {
            after.find(&format!("\n{close}")).unwrap() + 1
        };
        let mut text = &after[..end];
        if about.ends_with("no line end at the end") {
            text = text.strip_suffix('\n').unwrap();
        }
        files.push((code_span(heading), text.to_owned()));
        rest = &after[end + close.len()..];
    }
    assert_eq!(rest, "");
    files
}

/// Returns the text of an inline code span, as `CommonMark` defines it.
fn code_span(span: &str) -> String {
    let ticks = span.len() - span.trim_start_matches('`').len();
    let inner = &span[ticks..span.len() - ticks];
    let padded = inner.starts_with(' ') && inner.ends_with(' ') && !inner.trim().is_empty();
    let inner = if padded {
        &inner[1..inner.len() - 1]
    } else {
        inner
    };
    inner.to_owned()
}
