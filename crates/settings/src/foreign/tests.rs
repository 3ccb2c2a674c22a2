//! Setting and removing an entry, in cases and in generated files.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{ForeignEntry, ForeignSyntax};

const PATH: &[&str] = &["servers", "loom"];
const JSON: ForeignEntry<'_> = entry(ForeignSyntax::Json);
const JSONC: ForeignEntry<'_> = entry(ForeignSyntax::Jsonc);
const TOML: ForeignEntry<'_> = entry(ForeignSyntax::Toml);

const fn entry(syntax: ForeignSyntax) -> ForeignEntry<'static> {
    ForeignEntry { syntax, path: PATH }
}

fn fields() -> Vec<(&'static str, Value)> {
    vec![
        ("command", json!("loom")),
        ("args", json!(["mcp", "a \"b\""])),
    ]
}

#[track_caller]
fn check(entry: &ForeignEntry<'_>, old: &str, expected: &str) {
    let new = entry.set(old, &fields()).unwrap();
    assert_eq!(new, expected);
    assert_eq!(entry.set(&new, &fields()).unwrap(), new, "twice is once");
    assert_eq!(entry.take(&new, Some(old)).unwrap(), old, "and back");
    let value = entry.get(&new).unwrap().unwrap();
    assert_eq!(value["args"], json!(["mcp", "a \"b\""]));
}

#[test]
fn empty_file_gets_the_whole_path() {
    let whole = "{\n  \"servers\": {\n    \"loom\": {\n      \"command\": \"loom\",\n      \"args\": [\"mcp\", \"a \\\"b\\\"\"]\n    }\n  }\n}\n";
    check(&JSON, "", whole);
    check(&JSON, "{}", whole.trim_end());
    check(
        &TOML,
        "",
        "[servers.loom]\ncommand = \"loom\"\nargs = [\"mcp\", 'a \"b\"']\n",
    );
}

#[test]
fn comments_commas_line_endings_and_indents_stay() {
    check(
        &JSONC,
        "// top\r\n{\r\n\t\"a\": 1, // one\r\n\t\"servers\": {\r\n\t\t\"x\": {} // x\r\n\t},\r\n}\r\n",
        "// top\r\n{\r\n\t\"a\": 1, // one\r\n\t\"servers\": {\r\n\t\t\"x\": {}, // x\r\n\t\t\"loom\": {\r\n\t\t\t\"command\": \"loom\",\r\n\t\t\t\"args\": [\"mcp\", \"a \\\"b\\\"\"]\r\n\t\t}\r\n\t},\r\n}\r\n",
    );
    check(
        &JSONC,
        "{\"servers\":{\"x\":1,},}",
        "{\"servers\":{\"x\":1, \"loom\": {\"command\": \"loom\", \"args\": [\"mcp\", \"a \\\"b\\\"\"]},},}",
    );
    check(
        &TOML,
        "# mine\r\na = 1 # one\r\n\r\n[servers.x]\r\ncommand = 'x'",
        "# mine\r\na = 1 # one\r\n\r\n[servers.x]\r\ncommand = 'x'\r\n\r\n[servers.loom]\r\ncommand = \"loom\"\r\nargs = [\"mcp\", 'a \"b\"']\r\n",
    );
}

#[test]
fn keys_are_quoted_where_toml_wants_it() {
    let path: &[&str] = &["hooks", "state", "/a b/hooks.json:start:0:0"];
    let entry = ForeignEntry {
        syntax: ForeignSyntax::Toml,
        path,
    };
    check(
        &entry,
        "",
        "[hooks.state.\"/a b/hooks.json:start:0:0\"]\ncommand = \"loom\"\nargs = [\"mcp\", 'a \"b\"']\n",
    );
}

#[test]
fn existing_entry_is_updated_and_keeps_its_other_fields() {
    let old = "{\"servers\": {\"loom\": {\"env\": {\"A\": \"b\"}, \"command\": \"/old\"}}}";
    check(
        &JSON,
        old,
        "{\"servers\": {\"loom\": {\"env\": {\"A\": \"b\"}, \"command\": \"loom\", \"args\": [\"mcp\", \"a \\\"b\\\"\"]}}}",
    );
    check(
        &TOML,
        "[servers.loom]\ncommand = \"/old\" # old\n[servers.loom.env]\nA = \"b\"\n[z]\n",
        "[servers.loom]\nargs = [\"mcp\", 'a \"b\"']\ncommand = \"loom\" # old\n[servers.loom.env]\nA = \"b\"\n[z]\n",
    );
}

#[test]
fn later_edits_of_others_stay() {
    let old = "{\n  \"servers\": {\n    \"x\": {}\n  }\n}\n";
    let new = JSON.set(old, &fields()).unwrap();
    let edited = new.replace("    }\n  }\n", "    },\n    \"y\": {}\n  },\n  \"z\": 1\n");
    assert_eq!(
        JSON.take(&edited, Some(old)).unwrap(),
        "{\n  \"servers\": {\n    \"x\": {},\n    \"y\": {}\n  },\n  \"z\": 1\n}\n"
    );
    // A table that we created and that another program uses now stays, too.
    let new = JSON.set("{}", &fields()).unwrap();
    let edited = new.replace("    }\n  }\n", "    },\n    \"y\": {}\n  }\n");
    let taken = JSON.take(&edited, Some("{}")).unwrap();
    assert_eq!(taken, "{\n  \"servers\": {\n    \"y\": {}\n  }\n}");
    let new = TOML.set("a = 1\n", &fields()).unwrap() + "\n[other]\nb = 2\n";
    assert_eq!(
        TOML.take(&new, Some("a = 1\n")).unwrap(),
        "a = 1\n\n[other]\nb = 2\n"
    );
}

#[test]
fn errors_have_a_position() {
    let error_message = |entry: &ForeignEntry<'_>, text: &str| {
        let error = entry.set(text, &fields()).unwrap_err().to_string();
        assert!(entry.take(text, None).is_err() || entry.take(text, None).unwrap() == text);
        error
    };
    assert_eq!(
        error_message(&JSON, "{\n  // no\n}"),
        "line 2, column 3: expected JSON; comments are not allowed in this file"
    );
    assert_eq!(
        error_message(&JSONC, "{\"a\": }"),
        "line 1, column 7: expected a value"
    );
    assert_eq!(
        error_message(&JSONC, "[]"),
        "line 1, column 1: expected a table `{…}` on the way to `servers.loom`"
    );
    assert_eq!(
        error_message(&JSONC, "{\"servers\": 3}"),
        "line 1, column 13: expected a table `{…}` on the way to `servers.loom`"
    );
    assert_eq!(
        error_message(&JSONC, "{\"servers\": {}, \"servers\": {}}"),
        "line 1, column 17: `servers` occurs twice in the same table"
    );
    assert_eq!(
        error_message(&JSONC, "{} x"),
        "line 1, column 4: expected the end of the file"
    );
    assert!(error_message(&JSONC, &"[".repeat(100_000)).contains("nested too deeply"));
    assert_eq!(
        error_message(&TOML, "servers = { x = 1 }\n"),
        "line 1, column 11: expected tables of the form [servers.loom]"
    );
    assert!(error_message(&TOML, "a = [\n").starts_with("line "));
    assert!(error_message(&TOML, "[[servers]]\nx = 1\n").contains("expected"));
}

/// Generates files as people and programs write them.
fn jsonc() -> impl Strategy<Value = String> {
    let space = prop::sample::select(vec![
        "",
        " ",
        "\n",
        "\n  ",
        "\r\n\t",
        " // c\n ",
        "/* b */",
        " /* a\n b */ ",
    ]);
    let leaf = prop::sample::select(vec![
        "1", "\"x\"", "null", "[1, 2]", "[\n1,\n]", "{}", "{ }", "{\n}",
    ]);
    let leaf = leaf.prop_map(str::to_owned).boxed();
    let value = leaf.prop_recursive(3, 12, 3, move |inner| {
        let key = prop::sample::select(vec!["a", "b", "servers", "loom", "é\\\"k"]);
        let member = (key, inner, space.clone(), space.clone(), space.clone());
        (
            prop::collection::vec(member, 0..4),
            any::<bool>(),
            space.clone(),
        )
            .prop_map(|(members, comma, end)| {
                let mut seen = std::collections::HashSet::new();
                let members = members.into_iter().filter(|(key, ..)| seen.insert(*key));
                let members: Vec<String> = members
                    .map(|(key, value, a, b, c)| format!("{a}\"{key}\"{b}:{c}{value}{b}"))
                    .collect();
                let comma = if comma && !members.is_empty() {
                    ","
                } else {
                    ""
                };
                format!("{{{}{comma}{end}}}", members.join(","))
            })
    });
    (
        value,
        prop::sample::select(vec!["", "\n", "// end", "\r\n"]),
    )
        .prop_map(|(value, end)| value + end)
}

fn toml() -> impl Strategy<Value = String> {
    let line = prop::sample::select(vec![
        "a = 1",
        "# c",
        "",
        "b = \"\"\"x\n[servers.loom]\n\"\"\"",
        "[servers]",
        "[servers.x]",
        "[z.y]",
        "command = 'x' # c",
        "args = [\n  1,\n]",
        "[servers.loom]",
        "[servers.loom.env]",
        "x.y = 2",
        "[[list]]",
    ]);
    let end = prop::sample::select(vec!["\n", "\r\n"]);
    (prop::collection::vec(line, 0..9), end, any::<bool>()).prop_map(|(lines, end, has_end)| {
        let text = lines.join(end);
        if has_end && !text.is_empty() {
            text + end
        } else {
            text
        }
    })
}

/// Checks that a file is rejected, or that setting is idempotent and removing restores every byte.
fn check_set_and_restore(entry: &ForeignEntry<'_>, old: &str) -> Result<(), TestCaseError> {
    let Ok(new) = entry.set(old, &fields()) else {
        return Ok(());
    };
    prop_assert_eq!(&entry.set(&new, &fields()).unwrap(), &new);
    let value = entry.get(&new).unwrap().unwrap();
    prop_assert_eq!(&value["command"], "loom");
    prop_assert_eq!(&entry.take(&new, Some(old)).unwrap(), old);
    // Without the earlier text, only the entry is removed.
    let taken = entry.take(&new, None).unwrap();
    prop_assert_eq!(entry.get(&taken).unwrap(), None);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn json_is_set_and_restored(old in jsonc()) {
        check_set_and_restore(&JSONC, &old)?;
        check_set_and_restore(&JSON, &old)?;
    }

    #[test]
    fn toml_is_set_and_restored(old in toml()) {
        check_set_and_restore(&TOML, &old)?;
    }

    #[test]
    fn any_text_is_rejected_or_restored(old in "[\\[\\]{}\",:/*a\\n =.#']{0,40}") {
        check_set_and_restore(&JSONC, &old)?;
        check_set_and_restore(&TOML, &old)?;
    }
}
