//! Statistics that distinguish random characters from written ones: character classes and their
//! changes, character frequencies, and how word-like the letter pairs are.

/// Statistics of a string of ASCII characters.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CharStats {
    pub(crate) lower: usize,
    pub(crate) upper: usize,
    pub(crate) digits: usize,
    pub(crate) other: usize,
    /// Number of changes of the class between adjacent characters. A capital followed by lower-case
    /// letters is one class, because words start like that.
    changes: usize,
    /// Number of letter pairs, and the sum of their rarity.
    pairs: usize,
    rarity: usize,
    /// Bits per character, from the character frequencies.
    pub(crate) entropy: f32,
    distinct: usize,
    is_hex: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Lower,
    Upper,
    Digit,
    Other,
}

fn class(byte: u8) -> Class {
    match byte {
        // Letters of other alphabets count as lower case.
        b'a'..=b'z' | 128.. => Class::Lower,
        b'A'..=b'Z' => Class::Upper,
        b'0'..=b'9' => Class::Digit,
        _ => Class::Other,
    }
}

impl CharStats {
    pub(crate) fn of(bytes: &[u8]) -> Self {
        let mut makeup = Self {
            is_hex: bytes.iter().all(u8::is_ascii_hexdigit),
            ..Self::default()
        };
        let mut counts = [0u32; 256];
        let mut before: Option<u8> = None;
        for &byte in bytes {
            counts[usize::from(byte)] += 1;
            let now = class(byte);
            match now {
                Class::Lower => makeup.lower += 1,
                Class::Upper => makeup.upper += 1,
                Class::Digit => makeup.digits += 1,
                Class::Other => makeup.other += 1,
            }
            if let Some(before) = before {
                let was = class(before);
                let begins_word = was == Class::Upper && now == Class::Lower;
                makeup.changes += usize::from(was != now && !begins_word);
                if let Some(rarity) = rarity(before, byte) {
                    makeup.pairs += 1;
                    makeup.rarity += rarity;
                }
            }
            before = Some(byte);
        }
        makeup.distinct = counts.iter().filter(|count| **count > 0).count();
        makeup.entropy = entropy(&counts, bytes.len());
        makeup
    }

    pub(crate) fn len(&self) -> usize {
        self.lower + self.upper + self.digits + self.other
    }

    pub(crate) fn letters(&self) -> usize {
        self.lower + self.upper
    }

    /// Returns the average rarity of its letter pairs in words, from 0 to 9: words have about 2.6,
    /// random letters 5.
    fn strangeness(&self) -> f32 {
        match self.pairs {
            0 => 0.0,
            pairs => self.rarity as f32 / pairs as f32,
        }
    }

    /// Returns true if it is probably random. Needs a dozen characters.
    pub(crate) fn is_drawn(&self) -> bool {
        let len = self.len();
        if len < 12 || self.distinct < 6 {
            return false;
        }
        if self.is_hex && self.other == 0 && !(self.lower > 0 && self.upper > 0) {
            return self.digits > 0 && self.letters() > 0 && self.is_spread(len);
        }
        let mixed = self.changes as f32 / (len - 1) as f32;
        match (self.digits, self.letters()) {
            (_, 0) => false,
            // For letters without digits, only the letter pairs are evidence.
            (0, _) if self.lower > 0 && self.upper > 0 && mixed > 0.25 => {
                len >= 16 && self.strangeness() >= 3.6
            }
            (0, _) => len >= 16 && self.strangeness() >= 4.4,
            _ => {
                let wanted = if len < 20 { 0.3 } else { 0.2 };
                self.is_spread(len)
                    && (mixed >= wanted || self.pairs >= 8 && self.strangeness() >= 4.2)
                    && (self.strangeness() >= 3.3 || mixed >= 0.4 || self.pairs < 4)
            }
        }
    }

    /// Returns true if its letter pairs occur in no word of at least six letters.
    pub(crate) fn is_no_word(&self) -> bool {
        self.pairs >= 5 && self.strangeness() >= 3.9
    }

    /// Returns true if its character frequencies are typical of random characters of its length.
    fn is_spread(&self, len: usize) -> bool {
        let alphabet: f32 = if self.is_hex { 16.0 } else { 36.0 };
        let most = (len as f32).log2().min(alphabet.log2());
        self.entropy >= 0.78 * most
    }
}

fn entropy(counts: &[u32; 256], len: usize) -> f32 {
    let len = len.max(1) as f32;
    let share = |count: &u32| {
        let share = *count as f32 / len;
        -share * share.log2()
    };
    counts.iter().filter(|count| **count > 0).map(share).sum()
}

fn rarity(first: u8, second: u8) -> Option<usize> {
    let at = |byte: u8| {
        let byte = byte.to_ascii_lowercase();
        byte.is_ascii_lowercase().then(|| usize::from(byte - b'a'))
    };
    // A pair across a word boundary inside a name says nothing about the language.
    if first.is_ascii_lowercase() && second.is_ascii_uppercase() {
        return None;
    }
    let row = PAIRS[at(first)?].as_bytes();
    Some(usize::from(row[at(second)?] - b'0'))
}

/// For each first letter, the rarity of each second one: its information in bits minus one, at most
/// 9. Counted over the words of names and texts in public repositories (71,575 distinct ones, each
/// weighted by the root of its number of files).
const PAIRS: [&str; 26] = [
    "64336648496242938232456658",
    "24442567357256357334277859",
    "26462562493356158442468969",
    "35431567268446358335456669",
    "36324458698342645123646479",
    "35442267198366258344386859",
    "36561643298453358235367768",
    "17651788297656258453475947",
    "45334449898331257433848695",
    "25661566376667256825275768",
    "35551556287454457523365967",
    "26541678296267259644468839",
    "14551778297547328645477879",
    "37332427385565368622558878",
    "55336558585331439243344779",
    "26552564396367238243476859",
    "55443576486455446535086977",
    "26441558295544257433457549",
    "47362664295556337531375948",
    "27461673198567359234476549",
    "43453449498332639222899698",
    "26550577297556368556778888",
    "17552673296453256235785789",
    "34242355287556525542667559",
    "45353767388432419423665876",
    "26770775288677368866557853",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_and_written_text_are_distinguished() {
        for (text, drawn) in [
            ("hfbpozfhvuwgtfosmo2imqskc73w04jf", true),
            ("wJalrXUtnFEMIK7MDENGbPxRfiCYzzzz", true),
            ("dBpXUZSRhgWUKTLLjEyWGYIJgV", true),
            ("ce3f9f0362bbe5ab01dfc8ee565e4372", true),
            ("kubernetesAuthenticator", false),
            ("test_password_confirmation_2", false),
            ("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", false),
            ("deadbeefdeadbeefdeadbeef", false),
            ("MaximumAllowedConnections64", false),
            ("20240115123000", false),
            ("application-v1beta2-json", false),
        ] {
            assert_eq!(CharStats::of(text.as_bytes()).is_drawn(), drawn, "{text}");
        }
    }
}
