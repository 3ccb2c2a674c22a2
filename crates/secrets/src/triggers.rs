//! Words by which several engines know that something of theirs begins: calls and
//! commands that take a password, statements with columns, members of a key. All are
//! found in one pass.

use std::sync::LazyLock;

use aho_corasick::packed;
use memchr::memmem;

use crate::calls::TAKERS;
use crate::signed::Mark;

/// What begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Trigger {
    /// A call or a command, by its number in the table.
    Taker(usize),
    /// A statement that puts rows into a table.
    Insert,
    /// `"kty"`: a key in JSON.
    KeyType,
    /// A member of such a key that is private.
    Member,
    /// Syntax that gives a secret away.
    Mark(Mark),
}

/// A trigger and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Hit {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) trigger: Trigger,
}

const OTHERS: [(&str, Trigger); 26] = [
    ("ignature=", Trigger::Mark(Mark::Signature)),
    ("sig=", Trigger::Mark(Mark::Signature)),
    (":thin:", Trigger::Mark(Mark::Oracle)),
    ("type=\"password\"", Trigger::Mark(Mark::Field)),
    ("INSERT INTO ", Trigger::Insert),
    ("Insert Into ", Trigger::Insert),
    ("Insert into ", Trigger::Insert),
    ("insert into ", Trigger::Insert),
    ("INSERT IGNORE INTO ", Trigger::Insert),
    ("REPLACE INTO ", Trigger::Insert),
    ("COPY ", Trigger::Insert),
    ("\"kty\"", Trigger::KeyType),
    ("\"kty\\\"", Trigger::KeyType),
    ("'kty'", Trigger::KeyType),
    ("\"d\":", Trigger::Member),
    ("\"k\":", Trigger::Member),
    ("\"p\":", Trigger::Member),
    ("\"q\":", Trigger::Member),
    ("\"dp\":", Trigger::Member),
    ("\"dq\":", Trigger::Member),
    ("\"qi\":", Trigger::Member),
    ("\"d\\\":", Trigger::Member),
    ("\"k\\\":", Trigger::Member),
    ("'d':", Trigger::Member),
    ("'k':", Trigger::Member),
    ("\"d\" :", Trigger::Member),
];

fn all() -> impl Iterator<Item = (&'static str, Trigger)> {
    let takers = TAKERS.iter().enumerate();
    let takers = takers.map(|(number, (name, _))| (*name, Trigger::Taker(number)));
    takers.chain(OTHERS)
}

struct Finder {
    triggers: Vec<(&'static str, Trigger)>,
    searcher: Option<packed::Searcher>,
}

static FINDER: LazyLock<Finder> = LazyLock::new(|| Finder {
    triggers: all().collect(),
    searcher: packed::Config::new()
        .builder()
        .extend(all().map(|(name, _)| name))
        .build(),
});

/// Every trigger in the text, in order.
pub(crate) fn triggers(bytes: &[u8]) -> Vec<Hit> {
    let Some(searcher) = &FINDER.searcher else {
        return slowly(bytes);
    };
    let hit = |found: aho_corasick::Match| Hit {
        start: found.start(),
        end: found.end(),
        trigger: FINDER.triggers[found.pattern().as_usize()].1,
    };
    searcher.find_iter(bytes).map(hit).collect()
}

/// Where the processor cannot look for all at once.
fn slowly(bytes: &[u8]) -> Vec<Hit> {
    let hits = all().flat_map(|(name, trigger)| {
        memmem::find_iter(bytes, name).map(move |start| Hit {
            start,
            end: start + name.len(),
            trigger,
        })
    });
    let mut hits: Vec<_> = hits.collect();
    hits.sort_unstable();
    hits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_find_the_same() {
        let text = "curl -u a:b x\nHTTPBasicAuth(a, b) mysqli_connect( mysqldump -p \
                    INSERT INTO x {\"kty\": \"d\":\"x\"} INSERT IGNORE INTO ";
        let hits = triggers(text.as_bytes());
        assert_eq!(hits.len(), 8);
        assert_eq!(hits, slowly(text.as_bytes()));
    }
}
