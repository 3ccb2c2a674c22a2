//! What a repository says about itself: the first paragraph of its README, or what a
//! manifest has as description.

use super::input::one_line;

/// A longer description is cut.
const LONGEST: usize = 300;

/// What a README says first that is no heading, badge or mark-up.
pub fn about_readme(text: &str) -> Option<String> {
    let mut paragraph = String::new();
    let mut is_fenced = false;
    for line in text.lines().take(200) {
        let line = line.trim();
        if line.starts_with("```") || line.starts_with("~~~") {
            is_fenced = !is_fenced;
            continue;
        }
        let line = without_links(line);
        let line = line.trim();
        if line.is_empty() || is_fenced || !is_prose(line) {
            if is_enough(&paragraph) {
                break;
            }
            paragraph.clear();
            continue;
        }
        if !paragraph.is_empty() {
            paragraph.push(' ');
        }
        paragraph.push_str(line);
    }
    is_enough(&paragraph).then(|| one_line(&paragraph, LONGEST))
}

/// What a manifest has as its description: `description = "…"`, `"description": "…"`.
pub fn about_manifest(text: &str) -> Option<String> {
    for line in text.lines().take(400) {
        let line = line.trim().trim_start_matches('"');
        let Some(rest) = line.strip_prefix("description") else {
            continue;
        };
        let rest = rest.trim_start_matches('"').trim_start();
        let Some(value) = rest.strip_prefix(['=', ':']) else {
            continue;
        };
        let value = value.trim().trim_end_matches(',').trim_matches(['"', '\'']);
        if value.len() > 3 {
            return Some(one_line(value, LONGEST));
        }
    }
    None
}

/// Whether a line is words, and not a heading, a badge, a table or a tag.
fn is_prose(line: &str) -> bool {
    let first = line.chars().next().unwrap_or(' ');
    let is_marked = matches!(
        first,
        '#' | '|' | '<' | '=' | '-' | '*' | '!' | '>' | ':' | '~' | '+' | '.' | '`'
    ) && !line.starts_with("**");
    let letters = line.chars().filter(|c| c.is_alphabetic()).count();
    !is_marked && letters * 2 > line.len().min(80)
}

fn is_enough(paragraph: &str) -> bool {
    paragraph.split(' ').count() >= 5
}

/// A line without pictures, with the words of links alone.
fn without_links(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find(['[', '!']) {
        let (before, found) = rest.split_at(at);
        out.push_str(before);
        let is_picture = found.starts_with("![");
        let inner = if is_picture { &found[2..] } else { &found[1..] };
        let end = inner.find("](");
        let close = end.and_then(|end| inner[end + 2..].find(')').map(|close| (end, close)));
        match close {
            Some((end, close)) if is_picture || found.starts_with('[') => {
                let words = if is_picture { "" } else { &inner[..end] };
                // A link around a picture has no words.
                out.push_str(if words.starts_with('!') { "" } else { words });
                rest = &inner[end + 2 + close + 1..];
            }
            // A link whose address stands elsewhere.
            _ if found.starts_with('[') && inner.contains(']') => {
                let end = inner.find(']').unwrap_or(0);
                out.push_str(&inner[..end]);
                let after = &inner[end + 1..];
                let label = after
                    .strip_prefix('[')
                    .and_then(|label| label.split_once(']'));
                rest = label.map_or(after, |(_, rest)| rest);
            }
            _ => {
                out.push_str(&found[..1]);
                rest = &found[1..];
            }
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_words_of_a_readme() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(about_readme(text).as_deref(), expected);
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
    }

    #[test]
    fn the_description_of_a_manifest() {
        let check = |text: &str, expected: &str| {
            assert_eq!(about_manifest(text).as_deref(), Some(expected));
        };
        check(
            "[package]\nname = \"x\"\ndescription = \"A tool\"\n",
            "A tool",
        );
        check("{\n  \"description\": \"A tool\",\n}", "A tool");
        assert_eq!(about_manifest("description_of_x = 1\n"), None);
    }
}
