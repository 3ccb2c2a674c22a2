//! The repository's description of itself: the first paragraph of its README, or the description in
//! a manifest.

use super::input::one_line;
use super::links::enclosed;

/// Maximum length of a description.
const LONGEST: usize = 300;

/// Returns the first paragraph of a README that is not a heading, badge or markup.
pub fn about_readme(text: &str) -> Option<String> {
    let text = without_comments(text);
    let mut paragraph = String::new();
    let mut is_fenced = false;
    for line in text.lines().take(400) {
        let line = line.trim();
        if line.starts_with("```") || line.starts_with("~~~") {
            is_fenced = !is_fenced;
            continue;
        }
        if is_underline(line) {
            // The line above was a heading.
            paragraph.clear();
            continue;
        }
        let words = match is_definition(line) {
            true => String::new(),
            false => without_tags(&without_links(line)),
        };
        let words = words.trim();
        if words.is_empty() || is_fenced || !is_prose(words) {
            if is_enough(&paragraph) {
                break;
            }
            paragraph.clear();
            continue;
        }
        if !paragraph.is_empty() {
            paragraph.push(' ');
        }
        paragraph.push_str(words);
    }
    is_enough(&paragraph).then(|| one_line(&paragraph, LONGEST))
}

/// Returns the description in the manifest called `name`.
pub fn about_manifest(name: &str, text: &str) -> Option<String> {
    let found = match name.rsplit_once('.')?.1 {
        "json" => {
            let value: serde_json::Value = serde_json::from_str(text).ok()?;
            value.get("description")?.as_str()?.to_owned()
        }
        "toml" => {
            let value: toml::Table = text.parse().ok()?;
            let place = |path: &[&str]| {
                let (first, rest) = path.split_first()?;
                let step = |at: &toml::Value, key: &&str| at.get(*key).cloned();
                let top = value.get(*first).cloned()?;
                let found = rest.iter().try_fold(top, |at, key| step(&at, key))?;
                Some(found.as_str()?.to_owned())
            };
            [
                &["package", "description"][..],
                &["project", "description"],
                &["tool", "poetry", "description"],
                &["workspace", "package", "description"],
            ]
            .into_iter()
            .find_map(place)?
        }
        _ => of_lines(text)?,
    };
    let found = one_line(&found, LONGEST);
    (found.chars().count() > 3).then_some(found)
}

/// Parses `description = …`, as in `setup.cfg`.
fn of_lines(text: &str) -> Option<String> {
    let value = |line: &str| {
        let rest = line.strip_prefix("description")?.trim_start();
        let value = rest.strip_prefix(['=', ':'])?.trim();
        (!value.starts_with("file:")).then(|| value.to_owned())
    };
    text.lines().find_map(value)
}

/// Removes `<!--` comments `-->`.
fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, inner)) = rest.split_once("<!--") {
        out.push_str(before);
        rest = inner.split_once("-->").map_or("", |(_, after)| after);
    }
    out.push_str(rest);
    out
}

/// Returns true for the line under a heading, or between two sections.
fn is_underline(line: &str) -> bool {
    let mut chars = line.chars();
    let Some(first) = chars.next() else {
        return false;
    };
    "=-~*^\"'`#+".contains(first) && line.len() >= 3 && chars.all(|c| c == first)
}

/// Matches link definitions `[name]: URL`, and `.. name:: …` and `:name: …` of reStructuredText.
fn is_definition(line: &str) -> bool {
    let is_link = line
        .strip_prefix('[')
        .is_some_and(|rest| rest.contains("]: ") || rest.ends_with("]:"));
    is_link || line.starts_with(".. ")
}

/// Returns true if a line is prose, not a heading, a badge, a table or a list.
fn is_prose(line: &str) -> bool {
    let first = line.chars().next().unwrap_or(' ');
    let is_marked = matches!(
        first,
        '#' | '|' | '=' | '-' | '*' | '!' | '>' | ':' | '~' | '+' | '.'
    ) && !line.starts_with("**");
    let is_code = first == '`' && line.matches('`').count() < 2;
    let letters = line.chars().filter(|c| c.is_alphabetic()).count();
    !is_marked && !is_code && letters * 2 > line.chars().count().min(80)
}

/// Returns true if there are several words, or several letters in a script without spaces.
fn is_enough(paragraph: &str) -> bool {
    let is_wide = |c: char| matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}');
    paragraph.split(' ').count() >= 5 || paragraph.chars().filter(|c| is_wide(*c)).count() >= 6
}

/// Removes `<tags>` from a line.
fn without_tags(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, inner)) = rest.split_once('<') {
        out.push_str(before);
        let is_tag = inner.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/');
        match inner.split_once('>') {
            Some((_, after)) if is_tag => rest = after,
            // A tag that continues on the next line.
            None if is_tag => return out,
            _ => {
                out.push('<');
                rest = inner;
            }
        }
    }
    out.push_str(rest);
    out
}

/// Removes pictures from a line, and keeps only the text of links.
fn without_links(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find('[') {
        let (before, found) = rest.split_at(at);
        let is_picture = before.ends_with('!');
        out.push_str(before.strip_suffix('!').unwrap_or(before));
        let Some(inner) = enclosed(found, ['[', ']']) else {
            out.push_str(if is_picture { "![" } else { "[" });
            rest = &found[1..];
            continue;
        };
        let after = &found[inner.len() + 2..];
        let address = ['(', '['].into_iter().find_map(|open| {
            let close = if open == '(' { ')' } else { ']' };
            enclosed(after, [open, close])
        });
        match address {
            _ if inner.starts_with("REDACTED:") => {
                out.push('[');
                out.push_str(inner);
                out.push(']');
            }
            _ if is_picture => {}
            _ => out.push_str(&without_links(inner)),
        }
        rest = &after[address.map_or(0, |address| address.len() + 2)..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_first_words_of_a_readme() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(about_readme(text).as_deref(), expected, "{text}");
        };
        check(
            "# Demo\n\n[![CI](https://ci/badge.svg)](https://ci)\n\nDemo is a [small](x) tool for\ntesting of things.\n\n## Use\n",
            Some("Demo is a small tool for testing of things."),
        );
        check(
            "<h1>x</h1>\n\n```sh\nrun this now and then wait\n```\n",
            None,
        );
        check(
            "Demo is a [WSGI] thing, built on [that][1] for you.\n",
            Some("Demo is a WSGI thing, built on that for you."),
        );
        check("", None);
        check(
            "[![a](b)](https://x/(y))\n[![Build](https://img/x.svg?a=(b))][ci] [![Docs][badge]][docs]\n\n[ci]: https://ci/some long words that are none\n\nA thing that does one thing well.\n",
            Some("A thing that does one thing well."),
        );
        check(
            "The name of this thing here\n===========================\n\nIt does what its name says.\n",
            Some("It does what its name says."),
        );
        check(
            "<!-- nobody reads this line\nor this one here --> \n<p align=\"center\">\n  A <i>cat</i> clone with wings, and more.\n</p>\n",
            Some("A cat clone with wings, and more."),
        );
        check(
            "# 工具\n\n一个快速生成上下文的工具。\n",
            Some("一个快速生成上下文的工具。"),
        );
        check(
            "Use the key [REDACTED:aws-access-key:1] in your tests.\n",
            Some("Use the key [REDACTED:aws-access-key:1] in your tests."),
        );
    }

    #[test]
    fn the_description_of_a_manifest() {
        let check = |name: &str, text: &str, expected: Option<&str>| {
            assert_eq!(about_manifest(name, text).as_deref(), expected, "{text}");
        };
        let tool = Some("A tool");
        check(
            "Cargo.toml",
            "[package]\ndescription = \"A tool\" # it is\n",
            tool,
        );
        check(
            "Cargo.toml",
            "[package]\ndescription = \"\"\"\nA\ntool\"\"\"\n",
            tool,
        );
        check(
            "pyproject.toml",
            "[project]\ndescription = 'A tool'\n",
            tool,
        );
        check(
            "package.json",
            "{\"name\":\"x\",\"description\":\"A tool\"}",
            tool,
        );
        check(
            "package.json",
            "{\"description\": \"Caf\\u00e9 \\\"x\\\"\"}",
            Some("Café \"x\""),
        );
        check("setup.cfg", "[metadata]\ndescription = A tool\n", tool);
        check("setup.cfg", "[metadata]\ndescription_of_x = 1\n", None);
        check("package.json", "{ broken", None);
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in ".{0,200}|[\\[\\]()!<>a \\n-]{0,80}") {
            let _ = about_readme(&text);
            for name in ["a.json", "a.toml", "a.cfg"] {
                let _ = about_manifest(name, &text);
            }
        }
    }
}
