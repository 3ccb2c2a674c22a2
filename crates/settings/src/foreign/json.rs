//! JSON with the places of its parts, comments allowed or not. Nothing is changed here.

use std::ops::Range;

use serde_json::Value;

use super::{ForeignError, ForeignSyntax};

/// Deeper files are nobody's configuration, and would fill the stack.
const DEEPEST: usize = 128;

/// A value and its place.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) range: Range<usize>,
    pub(super) kind: Kind,
}

#[derive(Debug)]
pub(super) enum Kind {
    Object(Vec<Member>),
    Array(Vec<Node>),
    Plain(Value),
}

/// A key with its value.
#[derive(Debug)]
pub(super) struct Member {
    pub(super) key: String,
    /// Where the key begins.
    pub(super) start: usize,
    pub(super) value: Node,
    /// Where the comma behind it is.
    pub(super) comma: Option<usize>,
}

impl Node {
    pub(super) fn value(&self) -> Value {
        match &self.kind {
            Kind::Plain(value) => value.clone(),
            Kind::Array(items) => items.iter().map(Self::value).collect(),
            Kind::Object(members) => {
                let pair = |member: &Member| (member.key.clone(), member.value.value());
                Value::Object(members.iter().map(pair).collect())
            }
        }
    }
}

/// The value of a text; `None` when there is only space in it.
pub(super) fn read(text: &str, syntax: ForeignSyntax) -> Result<Option<Node>, ForeignError> {
    let mut reader = Reader {
        text,
        // Some editors write a mark at the beginning.
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

/// Behind what belongs to the line at `at`: spaces and comments that end in it.
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

    /// Over spaces and comments.
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
                    None => return Err(self.wrong("a comment that does not end")),
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
            Some(b'"') => Kind::Plain(Value::String(self.string()?)),
            _ => self.word()?,
        };
        let range = start..self.at;
        Ok(Node { range, kind })
    }

    fn object(&mut self, depth: usize) -> Result<Kind, ForeignError> {
        let mut members: Vec<Member> = Vec::new();
        self.at += 1;
        loop {
            self.skip()?;
            if self.closes(
                b'}',
                members.last().is_some_and(|last| last.comma.is_some()),
            )? {
                return Ok(Kind::Object(members));
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

    fn array(&mut self, depth: usize) -> Result<Kind, ForeignError> {
        let (mut items, mut comma) = (Vec::new(), None);
        self.at += 1;
        loop {
            self.skip()?;
            if self.closes(b']', comma.is_some())? {
                return Ok(Kind::Array(items));
            }
            if !items.is_empty() && comma.is_none() {
                return Err(self.wrong("expected `,` or `]`"));
            }
            items.push(self.node(depth + 1)?);
            comma = self.comma()?;
        }
    }

    /// Over the end of a list, where it is one.
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
                Some(b'\n') | None => return Err(self.wrong("a text that does not end")),
                Some(_) => end += 1,
            }
        }
        let read = serde_json::from_str(&self.text[self.at..=end]);
        let text = read.map_err(|_| self.wrong("a text that is not JSON"))?;
        self.at = end + 1;
        Ok(text)
    }

    /// A number, `true`, `false` or `null`.
    fn word(&mut self) -> Result<Kind, ForeignError> {
        let rest = &self.text[self.at..];
        let is_part = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
        let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let read = serde_json::from_str(&rest[..end]);
        let value = read.map_err(|_| self.wrong("expected a value"))?;
        self.at += end;
        Ok(Kind::Plain(value))
    }
}
