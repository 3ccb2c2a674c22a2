//! Finds the qualifier of a name: the text before it that a dot or a similar operator joins to it.

/// Maximum length of a qualifier; a longer one is an expression without a meaning as a name.
const LONGEST: usize = 120;

/// Operators that join a member to its owner.
const JOINTS: &[&str] = &["::", "->", "?.", "!!.", "&.", "."];

/// Returns the qualifier of the name at a byte: `None` if no operator precedes it, and empty if the
/// text before the operator has no words.
pub(super) fn before(text: &str, at: usize) -> Option<String> {
    let head = text[..at].trim_end();
    let joint = JOINTS.iter().find(|joint| head.ends_with(**joint))?;
    // A range or spread operator is not a member access, and an arrow with space around it precedes
    // the result type of a function.
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

/// Returns the start of the chain of names, calls and indices at the end of a text.
fn chain_start(text: &str) -> usize {
    let mut depth = 0_usize;
    let mut start = text.len();
    // An operator of the chain may be on a separate line.
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

/// Returns whether a `>` closes a list of types.
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
    fn qualifiers_are_chains_of_members() {
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
