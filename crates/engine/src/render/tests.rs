//! For any contents, reading each format returns the same files.

mod readers;
mod sections;

use loom_base::{ContentHash, RepoPath};
use loom_models::Vocabulary;
use proptest::prelude::*;
use quick_xml::events::Event;

use readers::{read_compact, read_plain, read_yaml};
use sections::read_sections;

use super::Format;
use crate::{FileMeta, Guidance, Note, Overview, Section, SectionKind, describe};

type Files = Vec<(String, String)>;

fn pack(format: Format, files: &Files, guidance: &Guidance) -> String {
    pack_with(format, files, guidance, &[])
}

fn pack_with(format: Format, files: &Files, guidance: &Guidance, sections: &[Section]) -> String {
    let describe = |(path, text): &(String, String)| {
        let hash = ContentHash::from_bytes([0; 32]);
        let path = RepoPath::new(path).unwrap();
        let mut meta = describe(path, text, hash, Vocabulary::O200kBase);
        if text.contains('a') {
            meta.notes
                .push(Note::Encoding("utf-16: \"odd\", (x)".to_owned()));
        }
        meta
    };
    let metas: Vec<FileMeta> = files.iter().map(describe).collect();
    let mut overview = Overview::new("na<me \"&`", Vocabulary::O200kBase, &metas, Vec::new());
    overview.guidance = guidance.clone();
    overview.sections = sections.to_vec();
    overview.marked_since = (!sections.is_empty()).then(|| "<HEAD>".to_owned());
    let renderer = format.renderer();
    let mut out = String::new();
    renderer.head(&overview, &mut out);
    for (at, (meta, (_, text))) in metas.iter().zip(files).enumerate() {
        let framed = renderer.file(meta, text, at);
        assert!(!framed.is_verbatim() || framed.text == *text);
        framed.push_to(&mut out);
    }
    renderer.tail(&mut out);
    assert!(super::is_pack(&out));
    out
}

fn read_xml(pack: &str) -> Files {
    let mut reader = quick_xml::Reader::from_str(pack);
    reader.config_mut().check_comments = true;
    let mut files = Files::new();
    let mut attributes: Option<Vec<(String, String)>> = None;
    loop {
        match reader.read_event().unwrap() {
            Event::Start(tag) if tag.name().as_ref() == "file" => {
                let pairs = tag.attributes().map(|pair| {
                    let pair = pair.unwrap();
                    let key = String::from_utf8_lossy(pair.key.as_ref().as_ref()).into_owned();
                    (
                        key,
                        pair.normalized_value(quick_xml::XmlVersion::Explicit1_0)
                            .unwrap()
                            .into_owned(),
                    )
                });
                attributes = Some(pairs.collect());
                files.push(Default::default());
            }
            Event::CData(text) if attributes.is_some() => {
                let last = files.last_mut().unwrap();
                last.1.push_str(&text.xml10_content());
            }
            Event::End(tag) if tag.name().as_ref() == "file" => {
                let attributes = attributes.take().unwrap();
                let (path, text) = files.last_mut().unwrap();
                let get = |key: &str| {
                    attributes
                        .iter()
                        .find(|(k, _)| k == key)
                        .map(|(_, v)| v.clone())
                };
                *path = get("path").unwrap();
                *text = text.strip_prefix('\n').unwrap().to_owned();
                if get("newlines").is_some() {
                    *text = text.replace('\n', "\r\n");
                }
                if get("escaped").is_some() {
                    *text = unescape(text);
                }
            }
            Event::Eof => return files,
            _ => {}
        }
    }
}

fn unescape(text: &str) -> String {
    let mut parts = text.split("␛{");
    let mut plain = parts.next().unwrap().to_owned();
    for part in parts {
        let (code, rest) = part.split_once('}').unwrap();
        plain.push(char::from_u32(u32::from_str_radix(code, 16).unwrap()).unwrap());
        plain.push_str(rest);
    }
    plain
}

fn read_markdown(pack: &str) -> Files {
    let mut files = Files::new();
    let mut rest = after_head(pack);
    while let Some(after) = rest.strip_prefix("\n### ") {
        let (heading, after) = after.split_once('\n').unwrap();
        let (about, after) = after
            .strip_prefix('\n')
            .unwrap()
            .split_once("\n\n")
            .unwrap();
        let (open, after) = after.split_once('\n').unwrap();
        let fence = &open[..open.len() - open.trim_start_matches('`').len()];
        let close = format!("{fence}\n");
        let end = if after.starts_with(&close) {
            0
        } else {
            after.find(&format!("\n{close}")).unwrap() + 1
        };
        let text = &after[..end];
        let text = if about.ends_with("no line end at the end") {
            text.strip_suffix('\n').unwrap()
        } else {
            text
        };
        let path = heading.trim_matches('`').trim().to_owned();
        files.push((path, text.to_owned()));
        rest = &after[end + close.len()..];
    }
    assert_eq!(rest, "");
    files
}

/// Returns the text after the heading of the files, which counts only outside fences.
fn after_head(pack: &str) -> &str {
    let mut rest = pack;
    let mut fence: Option<&str> = None;
    while let Some((line, after)) = rest.split_once('\n') {
        rest = after;
        let run = &line[..line.len() - line.trim_start_matches('`').len()];
        match fence {
            Some(open) if line == open => fence = None,
            Some(_) => {}
            None if run.len() >= 3 => fence = Some(run),
            None if line == "## Files" => return rest,
            None => {}
        }
    }
    panic!("no files");
}

fn read_json(pack: &str) -> Files {
    let value: serde_json::Value = serde_json::from_str(pack).unwrap();
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    let files = value["files"].as_array().unwrap();
    files
        .iter()
        .map(|file| (text(&file["path"]), text(&file["content"])))
        .collect()
}

fn read(format: Format, pack: &str) -> Files {
    match format {
        Format::Xml => read_xml(pack),
        Format::Markdown => read_markdown(pack),
        Format::Json => read_json(pack),
        Format::Yaml => read_yaml(pack),
        Format::Plain => read_plain(pack),
        Format::Compact => read_compact(pack),
    }
}

fn check(files: &Files) {
    check_with(files, &Guidance::NONE);
}

fn check_with(files: &Files, guidance: &Guidance) {
    for (name, format) in Format::ALL {
        let pack = pack(*format, files, guidance);
        assert_eq!(&read(*format, &pack), files, "{name}\n{pack}");
    }
}

#[test]
fn texts_of_the_user_break_no_format() {
    let files = vec![("a.rs".to_owned(), "fn a() {}\n".to_owned())];
    let texts = [
        "Find the bug.",
        "two\nlines\n\n",
        "```\n## Files\n\n### `x`\n",
        "]]></instructions>\u{0}",
        "---------------- x\n----------------\n================ y\n",
        "@1 a.rs\n#9 z",
        "---\nfiles: []\n",
        "a\r\nb\t",
    ];
    for text in texts {
        check_with(&files, &Guidance::NONE.with_header(text));
        let both = Guidance::NONE.with_header("about").with_instructions(text);
        check_with(&files, &both);
    }
}

#[test]
fn every_format_shows_the_texts_of_the_user() {
    let guidance = Guidance::NONE
        .with_header("A small crate.")
        .with_instructions("Find the bug.\n");
    for (name, format) in Format::ALL {
        let pack = pack(*format, &Files::new(), &guidance);
        assert!(pack.contains("A small crate."), "{name}\n{pack}");
        assert!(pack.contains("Find the bug."), "{name}\n{pack}");
    }
}

#[test]
fn sections_read_back() {
    let files = vec![("a.rs".to_owned(), "fn a() {}\n".to_owned())];
    let texts = [
        "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\r\n+b\n",
        "```\n## Files\n\n### `x`\n",
        "]]></section>\u{0}\n",
        "---------------- x\n----------------\n================ y\n",
        "@1 a.rs\n#9 z\n\n",
        " context\n\n",
    ];
    let of_text = |text: &&str| {
        let tree = Some("one \"&`".to_owned());
        Section::new(
            SectionKind::Since,
            "since `<main>`\n",
            tree,
            (*text).to_owned(),
        )
    };
    let mut sections: Vec<_> = texts.iter().map(of_text).collect();
    sections.push(Section::new(
        SectionKind::Log,
        "2 commits",
        None,
        "x".to_owned(),
    ));
    for (name, format) in Format::ALL {
        let pack = pack_with(*format, &files, &Guidance::NONE, &sections);
        assert_eq!(&read(*format, &pack), &files, "{name}\n{pack}");
        let read = read_sections(*format, &pack);
        let expected: Vec<_> = sections.iter().map(Section::text).collect();
        assert_eq!(read, expected, "{name}\n{pack}");
        assert!(pack.contains("since"), "{name}");
    }
}

#[test]
fn odd_contents_read_back() {
    let texts = [
        "",
        "x",
        "\n",
        "\n\nx\n\n",
        "]]>",
        "a ]]]]>> b\n",
        "<![CDATA[ x ]]>\n</file>\n",
        "```\ncode\n```\n",
        "````",
        "a\r\nb\r\n",
        "a\r\nb",
        "a\rb\nc\r\n",
        "\0\u{1}\u{1b}[0m\u{fffe}\u{ffff}",
        "␛{D} literal\r",
        "\u{feff}x",
        "\u{85}\u{2028}\u{7f}",
        "{\"json\": \"\\u0000\"}",
        "### heading\n\n## Files\n",
        "---\n...\n%YAML 1.2\n",
        " indented first\nthen not\n",
        "\n  after an empty line\n",
        "\n\n",
        "  ",
        "\t",
        "\ttab first\n\t\n",
        "a\n  \nb\n",
        "a\n      ",
        "a\n\t",
        "many ends\n\n\n",
        "open\n\n  x",
        "# comment\n- item: {x: [1]}\n",
        "\"quoted\" \\ 'single'\n",
        "================ x\n================\n=================\n",
        "================\n\n1 lines\n----------------\n",
        "@3 src/main.rs\n@1- x\n#2 y",
        "\u{80}\u{9f}\u{a0}\u{2029}\u{e000}\u{10ffff}",
    ];
    let files = texts.iter().enumerate();
    check(
        &files
            .map(|(at, text)| (format!("dir/f{at}.txt"), (*text).to_owned()))
            .collect(),
    );
    check(&Files::new());
}

proptest! {
    #[test]
    fn any_contents_read_back(texts in prop::collection::vec(".{0,40}|[\\]\\[>!`\r\n\u{0}\u{241b}{}0-9A-F]{0,30}|[ \t\n:#a-]{0,30}|[=@\n -]{0,60}", 0..6)) {
        let files = texts.into_iter().enumerate();
        check(&files.map(|(at, text)| (format!("f{at}"), text)).collect());
    }
}
