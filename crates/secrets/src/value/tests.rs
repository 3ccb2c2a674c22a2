//! Tests of values and their classes.

use super::*;

#[test]
fn values_are_classified_by_form() {
    use ValueClass::*;
    for (value, expected) in [
        ("", Nothing),
        ("ab", Nothing),
        ("--", Nothing),
        ("<your key>", Placeholder),
        ("xxxxxxxx", Placeholder),
        ("a1b2c3d4567890ab", Placeholder),
        ("a123b45c6d78e9f012a34cd5e6a7890b12c3d45e6f78", Placeholder),
        ("1a9b3c7d2e8f4a6b0c5d", Drawn),
        ("da39a3ee5e6b4b0d3255bfef95601890afd80709", Placeholder),
        ("changeme123", Placeholder),
        ("AKIAIOSFODNN7EXAMPLE", Placeholder),
        ("${DB_PASSWORD}", Reference),
        ("$TOKEN", Reference),
        ("DB_PASSWORD", Reference),
        ("process.env.TOKEN", Reference),
        ("%s", Nothing),
        ("getToken()", Reference),
        ("enter the password here", Sentence),
        ("https://a.b/c", Address),
        ("2010-04-01", Address),
        ("1.2.3", Address),
        ("sentinel.dashboard.auth.password", Placeholder),
        ("password_confirmation", Placeholder),
        ("admin123", Placeholder),
        ("os.urandom(24", Reference),
        ("--server=a", Reference),
        ("VozkqqWcexxxle", MadeUp),
        ("wevdude", Word),
        ("123456678", Placeholder),
        ("8305937", Number),
        ("ea0ed57a-2cb9-8acc-47dd-006b8db2f1b2", Uuid),
        ("test4scram", MadeUp),
        ("hello<ther>e", MadeUp),
        ("p@ssw0rd!", MadeUp),
        ("hfbpozfhvuwgtfosmo2imqskc73w04jf3313309829", Drawn),
        ("wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzzKEY", Drawn),
        ("abcdefghijklmnopqrstuvwxyz1234567890", Placeholder),
        (
            "$2a$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy",
            Drawn,
        ),
    ] {
        assert_eq!(nature(value.as_bytes()), expected, "{value}");
    }
}
