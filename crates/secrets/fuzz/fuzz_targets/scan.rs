//! Scans any text: the scan terminates, redaction leaves no finding, keeps all lines, and a stream
//! gives the same result however it is split.

#![no_main]

use libfuzzer_sys::fuzz_target;
use loom_secrets::{Allow, Confidence, Numbers, TextContext, Replaced, Sanitizer, Scanner, redact};

fuzz_target!(|input: (u8, u16, &str)| {
    let (choice, cut, text) = input;
    let path = [
        "a.py", "a.yaml", "a.md", "a.sh", "go.sum", "tests/a.json", "a.csv", ".pgpass", "a.sql",
    ][usize::from(choice) % 9];
    for least in Confidence::ALL {
        let scanner = Scanner::new().at_least(least);
        let findings = scanner.scan_file(path, text);
        let plan = Replaced::plan(text, &findings, &mut Numbers::default());
        let clean = redact(text, &plan);
        assert_eq!(clean.matches('\n').count(), text.matches('\n').count());
        let again = scanner.scan_file(path, &clean);
        assert!(again.is_empty(), "{again:?} in {clean:?}");
    }
    let mut cut = usize::from(cut) % (text.len() + 1);
    while !text.is_char_boundary(cut) {
        cut -= 1;
    }
    let mut sanitizer = Sanitizer::new();
    let mut out = sanitizer.push(&text[..cut]);
    out += &sanitizer.push(&text[cut..]);
    out += &sanitizer.finish();
    let findings = Scanner::new().allowing(Allow::nothing()).scan(text, TextContext::default());
    let plan = Replaced::plan(text, &findings, &mut Numbers::default());
    assert_eq!(out, redact(text, &plan));
});
