//! The byte ranges of list members in a JSON text. The scanner only follows brackets and strings:
//! for text that is not JSON, the result is useless but harmless.

use std::ops::Range;

/// Maximum nesting of the lists that are searched.
const DEEPEST: usize = 4;

/// Returns the members of the outermost list, and of lists under one of the `keys`, in the order of
/// the text. Lists inside such a list are ignored.
pub(crate) fn members(text: &str, keys: &[&str]) -> Vec<Range<usize>> {
    let mut scan = Scan::new(text, keys);
    scan.run();
    scan.found
}

struct Scan<'a> {
    text: &'a str,
    keys: &'a [&'a str],
    /// Open lists and objects, at most [`DEEPEST`]: deeper ones have no wanted members.
    open: Vec<Open>,
    /// Number of open lists and objects below those.
    deeper: usize,
    /// Last string; it is a key if a colon follows.
    key: Option<Range<usize>>,
    found: Vec<Range<usize>>,
}

struct Open {
    /// Start of the current member, if the list is wanted.
    member: Option<usize>,
    is_taken: bool,
}

impl<'a> Scan<'a> {
    fn new(text: &'a str, keys: &'a [&'a str]) -> Self {
        Self {
            text,
            keys,
            open: Vec::new(),
            deeper: 0,
            key: None,
            found: Vec::new(),
        }
    }

    fn run(&mut self) {
        let bytes = self.text.as_bytes();
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            match byte {
                b'"' => {
                    let end = string_end(bytes, at);
                    self.start_member(at);
                    self.key = Some(at + 1..end.saturating_sub(1));
                    at = end;
                    continue;
                }
                b'{' | b'[' => {
                    self.start_member(at);
                    let is_taken = byte == b'[' && self.takes();
                    self.open(is_taken);
                    self.key = None;
                }
                b'}' | b']' => {
                    self.end_member(at);
                    self.close();
                    self.key = None;
                }
                b',' => {
                    self.end_member(at);
                    self.key = None;
                }
                b':' | b' ' | b'\n' | b'\r' | b'\t' => {}
                _ => self.start_member(at),
            }
            at += 1;
        }
    }

    /// Returns whether a list that opens here is wanted.
    fn takes(&self) -> bool {
        let is_inside = self.open.iter().any(|open| open.is_taken);
        let key = self
            .key
            .clone()
            .and_then(|key| self.text.get(key))
            .unwrap_or_default();
        let is_asked_for = self.open.len() < DEEPEST && self.keys.contains(&key);
        self.open.is_empty() || (is_asked_for && !is_inside)
    }

    fn open(&mut self, is_taken: bool) {
        match self.open.len() < DEEPEST {
            true => self.open.push(Open {
                member: None,
                is_taken,
            }),
            false => self.deeper += 1,
        }
    }

    fn close(&mut self) {
        match self.deeper.checked_sub(1) {
            Some(deeper) => self.deeper = deeper,
            None => _ = self.open.pop(),
        }
    }

    /// Returns the innermost list or object, if it may have wanted members.
    fn innermost(&mut self) -> Option<&mut Open> {
        self.open.last_mut().filter(|_| self.deeper == 0)
    }

    fn start_member(&mut self, at: usize) {
        if let Some(open) = self.innermost()
            && open.is_taken
            && open.member.is_none()
        {
            open.member = Some(at);
        }
    }

    fn end_member(&mut self, at: usize) {
        let Some(open) = self.innermost() else {
            return;
        };
        if let Some(start) = open.member.take() {
            let trimmed = self.text[start..at].trim_end().len();
            self.found.push(start..start + trimmed);
        }
    }
}

/// Returns the position after the closing quote of a string.
fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 1,
            b'"' => return at + 1,
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let found = members(text, &["messages"]);
        let found: Vec<_> = found.into_iter().map(|range| &text[range]).collect();
        assert_eq!(found, expected, "{text}");
    }

    /// Each open bracket took 24 bytes.
    #[test]
    fn open_brackets_take_no_memory() {
        let text = "[{".repeat(1_000);
        let mut scan = Scan::new(&text, &[]);
        scan.run();
        assert_eq!(scan.open.len() + scan.deeper, 2_000);
        assert!(scan.open.capacity() <= 2 * DEEPEST);
    }

    #[test]
    fn members_of_lists_are_found() {
        check(
            "[1, \"a,]\\\"\" , {\"b\": [2]}]",
            &["1", "\"a,]\\\"\"", "{\"b\": [2]}"],
        );
        check(
            "{\"x\": [1], \"messages\": [{\"a\": 1}, 2]}",
            &["{\"a\": 1}", "2"],
        );
        check("{\"x\": {\"messages\": [1]}}", &["1"]);
        check("[[[[[[1, 2]]]]], {}]", &["[[[[[1, 2]]]]]", "{}"]);
        check("{}", &[]);
        check("]] , }\"", &[]);
        check("[1, ", &["1"]);
    }
}
