//! Names of things next to real credentials of the same form, each class in one file of
//! `tests/names`, in the format of the cases. The scanner must distinguish all of them.

use crate::cases::{Outcome, documents, scan};

const CLASSES: &[(&str, &str)] = &[
    ("values", include_str!("../names/values.txt")),
    ("arguments", include_str!("../names/arguments.txt")),
    ("extents", include_str!("../names/extents.txt")),
    ("digests", include_str!("../names/digests.txt")),
    ("words", include_str!("../names/words.txt")),
    ("evidence", include_str!("../names/evidence.txt")),
    ("phrases", include_str!("../names/phrases.txt")),
    ("ids", include_str!("../names/ids.txt")),
    ("samples", include_str!("../names/samples.txt")),
    ("caches", include_str!("../names/caches.txt")),
];

#[test]
fn names_are_distinguished_from_secrets() {
    let mut errors = Vec::new();
    for (class, all) in CLASSES {
        let mut outcome = Outcome::default();
        for document in documents(all) {
            scan(&document, &mut outcome);
        }
        errors.extend(
            outcome
                .missed
                .iter()
                .map(|one| format!("{class}: missed {one}")),
        );
        errors.extend(
            outcome
                .wrong
                .iter()
                .map(|one| format!("{class}: false {one}")),
        );
    }
    assert!(errors.is_empty(), "{}", errors.join("\n"));
}

/// Copies are redacted only if the value can be nothing else.
#[test]
fn copies_of_names_stay() {
    use loom_secrets::{Copies, Scanner};
    for (path, text, other, expected) in [
        ("a.env", "API_KEY=api_base\n", "def f(api_base): pass", 0),
        ("a.yml", "password: write:pets\n", "scope write:pets", 0),
        ("a.yml", "password: utf-16le\n", "x.encode('utf-16le')", 0),
        (
            "a.yml",
            "password: accessToken1\n",
            "let accessToken1 = 1",
            0,
        ),
        (
            "a.yml",
            "password: settings2.yml\n",
            "open settings2.yml",
            0,
        ),
        (
            "a.yml",
            "password: hunter2secret99\n",
            "# hunter2secret99",
            1,
        ),
        (
            "a.yml",
            "password: hunter2secret99\n",
            "xhunter2secret99",
            0,
        ),
        ("a.yml", "password: Tr0ub4dor&3\n", "see Tr0ub4dor&3.", 1),
        (
            ".env",
            "A_PASSWORD=\"blue Moon 42 rises\"\n",
            "the blue Moon 42 rises",
            1,
        ),
        (
            ".env",
            "A_PASSWORD=\"blue moon rises\"\n",
            "the blue moon rises",
            0,
        ),
        (".env", "A_PASSWORD=pässwörd€77\n", "pässwörd€77", 1),
        (".env", "A_PASSWORD=Tr0ub@dor&3\n", "a=Tr0ub%40dor%263", 1),
    ] {
        let mut copies = Copies::default();
        copies.add(text, &Scanner::new().scan_file(path, text));
        assert_eq!(copies.find(other).len(), expected, "{text}");
    }
}

/// Base64 hides no copy: without padding, in both alphabets, and within base64 of a longer text.
#[test]
fn copies_in_base64_are_found() {
    use loom_secrets::{Copies, Scanner};
    for (secret, other, expected) in [
        ("Tr0ub@dor&3", "VHIwdWJAZG9yJjM=", 1),
        ("Tr0ub@dor&3", "VHIwdWJAZG9yJjM", 1),
        ("Tr0ub@dor&3", "Basic am9lOlRyMHViQGRvciYz", 1),
        ("Tr0ub@dor&3", "eyJwIjoiVHIwdWJAZG9yJjMifQ", 1),
        ("Tr0ub@dor&3", "Basic am9lOlRyMHViQGRvciY0", 0),
        ("Tr0ub@dor&3x", "eyJhdXRoIjoiVHIwdWJAZG9yJjN4In0=", 1),
        ("owl>>?7?>>x9", "b3dsPj4_Nz8-Png5", 1),
    ] {
        let text = format!("A_PASSWORD={secret}\n");
        let mut copies = Copies::default();
        copies.add(&text, &Scanner::new().scan_file(".env", &text));
        let found = copies.find(other);
        assert_eq!(found.len(), expected, "{other}");
        let end = found.last().map(|one| one.span.end);
        assert!(end.is_none_or(|end| end == other.len()), "{other}");
    }
}

/// No length disables redaction.
#[test]
fn long_values_are_redacted_whole() {
    use loom_secrets::{Sanitizer, Scanner};
    let long = "k7Qx-".repeat(4000);
    for (path, text) in [
        (".env", format!("DB_PASSWORD={long}\n")),
        ("a.json", format!("{{\"password\": \"{long}\"}}\n")),
        ("a.yml", format!("password: {long}\n")),
        ("a.py", format!("password = \"{long}\"\n")),
        ("notes.txt", format!("DB_PASSWORD={long}\n")),
    ] {
        let findings = Scanner::new().scan_file(path, &text);
        let found: Vec<_> = findings.iter().map(|one| &text[one.span.clone()]).collect();
        assert_eq!(found, [long.as_str()], "{path}");
    }
    let mut sanitizer = Sanitizer::new();
    let text = format!("DB_PASSWORD={long}\nbye");
    let mut out = String::new();
    for start in (0..text.len()).step_by(100) {
        out += &sanitizer.push(&text[start..text.len().min(start + 100)]);
    }
    out += &sanitizer.finish();
    assert_eq!(out, "DB_PASSWORD=[REDACTED:password:1]\nbye");
}
