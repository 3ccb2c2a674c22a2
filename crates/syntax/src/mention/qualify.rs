//! What stands before a name in the text, as far as a dot or its like joins them.

/// A qualifier that is longer is an expression that says nothing by its words.
const LONGEST: usize = 120;

/// What joins a member to what it belongs to.
const JOINTS: &[&str] = &["::", "->", "?.", "!!.", "&.", "."];

/// The qualifier of the name at a byte: `None` where nothing is joined to it, and nothing
/// in it where what is joined has no words.
pub(super) fn before(text: &str, at: usize) -> Option<String> {
    let head = text[..at].trim_end();
    let joint = JOINTS.iter().find(|joint| head.ends_with(**joint))?;
    // A range or a spread is no dot before a name, and an arrow with space around it leads
    // to the type of what a function returns.
    let is_arrow =
        *joint == "->" && (head.len() < at || text[..head.len() - 2].ends_with([' ', '\n']));
    if head.ends_with("..") || is_arrow {
        return None;
    }
    let head = head[..head.len() - joint.len()].trim_end();
    let start = chain_start(head);
    let chain: String = head[start..].split_whitespace().collect();
    Some(if chain.len() > LONGEST {
        String::new()
    } else {
        chain
    })
}

/// Where the chain of names, calls and indexes begins that the text ends with.
fn chain_start(text: &str) -> usize {
    let mut depth = 0_usize;
    let mut start = text.len();
    // What a chain is joined by may stand on a line of its own.
    let mut is_joined = false;
    for (at, c) in text.char_indices().rev().take(4 * LONGEST) {
        match c {
            ')' | ']' => depth += 1,
            '>' if is_closing(text, at) => depth += 1,
            '(' | '[' | '<' if depth > 0 => depth -= 1,
            _ if depth > 0 => {}
            '.' | ':' | '?' | '!' => is_joined = true,
            '>' | '-' if text[..=at].ends_with("->") || text[at..].starts_with("->") => {
                is_joined = true;
            }
            _ if c.is_whitespace() && (is_joined || text[..at].trim_end().ends_with('.')) => {
                continue;
            }
            _ if c.is_alphanumeric() || matches!(c, '_' | '$' | '@') => is_joined = false,
            _ => break,
        }
        start = at;
    }
    start
}

/// Whether a `>` closes a list of types.
fn is_closing(text: &str, at: usize) -> bool {
    !text[..at].ends_with(['-', '=', ' '])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<&str>) {
        assert_eq!(before(text, text.len()).as_deref(), expected, "{text}");
    }

    #[test]
    fn chains() {
        check("x = ", None);
        check("x = a.", Some("a"));
        check(
            "return self.parts[0].first(1, 2).",
            Some("self.parts[0].first(1,2)"),
        );
        check("f(a).\n    b()\n    .", Some("f(a).b()"));
        check("Map<K, V>::", Some("Map<K,V>"));
        check("p->q->", Some("p->q"));
        check("fn f() -> ", None);
        check("if a?.", Some("a"));
        check("0..", None);
        check("(a + b).", Some("(a+b)"));
    }
}
