//! The header of a pack in every format, read back by a parser of that format.

use loom_engine::{
    FileMeta, Format, Guidance, LeftOutShare, Note, Overview, Part, Revision, Section, SectionKind,
};
use quick_xml::events::Event;
use saphyr::{LoadableYamlNode, Yaml};

use crate::repository::{TOKENIZER, meta};

fn files() -> Vec<FileMeta> {
    let mut odd = meta("src/odd.py", "x = 1\n");
    odd.notes.push(Note::Encoding("utf-16".to_owned()));
    vec![
        meta("README.md", "# Demo\n"),
        meta("src/main.rs", "fn main() {}\n"),
        odd,
    ]
}

fn overview(files: &[FileMeta]) -> Overview {
    let left_out = vec![
        LeftOutShare {
            reason: "binary",
            count: 2,
            directories: 0,
        },
        LeftOutShare {
            reason: "ignored",
            count: 7,
            directories: 3,
        },
    ];
    let mut overview = Overview::new("de<mo> & \"co\"", TOKENIZER, files, left_out);
    overview.part = Some(Part {
        number: 2,
        total: 3,
    });
    overview.revisions = vec![Revision {
        tree: Some("one".to_owned()),
        name: "main".to_owned(),
        commit: "abc123".to_owned(),
    }];
    overview
}

fn pack(format: Format, overview: &Overview, files: &[FileMeta]) -> String {
    let renderer = format.renderer();
    let mut out = String::new();
    renderer.head(overview, &mut out);
    for (at, file) in files.iter().enumerate() {
        renderer.file(file, "text\n", at).push_to(&mut out);
    }
    renderer.tail(&mut out);
    out
}

fn written(format: Format) -> String {
    pack(format, &overview(&files()), &files())
}

#[test]
fn json_holds_statistics_part_tree_and_notes() {
    let value: serde_json::Value = serde_json::from_str(&written(Format::Json)).unwrap();
    assert_eq!(value["name"], "de<mo> & \"co\"");
    assert_eq!((&value["part"], &value["parts"]), (&2.into(), &3.into()));
    let statistics = &value["statistics"];
    let overview = overview(&files());
    assert_eq!(statistics["files"], 3);
    assert_eq!(statistics["lines"], 3);
    assert_eq!(statistics["bytes"], 26);
    assert_eq!(statistics["tokens"], overview.tokens);
    assert_eq!(statistics["vocabulary"], "o200k_base");
    assert_eq!(statistics["left_out"][1]["reason"], "ignored");
    assert_eq!(statistics["left_out"][1]["count"], 7);
    assert_eq!(statistics["left_out"][1]["directories"], 3);
    assert_eq!(statistics["revisions"][0]["commit"], "abc123");
    assert_eq!(value["tree"].as_array().unwrap().len(), 4);
    assert_eq!(value["files"][2]["note"], "decoded from utf-16");
    assert_eq!(value["files"][1]["language"], "rust");
    assert!(value["files"][0]["note"].is_null());
}

#[test]
fn yaml_holds_the_same() {
    let text = written(Format::Yaml);
    let documents = Yaml::load_from_str(&text).unwrap();
    let pack = &documents[0];
    assert_eq!(pack["name"].as_str(), Some("de<mo> & \"co\""));
    assert_eq!(
        (pack["part"].as_integer(), pack["parts"].as_integer()),
        (Some(2), Some(3))
    );
    let statistics = &pack["statistics"];
    assert_eq!(statistics["files"].as_integer(), Some(3));
    assert_eq!(statistics["bytes"].as_integer(), Some(26));
    assert_eq!(statistics["left_out"][0]["count"].as_integer(), Some(2));
    assert_eq!(statistics["revisions"][0]["tree"].as_str(), Some("one"));
    assert_eq!(statistics["languages"].as_vec().unwrap().len(), 3);
    assert_eq!(
        pack["files"][2]["note"].as_str(),
        Some("decoded from utf-16")
    );
    assert_eq!(pack["tree"].as_str().unwrap().lines().count(), 4);
}

/// Returns the attributes of all elements with a name, as `key=value` joined by spaces.
fn elements(text: &str, name: &str) -> Vec<String> {
    let mut reader = quick_xml::Reader::from_str(text);
    let mut found = Vec::new();
    loop {
        match reader.read_event().unwrap() {
            Event::Start(tag) | Event::Empty(tag) if tag.name().as_ref() == name => {
                let pair = |pair: quick_xml::events::attributes::Attribute<'_>| {
                    let key = String::from_utf8_lossy(pair.key.as_ref().as_ref()).into_owned();
                    let version = quick_xml::XmlVersion::Explicit1_0;
                    format!("{key}={}", pair.normalized_value(version).unwrap())
                };
                let pairs: Vec<String> = tag.attributes().map(|one| pair(one.unwrap())).collect();
                found.push(pairs.join(" "));
            }
            Event::Eof => return found,
            _ => {}
        }
    }
}

#[test]
fn xml_holds_the_same() {
    let text = written(Format::Xml);
    assert_eq!(
        elements(&text, "repository"),
        ["generator=infiniloom name=de<mo> & \"co\" part=2 parts=3"]
    );
    assert!(elements(&text, "statistics")[0].starts_with("files=3 lines=3 bytes=26 tokens="));
    assert_eq!(
        elements(&text, "left_out"),
        [
            "reason=binary count=2",
            "reason=ignored count=7 directories=3"
        ]
    );
    assert_eq!(
        elements(&text, "revision"),
        ["tree=one name=main commit=abc123"]
    );
    assert_eq!(elements(&text, "language").len(), 3);
    assert!(elements(&text, "file")[2].ends_with("note=decoded from utf-16"));
}

fn check_has(format: Format, expected: &[&str]) {
    let text = written(format);
    for one in expected {
        assert!(text.contains(one), "{one}\n{text}");
    }
}

#[test]
fn formats_for_people_hold_the_same() {
    check_has(
        Format::Markdown,
        &[
            "# `de<mo> & \"co\"`\n",
            "This is part 2 of 3.",
            "3 files, 3 lines, 26 bytes, ",
            "`one: revision main, commit abc123`",
            "\n| Rust | 1 | 1 | ",
            "\nLeft out: 2 binary, 7 ignored (3 of them directories).\n",
            "### `src/odd.py`\n\n1 lines, ",
            ", decoded from utf-16\n",
        ],
    );
    check_has(
        Format::Plain,
        &[
            "Packed by infiniloom: de<mo> & \"co\", part 2 of 3\n",
            "3 files, 3 lines, 26 bytes, ",
            "one: revision main, commit abc123\n",
            "Rust: 1 files, 1 lines, ",
            "Left out: 2 binary, 7 ignored (3 of them directories)\n",
            ", python, decoded from utf-16\n",
        ],
    );
    check_has(
        Format::Compact,
        &[
            "\nde<mo> & \"co\": 3 files, 3 lines, ",
            ", part 2 of 3; one: revision main, commit abc123; left out: 2 binary, 7 ignored (3 of them directories)\n",
            "\n@1! src/odd.py\ndecoded from utf-16\ntext\n",
        ],
    );
}

#[test]
fn names_with_newlines_stay_on_one_line() {
    let mut overview = overview(&[]);
    overview.name = "two\nlines".to_owned();
    overview.revisions[0].name = "b\r\nx".to_owned();
    for format in [Format::Plain, Format::Compact] {
        let text = pack(format, &overview, &[]);
        assert!(
            text.contains("two lines") && text.contains("revision b  x"),
            "{text}"
        );
    }
}

#[test]
fn every_format_explains_marks_and_shortened_files() {
    let mut files = files();
    files[1].notes.push(Note::Shortened {
        form: "balanced",
        lines: 3,
    });
    let mut overview = overview(&files);
    overview.marked_since = Some("main".to_owned());
    for (name, format) in Format::ALL {
        let text = pack(*format, &overview, &files);
        for expected in [
            "added or changed since main",
            "lines left out",
            "stands for so many lines",
        ] {
            assert!(text.contains(expected), "{name}: {expected}\n{text}");
        }
        let plain = pack(*format, &self::overview(&self::files()), &[]);
        assert!(!plain.contains("stands for so many lines"), "{name}");
    }
}

#[test]
fn sections_and_guidance_come_before_the_files() {
    let files = files();
    let mut overview = overview(&files);
    overview.guidance = Guidance::NONE
        .with_header("The header.")
        .with_instructions("Do this.");
    let section = Section::new(SectionKind::Log, "2 commits", None, "uno\nduo".to_owned());
    overview.sections.push(section);
    for (name, format) in Format::ALL {
        let text = pack(*format, &overview, &files);
        let place = |part: &str| {
            text.find(part)
                .unwrap_or_else(|| panic!("{name}: {part}\n{text}"))
        };
        assert!(place("The header.") < place("Do this."), "{name}");
        assert!(place("Do this.") < place("uno"), "{name}");
        assert!(place("uno") < text.rfind("src/main.rs").unwrap(), "{name}");
    }
}

#[test]
fn a_section_has_one_line_of_title_and_ends_with_a_newline() {
    let section = Section::new(
        SectionKind::Since,
        "a\nb",
        Some("one".to_owned()),
        "x".to_owned(),
    );
    assert_eq!((section.title(), section.text()), ("a b", "x\n"));
    assert_eq!(
        (section.kind().name(), section.repository()),
        ("since", Some("one"))
    );
    let whole = Section::new(SectionKind::Diff, "a", None, "x\n".to_owned());
    assert_eq!(whole.text(), "x\n");
}

#[test]
fn guidance_of_white_space_alone_is_none() {
    let guidance = Guidance::NONE
        .with_header(" \n\t")
        .with_instructions("do \n\n");
    assert_eq!(
        (guidance.header(), guidance.instructions()),
        (None, Some("do"))
    );
    assert_eq!(
        guidance.parts().collect::<Vec<_>>(),
        [("instructions", "do")]
    );
}

#[test]
fn formats_are_found_by_their_names() {
    for (name, format) in Format::ALL {
        assert_eq!(Format::from_name(name), Some(*format));
        assert_eq!(format.name(), *name);
    }
    assert_eq!(Format::from_name("html"), None);
}

#[test]
fn a_pack_of_any_format_is_known_as_an_earlier_pack() {
    for (name, format) in Format::ALL {
        let text = written(*format);
        let found = loom_engine::inspect(&text);
        assert_eq!(found, loom_engine::Contents::EarlierPack, "{name}");
        let indented = format!(" {text}");
        assert_eq!(
            loom_engine::inspect(&indented),
            loom_engine::Contents::Text,
            "{name}"
        );
    }
}

#[test]
fn contents_stand_as_they_are_where_a_format_can_carry_them() {
    for (name, format) in Format::ALL {
        let file = meta("a.txt", "plain\n");
        let framed = format.renderer().file(&file, "plain\n", 0);
        let is_moved = matches!(format, Format::Json | Format::Yaml);
        assert_eq!(framed.is_verbatim(), !is_moved, "{name}");
    }
    let file = meta("a.txt", "]]>\n");
    assert!(!Format::Xml.renderer().file(&file, "]]>\n", 0).is_verbatim());
}
