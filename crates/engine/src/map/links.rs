//! Markdown links in a sentence that is shown on one line: their text stays, their targets go. A
//! target that is cut off goes, too.

/// Maximum bytes that are read: a sentence is shorter, and links may be nested.
const LONGEST: usize = 2_000;

/// Returns a text without the targets of its links and without pictures. Brackets that are no link
/// stay, as in `list[int]`.
pub(crate) fn without_targets(text: &str) -> String {
    let mut rest = &text[..text.floor_char_boundary(LONGEST)];
    let mut out = String::with_capacity(rest.len());
    while let Some(at) = rest.find('[') {
        let (before, found) = rest.split_at(at);
        out.push_str(before);
        let is_code = |c: char| c.is_alphanumeric() || "_`)]".contains(c);
        let link = match before.ends_with(is_code) {
            true => None,
            false => link(found),
        };
        rest = match link {
            Some((_, rest)) if before.ends_with('!') => {
                out.pop();
                rest
            }
            Some((text, rest)) => {
                out.push_str(&without_targets(text));
                rest
            }
            None => {
                out.push('[');
                &found[1..]
            }
        };
    }
    out.push_str(rest);
    out
}

/// Returns the text of the link at the start, and the text after the link.
fn link(found: &str) -> Option<(&str, &str)> {
    let text = enclosed(found, ['[', ']'])?;
    let after = &found[text.len() + 2..];
    let brackets = match after.chars().next() {
        Some('(') => ['(', ')'],
        Some('[') => ['[', ']'],
        _ => return None,
    };
    Some(match enclosed(after, brackets) {
        Some(target) => (text, &after[target.len() + 2..]),
        None => (text, ""),
    })
}

/// Returns the text between the opening bracket at the start of `text` and its closing bracket.
pub(super) fn enclosed(text: &str, [open, close]: [char; 2]) -> Option<&str> {
    let inner = text.strip_prefix(open)?;
    let mut depth = 1;
    for (at, c) in inner.char_indices() {
        if c == open {
            depth += 1;
        } else if c == close {
            depth -= 1;
        }
        if depth == 0 {
            return Some(&inner[..at]);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn only_the_text_of_links_stays() {
        for (text, expected) in [
            (
                "see the [guide](docs/guide.md) first",
                "see the guide first",
            ),
            ("see the [guide](docs/gui", "see the guide"),
            ("see [guide](", "see guide"),
            ("see [`Guide`](a_(b).md).", "see `Guide`."),
            ("see [the guide][1] now", "see the guide now"),
            ("![logo](logo.png) A tool", " A tool"),
            ("[![CI](https://ci.svg)](https://ci) A tool", " A tool"),
            ("a `list[int](x)` of b[0](1)", "a `list[int](x)` of b[0](1)"),
            (
                "[REDACTED:password:1] in [Config]",
                "[REDACTED:password:1] in [Config]",
            ),
            ("no end [of it", "no end [of it"),
        ] {
            assert_eq!(without_targets(text), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in ".{0,200}|[\\[\\]()!a `é]{0,80}") {
            prop_assert!(without_targets(&text).len() <= text.len());
        }
    }
}
