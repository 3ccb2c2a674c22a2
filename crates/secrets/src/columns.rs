//! Tables with named columns: the column name applies to each value. Statements that insert rows
//! into a table, files with separated values, and PostgreSQL's password file.

use std::ops::Range;

use crate::assigned::Form;
use crate::finding::Vote;
use crate::names::{self, NameClass};
use crate::place::{Layout, Role, Syntax, TextContext};
use crate::triggers::Hit;
use crate::value::nature;
use crate::weighing::Evidence;

/// Maximum length of a statement that is examined in prose; a stream withholds the same number of
/// bytes.
pub(crate) const REACH: usize = 4000;

/// Maximum length of the options between `FROM stdin` and the first row.
const OPTIONS: usize = 200;

/// Maximum length of a table header.
const HEAD: usize = 4096;

/// Votes on a file that is one table.
pub(crate) fn find(bytes: &[u8], place: TextContext, votes: &mut Vec<Vote>) {
    let mut table = Reader {
        bytes,
        at: 0,
        end: bytes.len(),
        found: Vec::new(),
    };
    match place.layout {
        Layout::Free
        | Layout::Tables
        | Layout::Pairs
        | Layout::Thirds
        | Layout::QuotedPairs
        | Layout::Manifest
        | Layout::Value(_) => return,
        Layout::Table => table.separated(),
        Layout::Pgpass => table.pgpass(),
    }
    // The column name decides, however weak a value looks.
    let place = TextContext {
        role: Role::Config,
        ..place
    };
    // A column of tokens that contains a plain word is a column of a text.
    let is_word = |cell: &Cell| {
        let found = &bytes[cell.span.clone()];
        cell.promise == NameClass::Token && found.iter().all(u8::is_ascii_alphabetic)
    };
    if table.found.iter().any(is_word) {
        table.found.retain(|cell| cell.promise != NameClass::Token);
    }
    votes.extend(table.votes(place));
}

/// Votes on the rows of the statement that starts at `hit`. Returns their end.
pub(crate) fn find_rows(
    bytes: &[u8],
    hit: &Hit,
    place: TextContext,
    votes: &mut Vec<Vote>,
) -> usize {
    let end = match place.syntax {
        Syntax::Prose => bytes.len().min(hit.start + REACH),
        _ => bytes.len(),
    };
    let mut rows = Reader {
        bytes,
        at: hit.end,
        end,
        found: Vec::new(),
    };
    // Values found before the end of the text count.
    let _ = rows.statement();
    votes.extend(rows.votes(place));
    rows.at
}

/// Returns true if the statement that starts at `hit` may continue after the end of the text.
pub(crate) fn is_open(bytes: &[u8], hit: &Hit) -> bool {
    let mut rows = Reader {
        bytes,
        at: hit.end,
        end: bytes.len().min(hit.start + REACH),
        found: Vec::new(),
    };
    rows.statement().is_none() && bytes.len() < hit.start + REACH
}

/// Returns the name class of a column if it promises a secret, not just any key.
fn promise(name: &[u8]) -> Option<NameClass> {
    let is_secret = |promise: &NameClass| {
        !matches!(promise, NameClass::Key | NameClass::Salt | NameClass::Auth)
    };
    names::promise(name).filter(is_secret)
}

/// A value in a column.
struct Cell {
    span: Range<usize>,
    promise: NameClass,
    form: Form,
}

/// A string and its syntax.
type Text = (Range<usize>, Form);

/// Indices and name classes of the columns that contain secrets.
type Columns = Vec<(usize, NameClass)>;

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    end: usize,
    found: Vec<Cell>,
}

/// The parsing functions return `None` at the end of the text.
impl Reader<'_> {
    fn votes(&self, place: TextContext) -> impl Iterator<Item = Vote> {
        self.found.iter().filter_map(move |cell| {
            let found = &self.bytes[cell.span.clone()];
            let points = Evidence {
                name: b"",
                promise: cell.promise,
                nature: nature(found),
                form: cell.form,
                has_scheme: false,
                place,
                found,
            }
            .points()?;
            Some(Vote {
                span: cell.span.clone(),
                kind: cell.promise.kind(),
                points,
                reason: "stands in a column for secrets",
            })
        })
    }

    fn here(&self) -> Option<u8> {
        self.bytes[..self.end].get(self.at).copied()
    }

    fn skip_blank(&mut self) -> Option<u8> {
        while self.here()?.is_ascii_whitespace() {
            self.at += 1;
        }
        self.here()
    }

    /// Skips the word, ignoring case. Returns false if the text has another word here.
    fn takes(&mut self, word: &[u8]) -> Option<bool> {
        let rest = &self.bytes[self.at..self.end];
        let known = rest.len().min(word.len());
        if !rest[..known].eq_ignore_ascii_case(&word[..known]) {
            return Some(false);
        }
        if known < word.len() {
            return None;
        }
        self.at += word.len();
        Some(true)
    }

    /// `users (name, password) VALUES ('…', '…'), …;` and
    /// `users (name, password) FROM stdin;` with lines of fields.
    fn statement(&mut self) -> Option<()> {
        let Some(columns) = self.head()? else {
            return Some(());
        };
        self.skip_blank()?;
        if self.takes(b"VALUES")? {
            return self.rows(&columns);
        }
        if !self.takes(b"FROM stdin")? {
            return Some(());
        }
        // `WITH (FORMAT csv);` may follow.
        let near = self.end.min(self.at + OPTIONS);
        match memchr::memchr(b'\n', &self.bytes[self.at..near]) {
            Some(line) => self.at += line + 1,
            None if near < self.at + OPTIONS => return None,
            None => return Some(()),
        }
        while !self.is_end_of_copy() {
            self.line(b'\t', &columns)?;
        }
        Some(())
    }

    /// Returns true at `\.`, and at a line with the next statement, whose rows are read with it.
    fn is_end_of_copy(&self) -> bool {
        let rest = &self.bytes[self.at..self.end];
        let near = &rest[..rest.len().min(HEAD)];
        let line = &near[..memchr::memchr(b'\n', near).unwrap_or(near.len())];
        let is_head = |text: &[u8]| text.eq_ignore_ascii_case(b"FROM stdin");
        line.starts_with(b"\\.") || line.windows(10).any(is_head)
    }

    /// Parses the names in brackets. Returns the columns for secrets, if there are any.
    fn head(&mut self) -> Option<Option<Columns>> {
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"_.\"`[] \t$".contains(&byte);
        let begin = self.at;
        while is_name(self.here()?) && self.at - begin < 200 {
            self.at += 1;
        }
        if self.skip_blank()? != b'(' {
            return Some(None);
        }
        let begin = self.at + 1;
        while self.here()? != b')' {
            let is_wrong = matches!(self.bytes[self.at], b';' | b'\'') || self.at > begin + HEAD;
            if is_wrong {
                return Some(None);
            }
            self.at += 1;
        }
        let names = &self.bytes[begin.min(self.at)..self.at];
        self.at += 1;
        let columns = columns(names.split(|byte| *byte == b','));
        Some((!columns.is_empty()).then_some(columns))
    }

    fn rows(&mut self, columns: &Columns) -> Option<()> {
        while self.skip_blank()? == b'(' {
            self.at += 1;
            let mut number = 0;
            loop {
                let (cell, delimiter) = self.expression()?;
                let column = columns.iter().find(|(column, _)| *column == number);
                if let (Some((span, form)), Some((_, promise))) = (cell, column) {
                    let promise = *promise;
                    self.found.push(Cell {
                        span,
                        promise,
                        form,
                    });
                }
                number += 1;
                if delimiter == b')' {
                    break;
                }
            }
            if self.skip_blank()? == b',' {
                self.at += 1;
            }
        }
        Some(())
    }

    /// Parses an expression. Returns its string, and the delimiter after it: `,` or `)`.
    fn expression(&mut self) -> Option<(Option<Text>, u8)> {
        let mut string = None;
        let mut depth = 0;
        self.skip_blank()?;
        loop {
            let byte = self.here()?;
            self.at += 1;
            match byte {
                b'\'' => {
                    let start = self.at;
                    self.leave_string()?;
                    let form = match depth {
                        0 => Form::Quoted,
                        _ => Form::Wrapped,
                    };
                    string.get_or_insert((start..self.at - 1, form));
                }
                b'(' => depth += 1,
                b')' if depth > 0 => depth -= 1,
                b')' => return Some((string, byte)),
                b',' if depth == 0 => return Some((string, byte)),
                _ => {}
            }
        }
    }

    /// Skips to the byte after the closing quote; a doubled quote is part of the string.
    fn leave_string(&mut self) -> Option<()> {
        loop {
            // An unclosed quote must not hide the statements after it.
            let rest = &self.bytes[self.at..self.end];
            let near = &rest[..rest.len().min(2 * HEAD)];
            self.at += memchr::memchr2(b'\'', b'\\', near)? + 1;
            let next = self.here()?;
            if self.bytes[self.at - 1] == b'\\' || next == b'\'' {
                self.at += 1;
            } else {
                return Some(());
            }
        }
    }

    /// Parses a file with column names in its first line.
    fn separated(&mut self) {
        let line = &self.bytes[..self.end.min(HEAD)];
        let line = &line[..memchr::memchr(b'\n', line).unwrap_or(0)];
        let count = |sign: &u8| memchr::memchr_iter(*sign, line).count();
        let Some(sign) = b"\t;|,".iter().copied().max_by_key(count) else {
            return;
        };
        let columns = columns(line.split(|byte| *byte == sign));
        self.at = line.len() + 1;
        while !columns.is_empty() && self.at < self.end {
            // The last line may have no newline.
            if self.line(sign, &columns).is_none() {
                return;
            }
        }
    }

    /// Parses one line of fields; quoted fields may contain any character.
    fn line(&mut self, sign: u8, columns: &Columns) -> Option<()> {
        let mut number = 0;
        loop {
            let (span, is_last) = self.field(sign);
            let column = columns.iter().find(|(column, _)| *column == number);
            if let Some((_, promise)) = column {
                self.found.push(Cell {
                    span,
                    promise: *promise,
                    form: Form::Quoted,
                });
            }
            number += 1;
            if is_last {
                return self.here().map(|_| ());
            }
        }
    }

    /// Parses a field. Also returns true if it is the last one of its line.
    fn field(&mut self, sign: u8) -> (Range<usize>, bool) {
        let start = self.at;
        let rest = &self.bytes[start..self.end];
        let mut skipped = 0;
        let mut quoted = None;
        if rest.first() == Some(&b'"') && sign != b'\t' {
            let near = &rest[..rest.len().min(2 * HEAD)];
            let mut quotes = memchr::memchr_iter(b'"', near).skip(1).peekable();
            while let Some(at) = quotes.next() {
                if quotes.next_if_eq(&(at + 1)).is_none() {
                    skipped = at + 1;
                    quoted = Some(start + 1..start + at);
                    break;
                }
            }
        }
        let length = memchr::memchr2(sign, b'\n', &rest[skipped..]);
        let length = length.map_or(rest.len(), |at| skipped + at);
        let is_last = rest.get(length) != Some(&sign);
        self.at = self.end.min(start + length + 1);
        let plain = rest[..length].trim_ascii_end().len();
        (quoted.unwrap_or(start..start + plain), is_last)
    }

    /// `host:port:database:user:password`, with `\:` for a colon in a field.
    fn pgpass(&mut self) {
        let is_escaped = |line: &[u8], at: usize| at > 0 && line[at - 1] == b'\\';
        for line in self.bytes.split_inclusive(|byte| *byte == b'\n') {
            let start = self.at;
            self.at += line.len();
            let line = line.trim_ascii_end();
            let colons = memchr::memchr_iter(b':', line);
            let mut colons = colons.filter(|at| !is_escaped(line, *at));
            if let Some(colon) = colons.nth(3).filter(|_| !line.starts_with(b"#")) {
                self.found.push(Cell {
                    span: start + colon + 1..start + line.len(),
                    promise: NameClass::Password,
                    form: Form::Tight,
                });
            }
        }
    }
}

fn columns<'a>(names: impl Iterator<Item = &'a [u8]>) -> Columns {
    let promised = |(number, name): (usize, &[u8])| {
        let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte >= 128;
        let start = name.iter().position(is_name)?;
        let end = name.iter().rposition(is_name)? + 1;
        let name: Vec<u8> = name[start..end]
            .iter()
            .map(|byte| if *byte == b' ' { b'_' } else { *byte })
            .collect();
        Some((number, promise(&name)?))
    };
    names.enumerate().filter_map(promised).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::triggers::triggers;

    fn check(path: &str, text: &str, expected: &[&str]) {
        let place = TextContext::new(path);
        let mut votes = Vec::new();
        find(text.as_bytes(), place, &mut votes);
        for hit in triggers(text.as_bytes()) {
            find_rows(text.as_bytes(), &hit, place, &mut votes);
        }
        votes.retain(|vote| vote.points >= 20);
        let found: Vec<_> = votes.into_iter().map(|vote| &text[vote.span]).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn statements() {
        for (text, expected) in [
            (
                "INSERT INTO t (a, password) VALUES ('x', 'vK8#pq2Zr!'), ('y','Zx81!mmQ');",
                &["vK8#pq2Zr!", "Zx81!mmQ"][..],
            ),
            (
                "insert into `t`\n  (`password`, b)\nvalues\n  ('it''s,vK8', 1)",
                &["it''s,vK8"],
            ),
            (
                "INSERT INTO t (a, password) VALUES (now(), crypt('vK8#pq2Zr!', 'x'))",
                &["vK8#pq2Zr!"],
            ),
            ("INSERT INTO t (a, password) VALUES (?, :password)", &[]),
            ("INSERT INTO t (a, password) SELECT 'vK8#pq2Zr!'", &[]),
            ("INSERT INTO t VALUES ('vK8#pq2Zr!')", &[]),
            (
                "COPY t (id, password) FROM stdin;\n1\tvK8#pq2Zr!\n2\tZx81!mmQ\n\\.\n",
                &["vK8#pq2Zr!", "Zx81!mmQ"],
            ),
            (
                "COPY t (id, password) FROM stdin;\n1\tvK8#pq2Zr!\n\
                 COPY u (password, id) FROM stdin;\nZx81!mmQ\t1\n",
                &["vK8#pq2Zr!", "Zx81!mmQ"],
            ),
            ("COPY password (a) /app\n", &[]),
        ] {
            check("a.sql", text, expected);
        }
    }

    #[test]
    fn files() {
        check(
            "users.csv",
            "name,Password,note\njoe,vK8#pq2Zr!,x\n\"a, b\",\"Zx81,mm!Q\",y\r\nmay,,z\n",
            &["vK8#pq2Zr!", "Zx81,mm!Q"],
        );
        check(
            "users.tsv",
            "name\tapi token\njoe\t8Jf3kLq0ZpXw5Vt7\n",
            &["8Jf3kLq0ZpXw5Vt7"],
        );
        check("words.csv", "token,count\nhouse,3\nmoon,9", &[]);
        check(
            ".pgpass",
            "# a:b:c:d:e\nlocalhost:5432:*:joe:vK8#pq2Zr!\nh\\:1:5:db:u:Zx81:mmQ\n",
            &["vK8#pq2Zr!", "Zx81:mmQ"],
        );
    }
}
