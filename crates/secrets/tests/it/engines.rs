//! Each engine through the scanner: a path, a line, and the finding in it.

use loom_secrets::{Confidence, Scanner};

/// `expected`: the kind, the confidence and the secret; `None` if nothing is found even at low
/// confidence.
fn check(path: &str, text: &str, expected: Option<(&str, Confidence, &str)>) {
    let findings = Scanner::new()
        .at_least(Confidence::Low)
        .scan_file(path, text);
    let found: Vec<_> = findings
        .iter()
        .map(|one| (one.kind, one.confidence, &text[one.span.clone()]))
        .collect();
    assert_eq!(
        found,
        expected.into_iter().collect::<Vec<_>>(),
        "{path}: {text}"
    );
}

const DRAWN: &str = "8Jf3kLq0ZpXw5Vt7Rn2Yb9Cm4Gd6Hs1A";

#[test]
fn names_and_their_values() {
    use Confidence::{Low, Medium};
    for (path, text, expected) in [
        (
            "a.py",
            "password = \"vK8#pq2Zr!\"",
            Some(("password", Medium, "vK8#pq2Zr!")),
        ),
        (
            "test_a.py",
            "password = \"moonlight\"",
            Some(("password", Low, "moonlight")),
        ),
        ("a.py", "password = os.environ[\"PASSWORD\"]", None),
        ("a.py", "password = \"<your password>\"", None),
        (
            "a.sql",
            "ALTER USER x IDENTIFIED BY 'vK8#pq2Zr!';",
            Some(("password", Medium, "vK8#pq2Zr!")),
        ),
        (
            "a.ps1",
            "ConvertTo-SecureString \"vK8#pq2Zr!\"",
            Some(("password", Medium, "vK8#pq2Zr!")),
        ),
        (
            "a.yaml",
            "- name: DB_PASSWORD\n  value: vK8#pq2Zr!\n",
            Some(("password", Medium, "vK8#pq2Zr!")),
        ),
        ("locale/en.yml", "password: Password", None),
        ("a.go", "Key string `json:\"key\"`", None),
        (
            "a.json",
            "{\"cache_key\": \"8Jf3kLq0ZpXw5Vt7Rn2Yb9Cm4Gd6Hs1A\"}",
            None,
        ),
        (
            ".netrc",
            "machine a.b login me password vK8#pq2Zr!",
            Some(("password", Medium, "vK8#pq2Zr!")),
        ),
    ] {
        check(path, text, expected);
    }
}

#[test]
fn names_in_lists_and_beside_look_ups() {
    use Confidence::Medium;
    for (path, text, expected) in [
        (
            "a.yml",
            "list: {password: vK8#pq2Zr!, host: keep.me}",
            Some(("password", Medium, "vK8#pq2Zr!")),
        ),
        (
            "b.yml",
            "args: [\"--password=vK8xpq2Zr7Lm!\", \"--keep\"]",
            Some(("password", Medium, "vK8xpq2Zr7Lm!")),
        ),
        (
            "a.js",
            "const password = process.env.DB_PASSWORD || \"vK8#pq2Zr!mL\"",
            Some(("password", Medium, "vK8#pq2Zr!mL")),
        ),
        (
            "c.yml",
            "MINIO_ROOT_PASSWORD: ${MRP:-URByDwcMRwC8aReHogAx}",
            Some(("password", Medium, "URByDwcMRwC8aReHogAx")),
        ),
        (
            "a.txt",
            "password=Copper*939-QGiG",
            Some(("password", Medium, "Copper*939-QGiG")),
        ),
    ] {
        check(path, text, expected);
    }
}

#[test]
fn schemes() {
    use Confidence::Medium;
    check(
        "a.md",
        &format!("send Bearer {DRAWN} now"),
        Some(("bearer-token", Medium, DRAWN)),
    );
    check(
        "a.sh",
        "curl -H 'X: Basic YWRtaW46dks4I3BxMlpyIQ=='",
        Some(("basic-auth", Medium, "YWRtaW46dks4I3BxMlpyIQ==")),
    );
    check("a.md", "Basic knowledge of things", None);
    check("a.c", "Basic dXNlcjpodW50ZXIy__a", None);
}

#[test]
fn addresses() {
    use Confidence::{Low, Medium};
    check(
        "a.yaml",
        "url: postgres://admin:Tz9kQ4mWx2@db.internal.net/app",
        Some(("url-password", Medium, "Tz9kQ4mWx2")),
    );
    check(
        "test/a.py",
        "postgres://u:hunter22x@localhost/x",
        Some(("url-password", Low, "hunter22x")),
    );
    check("a.yaml", "url: postgres://user:password@host/app", None);
    check("a.yaml", "url: https://a.b/c:d@e", None);
}

#[test]
fn keys() {
    use Confidence::High;
    let line = "MIIEowIBAAKCAQEA6M4G9xigt5cQYvZ0rT8hJk2LmNpQrStUvWxYz0123456789ab\n";
    let putty = format!("Private-Lines: 2\n{line}{line}Private-MAC: 0\n");
    check(
        "a.ppk",
        &putty,
        Some(("private-key", High, format!("{line}{line}").trim_end())),
    );
    let word = "PRIVATE KEY";
    let block = format!("-----BEGIN {word}-----\n{line}{line}-----END {word}-----");
    check("a.pem", &block, Some(("private-key", High, &block)));
    check(
        "a.go",
        &format!("if x == \"-----BEGIN {word}-----\" {{"),
        None,
    );
    let encoded = "LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0tLS0tCk1JSUV2QUlCQURBTkJna3Foa2lHOXcwQkFRRUZBQVNDQktZd2dnU2lBZ0VBQW9JQkFRQ2l6MmJpNEFQbTQ0angKWUtaYXhGUUlFK0VZMjNlTzJiWXA4S1ZEc3ZDZ0d4d3ZkZ2hqa2x6eGN2Ym5tCg==";
    check(
        "a.yaml",
        &format!("tls.key: {encoded}"),
        Some(("private-key", High, encoded)),
    );
}

#[test]
fn remarks_allow_their_line() {
    check("a.yaml", "password: vK8#pq2Zr! # infiniloom:allow\n", None);
    let far = format!(
        "{{\"a\": \"infiniloom:allow\", {}\"password\": \"vK8#pq2Zr!\"}}",
        "\"x\": 1, ".repeat(400)
    );
    let found = Scanner::new().scan_file("a.json", &far);
    assert_eq!(found.len(), 1);
}

/// The text after a placeholder stays.
#[test]
fn text_after_a_placeholder_stays() {
    use loom_secrets::{Numbers, Replaced, redact};
    for (path, text, expected) in [
        (
            "a.yaml",
            "url: postgres://admin:Tz9kQ4mWx2@db.internal.net/app\n",
            "url: postgres://admin:[REDACTED:url-password:1]@db.internal.net/app\n",
        ),
        (
            "a.conf",
            "x=AKIAZ7VRSQ5TJN2XMPLQ/eu-west/bucket\n",
            "x=[REDACTED:aws-access-key:1]/eu-west/bucket\n",
        ),
    ] {
        let findings = Scanner::new().scan_file(path, text);
        let plan = Replaced::plan(text, &findings, &mut Numbers::default());
        assert_eq!(redact(text, &plan), expected);
    }
}

/// A secret found once is redacted everywhere in the file, and wrapped keys as a whole.
#[test]
fn copies_and_wrapped_keys() {
    let text = "password = \"vK8#pq2Zr!mL\"\nlogin(\"bob\", \"vK8#pq2Zr!mL\")\n";
    assert_eq!(Scanner::new().scan_file("a.py", text).len(), 2);
    let line = "LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0tLS0tCk1JSUV2QUlCQURBTkJna3Foa2lHOXcwQkFRRUZB\n";
    let text = format!("key: |\n  {line}  {line}  {line}rest: x\n");
    let found = Scanner::new().scan_file("a.yaml", &text);
    assert_eq!(found.len(), 1);
    assert!(text[found[0].span.end..].starts_with("\nrest"), "{found:?}");
}

/// The name may be in the header of a column, or after the value.
#[test]
fn tables_and_pairs() {
    use Confidence::Medium;
    let password = |secret| Some(("password", Medium, secret));
    for (path, text, expected) in [
        (
            "seed.sql",
            "INSERT INTO users (name, password) VALUES ('joe', 'vK8#pq2Zr!');",
            password("vK8#pq2Zr!"),
        ),
        (
            "notes.txt",
            "run INSERT INTO users (name, password) VALUES ('joe', 'vK8#pq2Zr!');",
            password("vK8#pq2Zr!"),
        ),
        (
            "users.csv",
            "name;password\njoe;vK8#pq2Zr!\n",
            password("vK8#pq2Zr!"),
        ),
        (
            ".pgpass",
            "db.internal:5432:app:joe:vK8#pq2Zr!\n",
            password("vK8#pq2Zr!"),
        ),
        (
            "a.yaml",
            "env:\n  - value: vK8#pq2Zr!\n    name: DB_PASSWORD\n",
            password("vK8#pq2Zr!"),
        ),
        (
            "a.json",
            "{\"value\": \"vK8#pq2Zr!\", \"name\": \"DB_PASSWORD\"}",
            password("vK8#pq2Zr!"),
        ),
        (
            "deploy.sh",
            "cat > .env <<END\nHOST=a.b\nDB_PASSWORD=vK8#pq2Zr!\nEND\n",
            password("vK8#pq2Zr!"),
        ),
        (
            "deploy.py",
            "TEXT = '''\nDB_PASSWORD=vK8#pq2Zr!\n'''\n",
            password("vK8#pq2Zr!"),
        ),
    ] {
        check(path, text, expected);
    }
}

/// A text that only resembles the start of a statement must not hide a finding.
#[test]
fn unclosed_quote_hides_no_statement() {
    let insert = "INSERT INTO users (password) VALUES ('";
    let text = format!("{insert}{}\n{insert}vK8#pq2Zr!');", "x ".repeat(5000));
    check(
        "a.sql",
        &text,
        Some(("password", Confidence::Medium, "vK8#pq2Zr!")),
    );
}
