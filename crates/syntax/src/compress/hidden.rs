//! Comments without their own node in the syntax tree: in the text of Markdown, and after the value
//! of a C macro.

use std::ops::Range;

use tree_sitter::Node;

/// Returns the comments in a node whose grammar has no nodes for them, in order.
pub(super) fn hidden_comments(id: &str, node: Node<'_>, text: &str) -> Vec<Range<usize>> {
    let search = match id {
        "markdown" if matches!(node.kind(), "html_block" | "paragraph" | "inline") => in_prose,
        "c" | "cpp" if node.kind() == "preproc_arg" => in_macro,
        _ => return Vec::new(),
    };
    let base = node.start_byte();
    let found = search(text.get(node.byte_range()).unwrap_or_default());
    let moved = |range: Range<usize>| base + range.start..base + range.end;
    found.into_iter().map(moved).collect()
}

/// Finds `<!-- … -->` outside of code.
fn in_prose(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(next) = text[at..].find(['`', '<']) {
        let start = at + next;
        let rest = &text[start..];
        let ticks = rest.len() - rest.trim_start_matches('`').len();
        let length = if ticks > 0 {
            let closing = code_end(&rest[ticks..], ticks);
            closing.map_or(ticks, |end| ticks + end)
        } else if rest.starts_with("<!--") {
            match rest.find("-->") {
                Some(end) => {
                    found.push(start..start + end + 3);
                    end + 3
                }
                None => return found,
            }
        } else {
            1
        };
        at = start + length;
    }
    found
}

/// Returns the end of the next run of exactly `ticks` backticks.
fn code_end(text: &str, ticks: usize) -> Option<usize> {
    let mut at = 0;
    loop {
        let start = at + text[at..].find('`')?;
        let rest = &text[start..];
        let run = rest.len() - rest.trim_start_matches('`').len();
        at = start + run;
        if run == ticks {
            return Some(at);
        }
    }
}

/// Finds `/* … */` and `// …` outside of strings. A line comment that continues on the next line is
/// skipped.
fn in_macro(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(next) = text[at..].find(['"', '\'', '/']) {
        let start = at + next;
        let rest = &text[start..];
        let length = if let Some(inner) = rest.strip_prefix("/*") {
            let Some(end) = inner.find("*/") else {
                break;
            };
            found.push(start..start + end + 4);
            end + 4
        } else if rest.starts_with("//") {
            let line = rest.lines().next().unwrap_or_default().trim_end();
            if !line.ends_with('\\') {
                found.push(start..start + line.len());
            }
            line.len().max(2)
        } else if rest.starts_with('/') {
            1
        } else {
            string_length(rest)
        };
        at = start + length;
    }
    found
}

/// Returns the length of a string or character literal with its quotes.
fn string_length(text: &str) -> usize {
    let quote = text.as_bytes().first().copied();
    let mut bytes = text.bytes().enumerate().skip(1);
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'\\' => drop(bytes.next()),
            byte if Some(byte) == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_differ_from_code_and_strings() {
        let prose = |text: &str| -> Vec<String> {
            let found = in_prose(text).into_iter();
            found.map(|range| text[range].to_owned()).collect()
        };
        assert_eq!(
            prose("a <!-- b --> `<!-- c -->` <b> <!--\nd\n-->"),
            ["<!-- b -->", "<!--\nd\n-->"]
        );
        assert_eq!(prose("``a ` <!-- b --> `` <!-- c"), [""; 0]);
        let code = |text: &str| -> Vec<String> {
            let found = in_macro(text).into_iter();
            found.map(|range| text[range].to_owned()).collect()
        };
        assert_eq!(code("1 // a"), ["// a"]);
        assert_eq!(code("\"//\" '\\'' /* a */ / 2 // b \\"), ["/* a */"]);
        assert_eq!(code("\"open // a"), [""; 0]);
    }
}
