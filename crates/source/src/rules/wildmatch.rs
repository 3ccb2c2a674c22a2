//! Matches patterns with several `**` in time proportional to the product of the lengths of pattern
//! and path. With backtracking, the time would grow with the number of directories to the power of
//! the number of `**`, and a repository's ignore file controls both.

use gix::bstr::ByteSlice;
use gix::glob::wildmatch::Mode;

/// A pattern of git as an automaton.
#[derive(Debug)]
pub(super) struct Wildmatch {
    tokens: Vec<Token>,
    folds_case: bool,
    /// Minimum length of a match, in bytes.
    shortest: usize,
}

/// A step of the automaton. By default it consumes one byte of the path and goes to the next step.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    /// This byte.
    Byte(u8),
    /// `?`: any byte but a slash.
    Any,
    /// `[a-z]`: one bit for each byte.
    Class(Box<[u64; 4]>),
    /// `*`: any bytes but slashes, or none.
    Star,
    /// `**`: any bytes, or none.
    StarStar,
    /// Before `**` and `/`: goes to them or past them, because `**/` also matches nothing.
    Directories,
}

impl Wildmatch {
    /// Compiles `pattern` if it contains two or more `**`, because backtracking could take long.
    /// `mode` controls case sensitivity. A pattern that never matches in git has no tokens.
    pub(super) fn compile(pattern: &[u8], mode: Mode) -> Option<Self> {
        if pattern.find_iter("**").take(2).count() < 2 {
            return None;
        }
        let tokens = tokens(pattern, mode).unwrap_or_default();
        let takes_one = |one: &&Token| matches!(one, Token::Byte(_) | Token::Any | Token::Class(_));
        let least = tokens.iter().filter(takes_one).count();
        let skipped = tokens.iter().filter(|one| **one == Token::Directories);
        Some(Self {
            shortest: least.saturating_sub(skipped.count()),
            folds_case: mode.contains(Mode::IGNORE_CASE),
            tokens,
        })
    }

    /// Returns true if the pattern matches the whole path.
    pub(super) fn matches(&self, path: &[u8]) -> bool {
        self.run(path).0
    }

    /// Matches a path. Returns the result and the number of steps taken.
    fn run(&self, path: &[u8]) -> (bool, usize) {
        // Skips paths that are shorter than any match, so that the work is bounded by the path, not
        // only by the pattern.
        if self.tokens.is_empty() || path.len() < self.shortest {
            return (false, 0);
        }
        let end = self.tokens.len();
        let mut now = vec![false; end + 1];
        let mut next = now.clone();
        let mut steps = 0;
        now[0] = true;
        self.skip(&mut now);
        for &byte in path {
            let byte = match self.folds_case {
                true => byte.to_ascii_lowercase(),
                false => byte,
            };
            next.fill(false);
            for (at, token) in self.tokens.iter().enumerate().filter(|(at, _)| now[*at]) {
                let goes_on = match token {
                    Token::Byte(one) => *one == byte,
                    Token::Any => byte != b'/',
                    Token::Class(class) => byte != b'/' && has(class, byte),
                    Token::Star | Token::StarStar | Token::Directories => false,
                };
                let stays = match token {
                    Token::Star => byte != b'/',
                    token => *token == Token::StarStar,
                };
                next[at] |= stays;
                next[at + 1] |= goes_on;
            }
            steps += end;
            std::mem::swap(&mut now, &mut next);
            self.skip(&mut now);
        }
        (now[end], steps)
    }

    /// Marks the steps that are reachable without a byte.
    fn skip(&self, reached: &mut [bool]) {
        for (at, token) in self.tokens.iter().enumerate() {
            if !reached[at] {
                continue;
            }
            match token {
                Token::Star | Token::StarStar => reached[at + 1] = true,
                Token::Directories => {
                    reached[at + 1] = true;
                    reached[at + 3] = true;
                }
                Token::Byte(_) | Token::Any | Token::Class(_) => {}
            }
        }
    }
}

/// Parses a pattern; returns `None` if it never matches in git.
fn tokens(pattern: &[u8], mode: Mode) -> Option<Vec<Token>> {
    let folded = |byte: u8| match mode.contains(Mode::IGNORE_CASE) {
        true => byte.to_ascii_lowercase(),
        false => byte,
    };
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(&byte) = pattern.get(at) {
        match byte {
            b'\\' => {
                tokens.push(Token::Byte(folded(*pattern.get(at + 1)?)));
                at += 2;
            }
            b'?' => {
                tokens.push(Token::Any);
                at += 1;
            }
            b'[' => {
                let end = class_end(pattern, at)?;
                tokens.push(class(&pattern[at..end], mode));
                at = end;
            }
            b'*' => at = stars(pattern, at, &mut tokens),
            _ => {
                tokens.push(Token::Byte(folded(byte)));
                at += 1;
            }
        }
    }
    Some(tokens)
}

/// Adds the tokens for the stars at `start`, and for the slash after `**/`. Returns the position
/// after them.
fn stars(pattern: &[u8], start: usize, tokens: &mut Vec<Token>) -> usize {
    let count = pattern[start..].iter().take_while(|one| **one == b'*');
    let end = start + count.count();
    let rest = &pattern[end..];
    let begins = start == 0 || pattern[start - 1] == b'/';
    let slash = match rest {
        [b'/', ..] => 1,
        [b'\\', b'/', ..] => 2,
        _ => 0,
    };
    if end - start == 1 || !begins || (slash == 0 && !rest.is_empty()) {
        tokens.push(Token::Star);
        return end;
    }
    if slash == 0 {
        tokens.push(Token::StarStar);
        return end;
    }
    tokens.extend([Token::Directories, Token::StarStar, Token::Byte(b'/')]);
    end + slash
}

/// Returns the end of the class that starts at `start`.
fn class_end(pattern: &[u8], start: usize) -> Option<usize> {
    let mut at = start + 1;
    at += usize::from(matches!(pattern.get(at), Some(b'!' | b'^')));
    // A closing bracket in the first position is a member of the class.
    let mut is_first = true;
    loop {
        match pattern.get(at..)? {
            [b']', ..] if !is_first => return Some(at + 1),
            [b'\\', _, ..] => at += 2,
            [b'[', b':', rest @ ..] => at += rest.find(":]")? + 4,
            [_, ..] => at += 1,
            [] => return None,
        }
        is_first = false;
    }
}

/// Parses a class with the semantics of git's matcher.
fn class(text: &[u8], mode: Mode) -> Token {
    let mut bits = [0_u64; 4];
    for byte in 0..=u8::MAX {
        if gix::glob::wildmatch(text.as_bstr(), [byte].as_bstr(), mode) {
            bits[usize::from(byte / 64)] |= 1 << (byte % 64);
        }
    }
    Token::Class(Box::new(bits))
}

fn has(class: &[u64; 4], byte: u8) -> bool {
    class[usize::from(byte / 64)] >> (byte % 64) & 1 == 1
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const PATHS: Mode = Mode::NO_MATCH_SLASH_LITERAL;

    fn check(pattern: &str, path: &str, expected: bool) {
        let compiled = Wildmatch::compile(pattern.as_bytes(), PATHS).unwrap();
        let found = compiled.matches(path.as_bytes());
        assert_eq!(found, expected, "{pattern} on {path}");
    }

    #[test]
    fn double_stars_cross_directories() {
        check("**/a/**/b", "a/b", true);
        check("**/a/**/b", "x/a/y/z/b", true);
        check("**/a/**/b", "x/ab", false);
        check("a/**/**/b", "a/b", true);
        check("a/**/b/**", "a/b/c", true);
        check("**/a**b/**/c", "axb/c", true);
        check("**/a**b/**/c", "a/b/c", false);
        check("**/[ab]/**/?", "x/b/c", true);
        check("**/[!ab]/**/?", "a/b/c", false);
        check(r"**/\*/**/c", "*/c", true);
        check("**/[a/**/c", "a/c", false);
        assert!(Wildmatch::compile(b"**/a*", PATHS).is_none());
    }

    /// A repository controls the pattern and the path.
    #[test]
    fn steps_are_the_product_of_the_lengths() {
        for count in [10, 20, 40, 80] {
            let pattern = format!("{}b", "**/a/".repeat(count));
            let path = format!("{}c", "a/".repeat(count));
            let compiled = Wildmatch::compile(pattern.as_bytes(), PATHS).unwrap();
            let (is_match, steps) = compiled.run(path.as_bytes());
            assert!(!is_match);
            assert!(steps <= 2 * pattern.len() * path.len(), "{count}: {steps}");
            // A long pattern costs nothing for a path that is too short.
            assert_eq!(compiled.run(b"a/b").1, 0);
        }
    }

    proptest! {
        #[test]
        fn matches_as_git_does(
            pattern in r"(\*\*/|/\*\*|\*|a|b|/|\?|\[ab\]|\[!a\]|\\a|A){1,8}",
            path in "[abA]{1,2}(/[abA]{1,2}){0,3}",
            folds in any::<bool>(),
        ) {
            let mode = if folds { PATHS | Mode::IGNORE_CASE } else { PATHS };
            if let Some(compiled) = Wildmatch::compile(pattern.as_bytes(), mode) {
                let expected = gix::glob::wildmatch(pattern.as_bytes().as_bstr(), path.as_bytes().as_bstr(), mode);
                prop_assert_eq!(compiled.matches(path.as_bytes()), expected, "{} on {}", pattern, path);
            }
        }
    }
}
