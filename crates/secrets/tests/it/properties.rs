//! For any text: redaction leaves no finding, a stream gives the same result however it is split,
//! and the number of lines is kept.

use loom_secrets::{Confidence, Numbers, Replaced, Sanitizer, Scanner, TextContext, redact};
use proptest::prelude::*;

/// Pieces that the engines react to.
const PIECES: &[&str] = &[
    "mysqli_connect(\"h\", \"u\", \"",
    "jwt.sign(x, '",
    "IDENTIFIED BY '",
    "PASSWORD '",
    "docker run -e A_PASSWORD=",
    "\"host=h user=u password=",
    "u:vK8pq2Zr@tcp(h)/x",
    "echo ",
    " | sudo -S",
    "net use /user:a ",
    "MIIBVAIBADANBgkqhkiG9w0BAQEFAASCAT4wggE6AgEAAkEA",
    "root:$6$aBcDeFgH$k29sJdl2mXq0PzRt7vBnYw1cEgHi5uKa3Lp8Qd",
    "password: **plum7Orchard**",
    "expect assword\nsend \"vK8pq2Zr\\r\"",
    "password",
    "api_key",
    "token: ",
    " = ",
    "\"",
    "'",
    "\n",
    " ",
    ": ",
    "://",
    "@",
    "secret",
    "Bearer ",
    "Basic dXNlcjpodW50ZXIy",
    "https://user:vK8pq2Zr@db.host.net/x",
    "\r\n",
    "é",
    "-----BEGIN RSA PRIVATE KEY-----\n",
    "-----END RSA PRIVATE KEY-----\n",
    "stripe",
    "key-",
    "MIIEowIBAAKCAQEA6M4G9xigt5cQYvZ0rT8hJk2LmNpQrStUvWxYz0123456789ab\n",
    "value",
    "[",
    "]",
    "{\"name\": \"DB_PASSWORD\", \"value\": \"",
    "\"}",
    "<password>",
    "</password>",
    ",",
    "; ",
    "[REDACTED:token:1]",
    "Private-Lines: 3\n",
    "name: DB_PASSWORD\n  value: ",
    "--password ",
    "passwords: [\"",
    "\", \"",
    "\" +\n\"",
    "curl -u joe:",
    "mysql -p",
    "HTTPBasicAuth('joe', '",
    "&quot;",
    "密码：",
    "API_TOKEN=",
    "\\\n",
    "(",
    ")",
    "\\n",
    "#",
    "INSERT INTO t (a, password) VALUES ('x', '",
    "'), ('y', '",
    "');",
    "COPY t (password) FROM stdin;\n",
    "\t",
    "{\"kty\":\"EC\",\"d\":\"",
    "\"d\": \"",
    "\"kty\"",
    "}",
    "- value: ",
    "\n  name: DB_PASSWORD\n",
    "name,password,token\n",
    ":5432:db:joe:",
];

/// Generates pieces that the engines react to, with real formats between them.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(PIECES).prop_map(str::to_owned),
        "[A-Za-z0-9]{16,40}",
        "[0-9a-f]{32}",
        "[a-z]{1,9}",
        "[ -~]{1,12}",
        Just("ghp_".to_owned() + "16C7e42F292c6912E7710c838347Ae178B4a"),
        Just("AKIA".to_owned() + "Z7VRSQ5TJN2XMPLQ"),
    ]
}

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(piece(), 0..24).prop_map(|pieces| pieces.concat())
}

fn clean(path: &str, text: &str, least: Confidence) -> String {
    let scanner = Scanner::new().at_least(least);
    let findings = scanner.scan_file(path, text);
    redact(
        text,
        &Replaced::plan(text, &findings, &mut Numbers::default()),
    )
}

fn lines(text: &str) -> usize {
    text.matches('\n').count()
}

proptest! {

    #[test]
    fn redacted_text_has_no_findings(text in text(), path in prop::sample::select(vec!["a.py", "a.yaml", "a.md", "a.sh", "go.sum", "a.csv", "a.tsv", ".pgpass", "a.sql"])) {
        for least in Confidence::ALL {
            let clean = clean(path, &text, least);
            let again = Scanner::new().at_least(least).scan_file(path, &clean);
            prop_assert!(again.is_empty(), "{again:?} in {clean:?}");
            prop_assert_eq!(lines(&clean), lines(&text));
        }
    }

    #[test]
    fn findings_are_in_order_and_on_characters(text in text()) {
        let findings = Scanner::new().at_least(Confidence::Low).scan(&text, TextContext::default());
        let mut end = 0;
        for finding in findings {
            prop_assert!(finding.span.start >= end && finding.span.start < finding.span.end);
            prop_assert!(text.get(finding.span.clone()).is_some());
            end = finding.span.end;
        }
    }

    #[test]
    fn stream_result_is_independent_of_the_split(text in text(), cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..12)) {
        let mut cuts: Vec<_> = cuts.iter().map(|cut| cut.index(text.len() + 1)).collect();
        cuts.retain(|cut| text.is_char_boundary(*cut));
        cuts.push(text.len());
        cuts.sort_unstable();
        let mut sanitizer = Sanitizer::new();
        let (mut out, mut from) = (String::new(), 0);
        for cut in cuts {
            out += &sanitizer.push(&text[from..cut]);
            from = cut;
        }
        out += &sanitizer.finish();
        let findings = Scanner::new().scan(&text, TextContext::default());
        let findings_without_remarks = findings;
        let whole = redact(&text, &Replaced::plan(&text, &findings_without_remarks, &mut Numbers::default()));
        prop_assert_eq!(out, whole);
    }

    #[test]
    fn any_text_can_be_scanned(text in "\\PC{0,200}") {
        let _ = clean("a.yaml", &text, Confidence::Low);
    }
}

/// A stream withholds only text that may become a secret. The words of a command may arrive one
/// after the other, its last word after the secret.
#[test]
fn command_that_arrives_by_characters_is_held_to_its_end() {
    let text = "net use \\\\fs01\\x Lemon!Crane7 /user:ACME\\scanner\nand more\n";
    let mut sanitizer = Sanitizer::new();
    let mut out = String::new();
    for one in text.chars() {
        out += &sanitizer.push(&one.to_string());
    }
    out += &sanitizer.finish();
    assert_eq!(out, text.replace("Lemon!Crane7", "[REDACTED:password:1]"));
}

#[test]
fn plain_text_is_emitted_word_by_word() {
    let mut sanitizer = Sanitizer::new();
    let mut most = 0;
    for _ in 0..2000 {
        sanitizer.push("some plain words\nand more ");
        most = most.max(sanitizer.held());
    }
    assert!(most < 32, "{most}");
    let mut sanitizer = Sanitizer::new();
    sanitizer.push("the password ");
    assert!(sanitizer.held() < 16);
    sanitizer.push(&"word ".repeat(2000));
    assert!(sanitizer.held() < 8192, "{}", sanitizer.held());
}
