//! Sections of documents by their headings: `#` in Markdown, and underlined titles as in Markdown
//! and reStructuredText.

use crate::line_starts::LineStarts;
use crate::outline::{Entry, Outline, Role};

/// Heading of a section.
struct Title<'a> {
    /// Start of the section.
    start: usize,
    /// Start of the title's words.
    words_at: usize,
    words: &'a str,
    level: usize,
}

pub(crate) fn outline(text: &str, lines: &LineStarts) -> Outline {
    let titles = titles(text, lines);
    let mut entries: Vec<Entry> = Vec::with_capacity(titles.len());
    // Open sections with their levels.
    let mut open: Vec<(usize, usize)> = Vec::new();
    for title in titles {
        while let Some((level, entry)) = open.last().copied() {
            if level < title.level {
                break;
            }
            entries[entry].range.end = title.start;
            open.pop();
        }
        let parent = open.last().map(|(_, entry)| *entry);
        let name = match parent.and_then(|parent| entries[parent].name.as_ref()) {
            Some((outer, _)) => format!("{outer} > {}", title.words),
            None => title.words.to_owned(),
        };
        open.push((title.level, entries.len()));
        let marks = "#".repeat(title.level);
        entries.push(Entry {
            range: title.start..text.len(),
            head: title.words_at,
            name: Some((name, title.words_at)),
            heading: format!("{marks} {}", title.words),
            role: Role::Section,
            parent,
        });
    }
    Outline::new(entries)
}

fn titles<'a>(text: &'a str, lines: &LineStarts) -> Vec<Title<'a>> {
    let mut titles: Vec<Title<'a>> = Vec::new();
    let (mut before, mut earlier) = (0..0, 0..0);
    let mut fence: Option<&str> = None;
    let mut signs: Vec<u8> = vec![b'=', b'-'];
    for line in lines.within(front_matter(text)..text.len()) {
        let words = text[line.clone()].trim_end();
        let opened = ["```", "~~~"]
            .into_iter()
            .find(|mark| words.trim_start().starts_with(mark));
        match (fence, opened) {
            (None, Some(mark)) if underline(words, text[before.clone()].trim_end()).is_none() => {
                fence = Some(mark);
            }
            (Some(mark), Some(same)) if mark == same => fence = None,
            (None, _) => {
                if let Some((level, title)) = numbered(words) {
                    titles.push(Title {
                        start: line.start,
                        words_at: line.start + words.len()
                            - words.trim_start_matches(['#', ' ']).len(),
                        words: title,
                        level,
                    });
                } else if let Some(sign) = underline(words, text[before.clone()].trim_end()) {
                    let is_over = text[earlier.clone()].trim_end() == words;
                    let known = signs.iter().position(|known| *known == sign);
                    let level = known.unwrap_or_else(|| {
                        signs.push(sign);
                        signs.len() - 1
                    });
                    titles.push(Title {
                        start: if is_over { earlier.start } else { before.start },
                        words_at: before.start,
                        words: text[before.clone()].trim(),
                        level: level + 1,
                    });
                }
            }
            _ => {}
        }
        (earlier, before) = (before, line);
    }
    titles
}

/// Parses the level and words of `## Words`.
fn numbered(line: &str) -> Option<(usize, &str)> {
    let words = line.trim_start_matches('#');
    let level = line.len() - words.len();
    let title = words.strip_prefix(' ')?.trim().trim_end_matches('#').trim();
    ((1..=6).contains(&level) && !title.is_empty()).then_some((level, title))
}

/// Returns the character of a line that underlines the line before it.
fn underline(line: &str, before: &str) -> Option<u8> {
    let sign = *line.as_bytes().first()?;
    let is_row = line.len() >= 3 && line.bytes().all(|byte| byte == sign);
    let is_title = before.contains(char::is_alphanumeric)
        && !before.starts_with([' ', '\t', '#', '-', '*', '|', '>'])
        && before.chars().count() <= line.len() + 2;
    (is_row && is_title && b"=-~^\"'*+`:._".contains(&sign)).then_some(sign)
}

/// Returns the end of the front matter, the keys and values at the start of a document.
fn front_matter(text: &str) -> usize {
    let Some(rest) = text.strip_prefix("---\n") else {
        return 0;
    };
    rest.find("\n---\n").map_or(0, |at| 4 + at + 5)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let outline = outline(text, &LineStarts::new(text));
        let all = outline.names(&(0..text.len()));
        let actual = outline.entries().iter().zip(all).map(|(entry, name)| {
            format!(
                "{}..{} {} | {name}",
                entry.range.start, entry.range.end, entry.heading
            )
        });
        assert_eq!(actual.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn markdown_headings_are_sections() {
        check(
            "# A\na\n## B ##\n```\n# no\n```\n# C\n",
            &["0..27 # A | A", "6..27 ## B | A > B", "27..31 # C | C"],
        );
        check("---\ntitle: a\n---\nB\n---\n#c\n", &["17..26 ## B | B"]);
        check("no title\n", &[]);
    }

    #[test]
    fn underlined_titles_are_sections() {
        check(
            "=====\nTitle\n=====\na\n\nPart\n----\nb\nInner\n~~~~~\nc\n",
            &[
                "0..47 # Title | Title",
                "21..47 ## Part | Title > Part",
                "33..47 ### Inner | Title > Part > Inner",
            ],
        );
    }
}
