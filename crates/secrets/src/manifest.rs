//! Package manifests: `package.json`, `Cargo.toml`, `pyproject.toml` and similar are configuration,
//! but some of their tables list names that other people chose: of packages, features, commands.

use std::ops::Range;

use crate::place::{Layout, Role, TextContext};
use crate::words::WordList;

/// The tables of a manifest that list names.
pub(crate) struct Manifest<'a> {
    bytes: &'a [u8],
    /// Their ranges, in order and without overlaps.
    lists: Vec<Range<usize>>,
}

impl<'a> Manifest<'a> {
    /// Reads the tables in one pass; other texts than manifests have none.
    pub(crate) fn read(bytes: &'a [u8], layout: Layout) -> Self {
        let lists = match layout {
            Layout::Manifest if is_json(bytes) => json(bytes),
            Layout::Manifest => lines(bytes),
            _ => Vec::new(),
        };
        Self { bytes, lists }
    }

    /// Returns true if the name at `name` is a key in such a table: its value is a version, a
    /// command or a path. A command may itself contain names.
    pub(crate) fn lists(&self, name: &Range<usize>) -> bool {
        self.is_inside(name) && self.is_key(name)
    }

    /// Returns the context of the name at `name`: in a command of such a table, a value is one word.
    pub(crate) fn place_of(&self, name: &Range<usize>, place: TextContext) -> TextContext {
        match self.is_inside(name) {
            true => TextContext {
                role: Role::Other,
                ..place
            },
            false => place,
        }
    }

    fn is_inside(&self, name: &Range<usize>) -> bool {
        let at = self.lists.partition_point(|list| list.end <= name.start);
        let list = self.lists.get(at);
        list.is_some_and(|list| list.start <= name.start)
    }

    fn is_key(&self, name: &Range<usize>) -> bool {
        let rest = &self.bytes[name.end..self.bytes.len().min(name.end + 80)];
        if is_json(self.bytes) {
            let quote = memchr::memchr2(b'"', b'\n', rest).filter(|at| rest[*at] == b'"');
            let behind = quote.map(|at| rest[at + 1..].trim_ascii_start());
            return behind.is_some_and(|behind| behind.starts_with(b":"));
        }
        let from = name.start.saturating_sub(200);
        let before = &self.bytes[from..name.start];
        let line = memchr::memrchr(b'\n', before).map_or(0, |end| end + 1);
        !before[line..].iter().any(|byte| b"=:".contains(byte))
    }
}

fn is_json(bytes: &[u8]) -> bool {
    bytes.trim_ascii_start().starts_with(b"{")
}

/// Returns true if the members of a table called `name` have names of packages or commands.
fn is_list(name: &[u8]) -> bool {
    const LISTS: WordList = WordList::new(
        "require require-dev suggest conflict replace provide overrides resolutions imports \
         scripts scripts-descriptions gui-scripts bin exports features extras entry-points \
         entry_points plugins autoload autoload-dev engines patch tasks paths typesversions \
         browser alias aliases modulenamemapper executables sources package-data commands \
         keywords",
    );
    let name = name.to_ascii_lowercase();
    LISTS.has(&name) || memchr::memmem::find(&name, b"dependenc").is_some()
}

/// Finds the objects of JSON with such a name.
fn json(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut lists = Vec::new();
    // Depth of the outermost open list, and its start.
    let mut open: Option<(usize, usize)> = None;
    let (mut depth, mut at) = (0usize, 0);
    let mut last: &[u8] = b"";
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => {
                let end = end_of_string(bytes, at + 1);
                last = &bytes[at + 1..end];
                at = end;
            }
            b'{' => {
                depth += 1;
                if open.is_none() && is_list(last) {
                    open = Some((depth, at));
                }
                last = b"";
            }
            b'}' => {
                if let Some((_, start)) = open.take_if(|(deep, _)| *deep == depth) {
                    lists.push(start..at);
                }
                depth = depth.saturating_sub(1);
                last = b"";
            }
            b',' | b'[' | b']' => last = b"",
            _ => {}
        }
        at += 1;
    }
    lists.extend(open.map(|(_, start)| start..bytes.len()));
    lists
}

/// Returns the position of the quote that closes the string, or the end of its line.
fn end_of_string(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' | b'\n' => return at,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// Finds the tables of TOML and the mappings of YAML with such a name: from their header to the
/// next one.
fn lines(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut lists: Vec<Range<usize>> = Vec::new();
    let (mut at, mut start) = (0, None);
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let begin = at;
        at += line.len();
        let Some(is_list) = header(line.trim_ascii_end()) else {
            continue;
        };
        lists.extend(start.take().map(|start| start..begin));
        start = is_list.then_some(at);
    }
    lists.extend(start.map(|start| start..bytes.len()));
    lists
}

/// Returns whether the header lists names; `None` for other lines.
fn header(line: &[u8]) -> Option<bool> {
    if let Some(table) = line.strip_prefix(b"[") {
        let parts = table.split(|byte| b"[]. \"'".contains(byte));
        return Some(parts.into_iter().any(is_list));
    }
    // A top-level mapping of YAML.
    let name = line.strip_suffix(b":")?;
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-".contains(byte);
    (!name.is_empty() && name.iter().all(is_name)).then(|| is_list(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: bool) {
        let start = text.find("token").unwrap();
        let manifest = Manifest::read(text.as_bytes(), Layout::Manifest);
        assert_eq!(manifest.lists(&(start..start + 5)), expected, "{text}");
    }

    #[test]
    fn names_of_packages_and_commands_are_listed() {
        for (text, expected) in [
            ("{\"dependencies\": {\"token\": \"^1.2\"}}", true),
            ("{\"peerDependencies\": {\"@x/token\": \"2\"}}", true),
            ("{\"scripts\": {\"token\": \"node get.js\"}}", true),
            (
                "{\"autoload\": {\"psr-4\": {\"A\\\\token\\\\\": \"x\"}}}",
                true,
            ),
            ("{\"scripts\": {\"run\": \"token=x node a.js\"}}", false),
            ("{\"config\": {\"token\": \"x\"}}", false),
            (
                "{\"dependencies\": {\"a\": \"1\"}, \"token\": \"x\"}",
                false,
            ),
            (
                "{\"dependencies\": {\"a}\": \"1\", \"token\": \"1\"}}",
                true,
            ),
            ("[dependencies]\na = \"1\"\ntoken = \"1\"", true),
            ("[target.'cfg(unix)'.dependencies]\ntoken = \"1\"", true),
            ("[dependencies.token]\nversion = \"1\"", false),
            ("[project.scripts]\ntoken = \"a:main\"", true),
            ("[tool.x]\ntoken = \"y\"", false),
            ("[features]\na = []\n[tool.x]\ntoken = \"y\"", false),
            ("dependencies:\n  token: ^1.0.0", true),
            ("dependencies:\n  a: 1\nenv:\n  token: x", false),
        ] {
            check(text, expected);
        }
        let plain = Manifest::read(b"{\"bin\": {\"token\": \"x\"}}", Layout::Free);
        assert!(!plain.lists(&(10..15)));
    }
}
