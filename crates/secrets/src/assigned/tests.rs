//! What follows a name in code and elsewhere.

use super::*;

/// `[name]` marks the name.
fn check(text: &str, syntax: Syntax, expected: Option<(&str, Form)>) {
    let start = text.find('«').unwrap();
    let text = text.replacen('«', "", 1);
    let end = text.find('»').unwrap();
    let text = text.replacen('»', "", 1);
    let value = value_of(text.as_bytes(), &(start..end), syntax);
    let found = value.map(|value| (text[value.span].to_owned(), value.form));
    let expected = expected.map(|(value, form)| (value.to_owned(), form));
    assert_eq!(found, expected, "{text}");
}

#[test]
fn code() {
    use Form::*;
    for (text, expected) in [
        (r#"«password» = "abc""#, Some(("abc", Quoted))),
        (r#"«password»: 'abc',"#, Some(("abc", Quoted))),
        (
            r#"const «password»: string = "abc";"#,
            Some(("abc", Quoted)),
        ),
        (
            r#"const «PASS»: &'static str = "abc";"#,
            Some(("abc", Quoted)),
        ),
        (r#"const «password» string = "abc""#, Some(("abc", Quoted))),
        (r#"char «password»[] = "abc";"#, Some(("abc", Quoted))),
        (r#"«password» := "abc""#, Some(("abc", Quoted))),
        (r#"{"«password»": "abc"}"#, Some(("abc", Quoted))),
        (r#"{\"«password»\": \"abc\"}"#, Some(("abc", Quoted))),
        (r#"env["«PASSWORD»"] = "abc""#, Some(("abc", Quoted))),
        (r#"put("«password»", "abc")"#, Some(("abc", Quoted))),
        (r#"«setPassword»("abc")"#, Some(("abc", Quoted))),
        (
            r#"«password» = os.getenv("NAME", "abc")"#,
            Some(("abc", Wrapped)),
        ),
        (r#"if «password» == "abc" {"#, Some(("abc", Compared))),
        (r#"«password» = other"#, Some(("other", Loose))),
        (
            r#"{"name": "«PASSWORD»", "value": "abc"}"#,
            Some(("abc", Quoted)),
        ),
        (
            r#"<add key="«password»" value="abc"/>"#,
            Some(("abc", Quoted)),
        ),
        (r#"«password» 'abc'"#, Some(("abc", Spaced))),
        (r#"«password» and more"#, None),
        (r#"«password»;"#, None),
        ("«password» = \"no end\n", None),
    ] {
        check(text, Syntax::Code, expected);
    }
}

#[test]
fn elsewhere() {
    use Form::*;
    for (text, syntax, expected) in [
        (
            "«password»: abc # why",
            Syntax::Settings,
            Some(("abc", Bare)),
        ),
        (
            "- name: «DB_PASSWORD»\n  value: abc\n",
            Syntax::Settings,
            Some(("abc", Bare)),
        ),
        ("«password»=a=b\n", Syntax::Settings, Some(("a=b", Bare))),
        (
            "<«password»>abc</password>",
            Syntax::Settings,
            Some(("abc", Bare)),
        ),
        ("run «--password» abc", Syntax::Shell, Some(("abc", Bare))),
        ("export «PASSWORD»=abc", Syntax::Shell, Some(("abc", Bare))),
        ("**«Password»**: abc", Syntax::Prose, Some(("abc", Bare))),
        ("a «password» is good", Syntax::Prose, None),
        ("?«token»=abc&x", Syntax::Prose, Some(("abc", Bare))),
    ] {
        check(text, syntax, expected);
    }
}
