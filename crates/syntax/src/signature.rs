//! Formats declarations in one line.

/// Maximum bytes of a signature; a longer one is truncated.
const LONGEST: usize = 300;

/// Returns a declaration in one line, without the mark that opens its body.
pub(crate) fn signature(text: &str) -> String {
    let mut line = String::with_capacity(text.len().min(LONGEST));
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        // A word is read only as far as a signature: definitions may be nested in one long word.
        let near = &rest[..floor(rest, LONGEST + 4)];
        let (word, _) = near.split_at(near.find(char::is_whitespace).unwrap_or(near.len()));
        rest = rest[word.len()..].trim_start();
        let joins = line.is_empty() || line.ends_with(['(', '[']) || word.starts_with([')', ']']);
        if word.starts_with(')') && line.ends_with(',') {
            line.pop();
        }
        if !joins {
            line.push(' ');
        }
        line.push_str(word);
        if line.len() > LONGEST {
            line.truncate(floor(&line, LONGEST));
            line.push('…');
            return line;
        }
    }
    let end = line
        .trim_end_matches(|c: char| "{=;,".contains(c) || c.is_whitespace())
        .len();
    line.truncate(end);
    if let Some(end) = line.strip_suffix("=>").map(|kept| kept.trim_end().len()) {
        line.truncate(end);
    }
    line.trim_end_matches(':').trim_end().to_owned()
}

/// Returns the end of the longest prefix of a text with at most `most` bytes.
pub(crate) fn floor(text: &str, most: usize) -> usize {
    let mut end = text.len().min(most);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_one_line() {
        let check = |text: &str, expected: &str| assert_eq!(signature(text), expected);
        check(
            "fn a(\n    b: u8,\n    c: u8,\n) -> u8 {",
            "fn a(b: u8, c: u8) -> u8",
        );
        check("def a(b):", "def a(b)");
        check("const a = (b) => ", "const a = (b)");
        check("class A {", "class A");
        check(&"é".repeat(400), &format!("{}…", "é".repeat(150)));
        check(&"a".repeat(300), &"a".repeat(300));
        check("const A: [u8; 2] = [\n  1,\n];", "const A: [u8; 2] = [1,]");
    }
}
