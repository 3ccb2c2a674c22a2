//! A JSON parser that keeps the positions of values, with or without comments. It does not change
//! the text.

use std::ops::Range;

use serde_json::Value;

use super::{ForeignError, ForeignSyntax};

/// Maximum nesting: no configuration is deeper, and parsing it would fill the stack.
const DEEPEST: usize = 128;

/// Value with its position.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) range: Range<usize>,
    pub(super) kind: NodeKind,
}

#[derive(Debug)]
pub(super) enum NodeKind {
    Object(Vec<Member>),
    Array(Vec<Node>),
    Plain(Value),
}

/// Key with its value.
#[derive(Debug)]
pub(super) struct Member {
    pub(super) key: String,
    /// Start of the key.
    pub(super) start: usize,
    pub(super) value: Node,
    /// Position of the comma after it.
    pub(super) comma: Option<usize>,
}

impl Node {
    pub(super) fn value(&self) -> Value {
        match &self.kind {
            NodeKind::Plain(value) => value.clone(),
            NodeKind::Array(items) => items.iter().map(Self::value).collect(),
            NodeKind::Object(members) => {
                let pair = |member: &Member| (member.key.clone(), member.value.value());
                Value::Object(members.iter().map(pair).collect())
            }
        }
    }
}

/// Parses the value of a text; returns `None` if the text contains only white space.
pub(super) fn read(text: &str, syntax: ForeignSyntax) -> Result<Option<Node>, ForeignError> {
    let mut reader = Reader {
        text,
        // Some editors write a byte order mark at the beginning.
        at: if text.starts_with('\u{feff}') { 3 } else { 0 },
        is_strict: syntax == ForeignSyntax::Json,
    };
    reader.skip()?;
    if reader.at == text.len() {
        return Ok(None);
    }
    let node = reader.node(0)?;
    reader.skip()?;
    match reader.at == text.len() {
        true => Ok(Some(node)),
        false => Err(reader.wrong("expected the end of the file")),
    }
}

/// Returns the end of the trailing part of the line at `at`: spaces, and comments that end in it.
pub(super) fn line_rest(text: &str, mut at: usize) -> usize {
    let bytes = text.as_bytes();
    loop {
        let rest = &text[at..];
        match bytes.get(at) {
            Some(b' ' | b'\t') => at += 1,
            Some(b'/') if rest.starts_with("//") => {
                return at + rest.find(['\n', '\r']).unwrap_or(rest.len());
            }
            Some(b'/') if rest.starts_with("/*") => match rest.find("*/") {
                Some(end) if !rest[..end].contains('\n') => at += end + 2,
                _ => return at,
            },
            _ => return at,
        }
    }
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    is_strict: bool,
}

impl Reader<'_> {
    fn wrong(&self, problem: &str) -> ForeignError {
        ForeignError::at(self.text, self.at, problem)
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Skips spaces and comments.
    fn skip(&mut self) -> Result<(), ForeignError> {
        loop {
            let rest = &self.text[self.at..];
            match self.peek() {
                Some(b' ' | b'\t' | b'\n' | b'\r') => self.at += 1,
                Some(b'/') if self.is_strict => {
                    return Err(self.wrong("expected JSON; comments are not allowed in this file"));
                }
                Some(b'/') if rest.starts_with("//") => {
                    self.at += rest.find('\n').unwrap_or(rest.len());
                }
                Some(b'/') if rest.starts_with("/*") => match rest.find("*/") {
                    Some(end) => self.at += end + 2,
                    None => return Err(self.wrong("unterminated comment")),
                },
                _ => return Ok(()),
            }
        }
    }

    fn node(&mut self, depth: usize) -> Result<Node, ForeignError> {
        if depth > DEEPEST {
            return Err(self.wrong("nested too deeply"));
        }
        let start = self.at;
        let kind = match self.peek() {
            Some(b'{') => self.object(depth)?,
            Some(b'[') => self.array(depth)?,
            Some(b'"') => NodeKind::Plain(Value::String(self.string()?)),
            _ => self.word()?,
        };
        let range = start..self.at;
        Ok(Node { range, kind })
    }

    fn object(&mut self, depth: usize) -> Result<NodeKind, ForeignError> {
        let mut members: Vec<Member> = Vec::new();
        self.at += 1;
        loop {
            self.skip()?;
            if self.closes(
                b'}',
                members.last().is_some_and(|last| last.comma.is_some()),
            )? {
                return Ok(NodeKind::Object(members));
            }
            if members.last().is_some_and(|last| last.comma.is_none()) {
                return Err(self.wrong("expected `,` or `}`"));
            }
            let start = self.at;
            if self.peek() != Some(b'"') {
                return Err(self.wrong("expected a key in quotes"));
            }
            let key = self.string()?;
            self.skip()?;
            if self.peek() != Some(b':') {
                return Err(self.wrong("expected `:`"));
            }
            self.at += 1;
            self.skip()?;
            let value = self.node(depth + 1)?;
            let comma = self.comma()?;
            members.push(Member {
                key,
                start,
                value,
                comma,
            });
        }
    }

    fn array(&mut self, depth: usize) -> Result<NodeKind, ForeignError> {
        let (mut items, mut comma) = (Vec::new(), None);
        self.at += 1;
        loop {
            self.skip()?;
            if self.closes(b']', comma.is_some())? {
                return Ok(NodeKind::Array(items));
            }
            if !items.is_empty() && comma.is_none() {
                return Err(self.wrong("expected `,` or `]`"));
            }
            items.push(self.node(depth + 1)?);
            comma = self.comma()?;
        }
    }

    /// Skips the end of a list or object, if it is next.
    fn closes(&mut self, end: u8, has_comma: bool) -> Result<bool, ForeignError> {
        if self.peek() != Some(end) {
            return Ok(false);
        }
        if has_comma && self.is_strict {
            return Err(self.wrong("expected JSON, which has no comma before the end"));
        }
        self.at += 1;
        Ok(true)
    }

    fn comma(&mut self) -> Result<Option<usize>, ForeignError> {
        self.skip()?;
        if self.peek() != Some(b',') {
            return Ok(None);
        }
        self.at += 1;
        Ok(Some(self.at - 1))
    }

    fn string(&mut self) -> Result<String, ForeignError> {
        let bytes = self.text.as_bytes();
        let mut end = self.at + 1;
        loop {
            match bytes.get(end) {
                Some(b'"') => break,
                Some(b'\\') => end += 2,
                Some(b'\n') | None => return Err(self.wrong("unterminated string")),
                Some(_) => end += 1,
            }
        }
        let read = serde_json::from_str(&self.text[self.at..=end]);
        let text = read.map_err(|_| self.wrong("invalid string"))?;
        self.at = end + 1;
        Ok(text)
    }

    /// Parses a number, `true`, `false` or `null`.
    fn word(&mut self) -> Result<NodeKind, ForeignError> {
        let rest = &self.text[self.at..];
        let is_part = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
        let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let read = serde_json::from_str(&rest[..end]);
        let value = read.map_err(|_| self.wrong("expected a value"))?;
        self.at += end;
        Ok(NodeKind::Plain(value))
    }
}
