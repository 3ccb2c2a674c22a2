//! Rejects texts that cannot be parsed: too large, with an endless line, nested too deeply, or
//! binary. Also rejects texts that the scanner of a grammar cannot handle: scanners are C code,
//! which may overrun its buffer or scan the same text repeatedly.

use crate::FindingKind;
use crate::limits::Limits;

/// Maximum levels of YAML, whose scanner stores 4 bytes for each level in a buffer of 1,024.
const YAML_LEVELS: usize = 200;

/// Maximum number of open elements, all of which the scanner of HTML visits for each token.
const OPEN_ELEMENTS: usize = 1_000;

/// Maximum number of open comments. In languages with nested comments, scanners search the end of
/// each from its start. A list of a thousand globs stays below the limit.
const OPEN_COMMENTS: usize = 1_000;

/// Returns the reason to reject the text, if there is one.
pub(crate) fn reason(id: &str, text: &str, limits: &Limits) -> Option<FindingKind> {
    if text.len() > limits.bytes {
        return Some(FindingKind::TooLarge);
    }
    let (mut line, mut depth) = (0_usize, 0_usize);
    for byte in text.bytes() {
        line += 1;
        match byte {
            b'\n' => line = 0,
            0 => return Some(FindingKind::Nul),
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if line > limits.line {
            return Some(FindingKind::LongLine);
        }
        if depth > limits.brackets {
            return Some(FindingKind::TooDeep);
        }
    }
    overruns_scanner(id, text).then_some(FindingKind::TooDeep)
}

fn overruns_scanner(id: &str, text: &str) -> bool {
    match id {
        "yaml" => yaml_levels(text) > YAML_LEVELS,
        "html" | "vue" | "svelte" => open_elements(text) > OPEN_ELEMENTS,
        "swift" | "kotlin" | "scala" | "rust" => open_comments(text) > OPEN_COMMENTS,
        _ => false,
    }
}

/// Returns the maximum number of indentation levels that are open at the same time. Dashes open
/// levels, too.
fn yaml_levels(text: &str) -> usize {
    let (mut open, mut most): (Vec<usize>, usize) = (Vec::new(), 0);
    for line in text.lines() {
        let content = line.trim_start_matches([' ', '-', '?', ':', '\t']);
        if content.is_empty() && line.trim().is_empty() {
            continue;
        }
        let start = &line[..line.len() - content.len()];
        let marks = start.match_indices(['-', '?', ':']).map(|(at, _)| at);
        for column in marks.chain([start.len()]) {
            while open.last().is_some_and(|last| *last >= column) {
                open.pop();
            }
            open.push(column);
        }
        most = most.max(open.len());
    }
    most
}

/// Returns the maximum number of elements that are open at the same time, without void elements.
fn open_elements(text: &str) -> usize {
    let (mut open, mut most) = (0_usize, 0);
    for tag in text.split('<').skip(1) {
        let is_end = tag.starts_with('/');
        let name = tag.trim_start_matches('/');
        let end = name
            .find(|c: char| !c.is_ascii_alphanumeric())
            .unwrap_or(name.len());
        let name = name[..end].to_ascii_lowercase();
        if name.is_empty() || needs_no_end(&name) {
            continue;
        }
        open = if is_end {
            open.saturating_sub(1)
        } else {
            open + 1
        };
        most = most.max(open);
    }
    most
}

fn needs_no_end(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "area", "base", "br", "col", "dd", "dt", "embed", "hr", "img", "input", "li", "link",
        "meta", "option", "p", "param", "source", "td", "th", "tr", "track", "wbr", "path",
        "circle", "rect", "line", "use",
    ];
    NAMES.contains(&name)
}

/// Returns the maximum number of comments that are open at the same time.
fn open_comments(text: &str) -> usize {
    let (mut open, mut most) = (0_usize, 0);
    let mut rest = text.as_bytes();
    loop {
        let step = match rest {
            [b'/', b'*', ..] => {
                open += 1;
                2
            }
            [b'*', b'/', ..] => {
                open = open.saturating_sub(1);
                2
            }
            [] => return most,
            _ => 1,
        };
        most = most.max(open);
        rest = &rest[step..];
    }
}
