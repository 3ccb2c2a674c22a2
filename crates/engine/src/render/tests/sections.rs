//! Reads the sections of a pack in every format.

use quick_xml::events::Event;
use saphyr::{LoadableYamlNode, Yaml};

use super::super::Format;
use super::readers::{opened, upto};
use super::unescape;

pub(super) fn read_sections(format: Format, pack: &str) -> Vec<String> {
    match format {
        Format::Xml => xml(pack),
        Format::Markdown => markdown(pack),
        Format::Json => json(pack),
        Format::Yaml => yaml(pack),
        Format::Plain => plain(pack),
        Format::Compact => compact(pack),
    }
}

fn xml(pack: &str) -> Vec<String> {
    let mut reader = quick_xml::Reader::from_str(pack);
    let mut texts = Vec::new();
    let mut open: Option<(bool, bool)> = None;
    loop {
        match reader.read_event().unwrap() {
            Event::Start(tag) if tag.name().as_ref() == "section" => {
                let has = |key: &str| tag.try_get_attribute(key).unwrap().is_some();
                open = Some((has("newlines"), has("escaped")));
                texts.push(String::new());
            }
            Event::CData(text) if open.is_some() => {
                texts.last_mut().unwrap().push_str(&text.xml10_content());
            }
            Event::End(tag) if tag.name().as_ref() == "section" => {
                let (crlf, escaped) = open.take().unwrap();
                let text = texts.last_mut().unwrap();
                *text = text.strip_prefix('\n').unwrap().to_owned();
                if crlf {
                    *text = text.replace('\n', "\r\n");
                }
                if escaped {
                    *text = unescape(text);
                }
            }
            Event::Eof => return texts,
            _ => {}
        }
    }
}

fn markdown(pack: &str) -> Vec<String> {
    let mut texts = Vec::new();
    let mut rest = pack;
    while let Some((line, after)) = rest.split_once('\n') {
        rest = after;
        if line == "## Files" {
            break;
        }
        let is_section = line.starts_with("## Git ");
        if is_section {
            rest = rest.strip_prefix('\n').unwrap();
        } else if !line.starts_with("```") {
            continue;
        }
        let (line, after) = if is_section {
            rest.split_once('\n').unwrap()
        } else {
            (line, rest)
        };
        let fence = &line[..line.len() - line.trim_start_matches('`').len()];
        let (text, after) = upto(after, fence);
        texts.extend(is_section.then(|| text.to_owned()));
        rest = after;
    }
    texts
}

fn json(pack: &str) -> Vec<String> {
    let value: serde_json::Value = serde_json::from_str(pack).unwrap();
    let sections = value["sections"].as_array().unwrap();
    let text = |section: &serde_json::Value| section["text"].as_str().unwrap().to_owned();
    sections.iter().map(text).collect()
}

fn yaml(pack: &str) -> Vec<String> {
    let documents = Yaml::load_from_str(pack).unwrap();
    let sections = documents[0]["sections"].as_vec().unwrap();
    let text = |section: &Yaml<'_>| section["text"].as_str().unwrap().to_owned();
    sections.iter().map(text).collect()
}

fn plain(pack: &str) -> Vec<String> {
    let mut texts = Vec::new();
    let mut rest = pack;
    while let Some((line, after)) = rest.split_once('\n') {
        rest = after;
        if let Some((mark, title)) = opened(line) {
            let (text, after) = upto(rest, mark);
            texts.extend(title.starts_with("git ").then(|| text.to_owned()));
            rest = after;
        }
    }
    texts
}

fn compact(pack: &str) -> Vec<String> {
    let mut texts = Vec::new();
    let mut rest = pack.splitn(3, '\n').nth(2).unwrap();
    while let Some(after) = rest.strip_prefix('#') {
        let (line, after) = after.split_once('\n').unwrap();
        let (count, name) = line.split_once(' ').unwrap();
        let ends = after.match_indices('\n').map(|(at, _)| at + 1);
        let end = std::iter::once(0)
            .chain(ends)
            .nth(count.parse().unwrap())
            .unwrap();
        texts.extend(name.starts_with("git ").then(|| after[..end].to_owned()));
        rest = &after[end..];
    }
    texts
}
