//! Trigger words that start the work of an engine: calls and commands that expect a password,
//! statements with columns, members of a key. Finds short words in one pass, and long ones by
//! samples.

use std::sync::{Arc, LazyLock};

use aho_corasick::packed;
use memchr::memmem;

use crate::calls::TAKERS;
use crate::literal_set::LiteralSet;
use crate::logins::LOGINS;

/// Kind of trigger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Trigger {
    /// A call or a command, by its index in the table.
    SecretArgument(usize),
    /// A call, a command or a statement that logs in, by its index in the table.
    Login(usize),
    /// A statement that inserts rows into a table.
    Insert,
    /// `"kty"`: a key in JSON.
    KeyType,
    /// A private member of such a key.
    Member,
    /// Syntax that identifies a secret.
    Mark(Mark),
}

/// Kind of syntax at a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Mark {
    /// The signature of a URL.
    Signature,
    /// The key of an application in a URL.
    AppId,
    /// Oracle's short address.
    Oracle,
    /// A password field of a page.
    Field,
}

/// A trigger and its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Hit {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) trigger: Trigger,
}

const OTHERS: [(&str, Trigger); 29] = [
    ("ignature=", Trigger::Mark(Mark::Signature)),
    ("sig=", Trigger::Mark(Mark::Signature)),
    ("appid=", Trigger::Mark(Mark::AppId)),
    ("APPID=", Trigger::Mark(Mark::AppId)),
    ("appId=", Trigger::Mark(Mark::AppId)),
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
    let takers = takers.map(|(number, (name, _))| (*name, Trigger::SecretArgument(number)));
    let logins = LOGINS.iter().enumerate();
    let logins = logins.map(|(number, (name, _))| (*name, Trigger::Login(number)));
    takers.chain(OTHERS).chain(logins)
}

/// Minimum length of sampled triggers: each contains a whole sample at any offset. The others are
/// few enough for one SIMD search.
const LONG: usize = 8;

struct Finder {
    long: Vec<Trigger>,
    long_words: LiteralSet,
    short: Vec<Trigger>,
    /// `None` if the processor does not support it.
    short_words: Option<packed::Searcher>,
}

static FINDER: LazyLock<Finder> = LazyLock::new(|| {
    let (long, short): (Vec<_>, Vec<_>) = all().partition(|(word, _)| word.len() >= LONG);
    let words = |part: &[(&'static str, Trigger)]| -> Vec<&'static str> {
        part.iter().map(|(word, _)| *word).collect()
    };
    let triggers =
        |part: &[(&'static str, Trigger)]| part.iter().map(|(_, trigger)| *trigger).collect();
    Finder {
        long: triggers(&long),
        long_words: LiteralSet::new(words(&long).into_iter().map(Arc::from)),
        short: triggers(&short),
        short_words: packed::Config::new()
            .builder()
            .extend(words(&short))
            .build(),
    }
});

/// Returns every trigger in the text, in order; of two with the same start the longer one.
pub(crate) fn triggers(bytes: &[u8]) -> Vec<Hit> {
    let Some(short_words) = &FINDER.short_words else {
        return slowly(bytes);
    };
    let short = short_words.find_iter(bytes).map(|found| Hit {
        start: found.start(),
        end: found.end(),
        trigger: FINDER.short[found.pattern().as_usize()],
    });
    let long = FINDER.long_words.find(bytes).into_iter();
    let long = long.map(|found| Hit {
        start: found.span.start,
        end: found.span.end,
        trigger: FINDER.long[found.literal],
    });
    let mut hits: Vec<_> = short.chain(long).collect();
    hits.sort_unstable();
    hits
}

/// Searches each trigger separately, for processors without SIMD.
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
    fn simd_and_plain_search_find_the_same_triggers() {
        let text = "curl -u a:b x\nHTTPBasicAuth(a, b) mysqli_connect( mysqldump -p \
                    INSERT INTO x {\"kty\": \"d\":\"x\"} INSERT IGNORE INTO ";
        let hits = triggers(text.as_bytes());
        assert_eq!(hits.len(), 8);
        assert_eq!(hits, slowly(text.as_bytes()));
    }
}
