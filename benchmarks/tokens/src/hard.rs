//! Texts that are one piece for megabytes, or nearly so.

/// The texts, each of about `size` bytes.
pub fn texts(size: usize) -> Vec<(&'static str, String)> {
    let mut random = Random(1);
    let mut texts: Vec<(&'static str, String)> = REPEATED
        .iter()
        .map(|&(name, unit)| (name, unit.repeat(size / unit.len())))
        .collect();
    let line = " ".repeat(1000) + "\n";
    texts.push(("lines of 1000 spaces", line.repeat(size / line.len())));
    texts.push(("spaces and line end", " ".repeat(size - 1) + "\n"));
    texts.push((
        "white runs",
        runs(&mut random, size, &[" ", "\t", "\r\n", "\n"]),
    ));
    texts.push(("rules", runs(&mut random, size, &["=", "-", "*", "#"])));
    for (name, first, count) in RANDOM {
        texts.push((name, random.characters(first, count, size)));
    }
    let base64 = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    texts.push(("base64", random.pick(base64, size)));
    texts.push(("random white", random.pick(b" \t\r\n", size) + "\n"));
    texts.push((
        "random punctuation",
        random.pick(b"!#$%&()*+,-./:;<=>?@[]^_{|}~", size),
    ));
    texts
}

/// A name and what is repeated.
const REPEATED: [(&str, &str); 9] = [
    ("one letter", "a"),
    ("spaces", " "),
    ("line ends", "\n"),
    ("CRLF", "\r\n"),
    ("one emoji", "👍"),
    ("a family", "👨‍👩‍👧‍👦"),
    ("one Han", "的"),
    ("combining marks", "\u{301}"),
    (
        "rules of a table",
        "+----------+------------------+-----------------------------------",
    ),
];

/// A name and a range of characters.
const RANDOM: [(&str, u32, u64); 8] = [
    ("letters", 'a' as u32, 26),
    ("digits", '0' as u32, 10),
    ("emoji", 0x1F600, 80),
    ("Han", 0x4E00, 3000),
    ("Hangul", 0xAC00, 11_000),
    ("Cyrillic", 0x430, 32),
    ("Thai", 0xE01, 46),
    ("mixed marks", 0x300, 96),
];

fn runs(random: &mut Random, size: usize, units: &[&str]) -> String {
    let mut text = String::new();
    while text.len() < size {
        let unit = units[random.below(units.len() as u64) as usize];
        text += &unit.repeat(1 + random.below(200) as usize);
    }
    text
}

struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        let product = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = product.wrapping_add(1);
        (self.0 >> 33) % limit
    }

    fn pick(&mut self, of: &[u8], size: usize) -> String {
        let pick = |_| of[self.below(of.len() as u64) as usize] as char;
        (0..size).map(pick).collect()
    }

    fn characters(&mut self, first: u32, count: u64, size: usize) -> String {
        let mut text = String::with_capacity(size + 4);
        while text.len() < size {
            text.extend(char::from_u32(first + self.below(count) as u32));
        }
        text
    }
}
