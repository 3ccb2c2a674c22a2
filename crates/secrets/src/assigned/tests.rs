//! Values after a name, in code and elsewhere.

use super::*;

/// `[name]` marks the name.
fn check(text: &str, syntax: Syntax, expected: Option<(&str, Form)>) {
    let start = text.find('«').unwrap();
    let text = text.replacen('«', "", 1);
    let end = text.find('»').unwrap();
    let text = text.replacen('»', "", 1);
    let values = values_of(text.as_bytes(), &(start..end), syntax);
    let found = values
        .into_iter()
        .next()
        .map(|value| (text[value.span].to_owned(), value.form));
    let expected = expected.map(|(value, form)| (value.to_owned(), form));
    assert_eq!(found, expected, "{text}");
}

#[test]
fn assignments_in_code() {
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
        (r#"put("«password»", "abc")"#, Some(("abc", Argument))),
        (r#"«setPassword»("abc")"#, Some(("abc", Argument))),
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
fn assignments_outside_code() {
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
        ("export «PASSWORD»=abc", Syntax::Shell, Some(("abc", Tight))),
        ("**«Password»**: abc", Syntax::Prose, Some(("abc", Bare))),
        ("a «password» is good", Syntax::Prose, None),
        ("?«token»=abc&x", Syntax::Prose, Some(("abc", Tight))),
    ] {
        check(text, syntax, expected);
    }
}

/// Checks all values of the name, without their syntax.
fn check_all(text: &str, syntax: Syntax, expected: &[&str]) {
    let start = text.find('«').unwrap();
    let text = text.replacen('«', "", 1);
    let end = text.find('»').unwrap();
    let text = text.replacen('»', "", 1);
    let values = values_of(text.as_bytes(), &(start..end), syntax);
    let found: Vec<_> = values.into_iter().map(|value| &text[value.span]).collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn lists_in_code() {
    for (text, expected) in [
        (r#"«passwords» = ["ab", 'cd']"#, &["ab", "cd"][..]),
        (
            "«tokens» := []string{\n\t\"ab\",\n\t\"cd\",\n}",
            &["ab", "cd"],
        ),
        ("«SECRET» = (\n  'ab'\n  'cd'\n)", &["ab", "cd"]),
        ("«secret» = \"ab\" +\n    \"cd\";", &["ab", "cd"]),
        (r#"{"«tokens»": ["ab", "cd"]}"#, &["ab", "cd"]),
        (r#"{"«credentials»": {"user": "ab"}}"#, &[]),
        (r#"«password» = ""; x = "ab""#, &[""]),
    ] {
        check_all(text, Syntax::Code, expected);
    }
}

#[test]
fn lists_in_settings() {
    for (text, expected) in [
        ("«passwords»: [ab, \"cd\"]\n", &["ab", "cd"][..]),
        ("«passwords»:\n  - ab\n  - 'cd'\nother: x\n", &["ab", "cd"]),
        ("«passwords»:\n- ab\n- cd\n", &["ab", "cd"]),
        ("a:\n  «password»: |-\n    ab\n  other: x\n", &["ab"]),
        ("«credentials»:\n  user: ab\n", &[]),
        ("«password»: !!str ab\n", &["ab"]),
        ("«password»: &root ab\n", &["ab"]),
        ("<key>«password»</key>\n<string>ab</string>", &["ab"]),
        ("<«password»><![CDATA[ab]]></password>", &["ab"]),
        ("<property name=\"«password»\">ab</property>", &["ab"]),
        ("«requirepass» ab\n", &["ab"]),
    ] {
        check_all(text, Syntax::Settings, expected);
    }
}

#[test]
fn variables_and_flags_end_with_their_word_in_any_language() {
    for (text, syntax, expected) in [
        ("run -e «DB_PASSWORD»=ab image", Syntax::Prose, &["ab"][..]),
        ("call(\"«--password»=ab\")", Syntax::Code, &["ab"]),
        ("\"/login?user=x&«password»=ab&y=z\"", Syntax::Code, &["ab"]),
        ("ENV «DB_PASSWORD» ab\n", Syntax::Shell, &["ab"]),
        (
            "&quot;«password»&quot;: &quot;ab&quot;,",
            Syntax::Prose,
            &["ab"],
        ),
        ("«password»: &#39;ab&#39;", Syntax::Prose, &["ab"]),
        ("user%5B«password»%5D=ab&x", Syntax::Code, &["ab"]),
    ] {
        check_all(text, syntax, expected);
    }
}
