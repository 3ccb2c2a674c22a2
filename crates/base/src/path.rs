//! Paths inside a repository. They are bytes, because file names are; they never point outside the
//! root, and they sort so that the contents of a directory stay together.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

/// Path relative to the root of a repository: non-empty components joined by `/`, none of them `.`
/// or `..`. The empty path is the root. Clones share the bytes, because several structures keep the
/// paths of a large tree.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct RepoPath(Arc<[u8]>);

/// Error: bytes do not form a [`RepoPath`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidRepoPath {
    /// A component is empty, `.`, `..` or contains a NUL byte.
    #[error("component {component:?} is not allowed in the repository path {path:?}")]
    Component {
        /// The whole path.
        path: String,
        /// The invalid component.
        component: String,
    },
}

impl RepoPath {
    /// Creates a path from components joined by `/`.
    ///
    /// # Errors
    /// Returns an error if a component is empty, `.`, `..` or contains a NUL byte.
    pub fn new(path: impl AsRef<[u8]>) -> Result<Self, InvalidRepoPath> {
        let path = path.as_ref();
        let wrong = |part: &&[u8]| matches!(*part, b"" | b"." | b"..") || part.contains(&0);
        match path.split(|&byte| byte == b'/').find(wrong) {
            Some(component) if !path.is_empty() => Err(InvalidRepoPath::Component {
                path: String::from_utf8_lossy(path).into_owned(),
                component: String::from_utf8_lossy(component).into_owned(),
            }),
            _ => Ok(Self(path.into())),
        }
    }

    /// Returns the root of the repository.
    pub fn root() -> Self {
        Self(Arc::default())
    }

    /// Returns whether this is the root.
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the path of the entry `name` of this directory. `name` must be a single component.
    ///
    /// # Errors
    /// Returns an error if `name` is not a valid component of a [`RepoPath`].
    pub fn child(&self, name: &[u8]) -> Result<Self, InvalidRepoPath> {
        let name = Self::new(name)?;
        Ok(self.join(&name))
    }

    /// Appends `below`, a path relative to this directory.
    #[must_use]
    pub fn join(&self, below: &Self) -> Self {
        match (self.is_root(), below.is_root()) {
            (true, _) => below.clone(),
            (_, true) => self.clone(),
            _ => Self([&self.0[..], b"/", &below.0[..]].concat().into()),
        }
    }

    /// Returns the bytes: components joined by `/`.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Returns the path as text, if it is UTF-8.
    pub fn as_str(&self) -> Option<&str> {
        std::str::from_utf8(&self.0).ok()
    }

    /// Returns the last component, which is empty for the root.
    pub fn file_name(&self) -> &[u8] {
        match self.last_slash() {
            Some(slash) => &self.0[slash + 1..],
            None => &self.0,
        }
    }

    /// Returns the text after the last dot of the file name. Returns `None` if the name has no dot,
    /// or if its only dot comes first.
    pub fn extension(&self) -> Option<&[u8]> {
        let name = self.file_name();
        let dot = name.iter().rposition(|&byte| byte == b'.')?;
        (dot > 0).then(|| &name[dot + 1..])
    }

    /// Returns the parent directory; `None` for the root.
    pub fn parent(&self) -> Option<Self> {
        if self.is_root() {
            return None;
        }
        let end = self.last_slash().unwrap_or(0);
        Some(Self(self.0[..end].into()))
    }

    /// Returns the components from the top down.
    pub fn components(&self) -> Components<'_> {
        Components {
            rest: (!self.is_root()).then_some(&self.0),
        }
    }

    /// Returns whether this path is the given directory or is inside it.
    pub fn starts_with(&self, folder: &Self) -> bool {
        folder.is_root()
            || self
                .0
                .strip_prefix(&*folder.0)
                .is_some_and(|rest| rest.is_empty() || rest[0] == b'/')
    }

    /// Returns the form that people and models see. A name that is not plain printable UTF-8, or
    /// that starts with a quote, is quoted as git quotes it, so two paths never look alike.
    pub fn display(&self) -> Cow<'_, str> {
        match self.as_str() {
            Some(text) if is_plain(text) => Cow::Borrowed(text),
            _ => Cow::Owned(quote(&self.0)),
        }
    }

    /// Parses the form that [`display`](Self::display) returns.
    ///
    /// # Errors
    /// Returns an error if the text is not a path below the root.
    pub fn from_display(text: &str) -> Result<Self, InvalidRepoPath> {
        let quoted = text
            .strip_prefix('"')
            .and_then(|text| text.strip_suffix('"'));
        match quoted.and_then(unquote) {
            Some(bytes) => Self::new(bytes),
            None => Self::new(text),
        }
    }

    /// Returns the path as git writes it in a patch: quoted if [`display`](Self::display) quotes
    /// it, or if it contains a quote or a backslash.
    pub fn in_patch(&self) -> Cow<'_, str> {
        match self.display() {
            text if text.starts_with('"') || !text.contains(['"', '\\']) => text,
            _ => Cow::Owned(quote(&self.0)),
        }
    }

    fn last_slash(&self) -> Option<usize> {
        self.0.iter().rposition(|&byte| byte == b'/')
    }
}

fn is_plain(text: &str) -> bool {
    !text.starts_with('"') && !text.chars().any(needs_quoting)
}

/// Returns whether a character is a control character, or changes the direction or order in which a
/// name is displayed. Without quotes, such a file could pose as another one.
fn needs_quoting(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        || matches!(c, '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

fn quote(path: &[u8]) -> String {
    let mut quoted = String::with_capacity(path.len() + 8);
    quoted.push('"');
    for chunk in path.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '"' | '\\' => quoted.extend(['\\', c]),
                '\n' => quoted.push_str("\\n"),
                '\t' => quoted.push_str("\\t"),
                '\r' => quoted.push_str("\\r"),
                c if needs_quoting(c) => {
                    let mut utf8 = [0; 4];
                    push_octal(&mut quoted, c.encode_utf8(&mut utf8).as_bytes());
                }
                c => quoted.push(c),
            }
        }
        push_octal(&mut quoted, chunk.invalid());
    }
    quoted.push('"');
    quoted
}

/// Returns the bytes that `quote` wrote between its quotes; `None` for any other text.
fn unquote(quoted: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(quoted.len());
    let mut rest = quoted.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        let (&escape, after) = rest.split_first()?;
        rest = after;
        match escape {
            b'n' => bytes.push(b'\n'),
            b't' => bytes.push(b'\t'),
            b'r' => bytes.push(b'\r'),
            b'"' | b'\\' => bytes.push(escape),
            b'0'..=b'3' => {
                let (low, after) = rest.split_at_checked(2)?;
                let digits = [escape, low[0], low[1]];
                let digit = |value: u16, digit: &u8| match digit {
                    b'0'..=b'7' => Some(value * 8 + u16::from(digit - b'0')),
                    _ => None,
                };
                let value = digits.iter().try_fold(0, digit)?;
                bytes.push(u8::try_from(value).ok()?);
                rest = after;
            }
            _ => return None,
        }
    }
    Some(bytes)
}

fn push_octal(quoted: &mut String, bytes: &[u8]) {
    for &byte in bytes {
        quoted.push('\\');
        for shift in [6, 3, 0] {
            quoted.push(char::from(b'0' + ((byte >> shift) & 7)));
        }
    }
}

impl fmt::Display for RepoPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.display())
    }
}

impl fmt::Debug for RepoPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RepoPath({self})")
    }
}

impl Ord for RepoPath {
    /// Compares component by component, so that the contents of a directory directly follow it.
    fn cmp(&self, other: &Self) -> Ordering {
        let rank = |byte: u8| if byte == b'/' { 0 } else { u16::from(byte) + 1 };
        // Neighbouring paths share a long prefix, so compare it eight bytes at a time.
        let (left, right) = (self.0.as_chunks::<8>().0, other.0.as_chunks::<8>().0);
        let words = left
            .iter()
            .zip(right)
            .take_while(|(one, other)| one == other);
        let same = words.count() * 8;
        let (left, right) = (&self.0[same..], &other.0[same..]);
        let mut both = left.iter().zip(right);
        match both.find(|(one, other)| one != other) {
            Some((one, other)) => rank(*one).cmp(&rank(*other)),
            None => left.len().cmp(&right.len()),
        }
    }
}

impl PartialOrd for RepoPath {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Iterator over the components of a [`RepoPath`], see [`RepoPath::components`].
#[derive(Clone, Debug)]
pub struct Components<'a> {
    rest: Option<&'a [u8]>,
}

impl<'a> Iterator for Components<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<Self::Item> {
        let rest = self.rest?;
        match rest.iter().position(|&byte| byte == b'/') {
            Some(slash) => {
                self.rest = Some(&rest[slash + 1..]);
                Some(&rest[..slash])
            }
            None => {
                self.rest = None;
                Some(rest)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn displayed_paths_are_read_back() {
        let odd: [&[u8]; 6] = [
            b"src/main.rs",
            b"\"quoted\"",
            b"line\nend\ttab\r",
            b"not\xfftext\x01",
            "r\u{200e}l \u{e9}".as_bytes(),
            b"back\\slash",
        ];
        for bytes in odd {
            let path = RepoPath::new(bytes).unwrap();
            assert_eq!(RepoPath::from_display(&path.display()).ok(), Some(path));
        }
        assert!(RepoPath::from_display("../up").is_err());
    }

    fn path(text: &str) -> RepoPath {
        RepoPath::new(text).unwrap()
    }

    #[test]
    fn paths_outside_the_root_are_rejected() {
        for wrong in ["/a", "a/", "a//b", ".", "..", "a/../b", "a/./b", "a\0b"] {
            assert!(RepoPath::new(wrong).is_err(), "{wrong}");
        }
        assert!(path("").is_root());
        assert_eq!(path("a/..b/.c").components().count(), 3);
    }

    #[test]
    fn path_splits_into_name_extension_parent_and_components() {
        let main = path("src/bin/main.rs");
        assert_eq!(main.file_name(), b"main.rs");
        assert_eq!(main.extension(), Some(&b"rs"[..]));
        assert_eq!(main.parent(), Some(path("src/bin")));
        assert_eq!(path("a").parent(), Some(RepoPath::root()));
        assert_eq!(path(".bashrc").extension(), None);
        assert!(main.starts_with(&path("src/bin")));
        assert!(!main.starts_with(&path("src/b")));
        assert!(main.starts_with(&RepoPath::root()));
        assert_eq!(path("a").join(&path("b/c")), path("a/b/c"));
    }

    #[test]
    fn directories_sort_before_their_contents() {
        let mut paths = ["a.b", "a/z", "a-c", "a", "a/b/c", "a/b.c"].map(path);
        paths.sort();
        let order: Vec<_> = paths.iter().map(ToString::to_string).collect();
        assert_eq!(order, ["a", "a/b/c", "a/b.c", "a/z", "a-c", "a.b"]);
    }

    #[test]
    fn unprintable_names_are_quoted_like_git() {
        for (bytes, displayed) in [
            (&b"plain name.txt"[..], "plain name.txt"),
            ("grün/日本.txt".as_bytes(), "grün/日本.txt"),
            (b"a\nb", r#""a\nb""#),
            (b"caf\xe9", r#""caf\351""#),
            (b"\"x", r#""\"x""#),
            ("rtl\u{202e}txt".as_bytes(), r#""rtl\342\200\256txt""#),
        ] {
            assert_eq!(RepoPath::new(bytes).unwrap().display(), displayed);
        }
    }

    proptest! {
        #[test]
        fn different_paths_never_look_alike(a: Vec<u8>, b: Vec<u8>) {
            if let (Ok(a), Ok(b)) = (RepoPath::new(&a), RepoPath::new(&b)) {
                prop_assert_eq!(a == b, a.display() == b.display());
                prop_assert_eq!(a == b, a.cmp(&b).is_eq());
            }
        }
    }
}
