//! The formats of a pack: their shape, and that the reported tokens are those of the written bytes.

use std::path::Path;

use loom_models::{count, resolve as model};
use loom_testkit::{Sandbox, odd_tree};

use crate::packed::{BINARY, formats, json_file, loom};
use crate::readers;

fn small() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox
        .write("src/main.rs", "fn main() {}\n")
        .write("notes", "no end");
    sandbox
}

#[test]
fn xml() {
    let pack = loom(&small(), &["pack", "--line-numbers"]).ok();
    let files = pack.split_once("<statistics").unwrap().1;
    insta::assert_snapshot!(files, @r#"
     files="2" lines="2" bytes="19" tokens="6" vocabulary="o200k_base">
    <language name="Rust" files="1" lines="1" tokens="4"/>
    <language name="Other" files="1" lines="1" tokens="2"/>
    </statistics>
    <tree unit="tokens"><![CDATA[
    notes 2
    src/ 4
     main.rs 4
    ]]></tree>
    <files>
    <file path="notes" lines="1" tokens="2"><![CDATA[
    1: no end]]></file>
    <file path="src/main.rs" language="rust" lines="1" tokens="4"><![CDATA[
    1: fn main() {}
    ]]></file>
    </files>
    </repository>
    "#);
}

#[test]
fn markdown() {
    let pack = loom(&small(), &["pack", "-f", "markdown"]).ok();
    let files = pack.split_once("## Statistics").unwrap().1;
    insta::assert_snapshot!(files, @"
    2 files, 2 lines, 19 bytes, 6 tokens (o200k_base).

    | language | files | lines | tokens |
    |---|---|---|---|
    | Rust | 1 | 1 | 4 |
    | Other | 1 | 1 | 2 |

    ## Tree

    With tokens.

    ```text
    notes 2
    src/ 4
     main.rs 4
    ```

    ## Files

    ### `notes`

    1 lines, 2 tokens, no line end at the end

    ```
    no end
    ```

    ### `src/main.rs`

    1 lines, 4 tokens

    ```rust
    fn main() {}
    ```
    ");
}

#[test]
fn json() {
    let pack = loom(&small(), &["pack", "-f", "json"]).ok();
    let files = pack.split_once("\"statistics\"").unwrap().1;
    insta::assert_snapshot!(files, @r#"
    :{"files":2,"lines":2,"bytes":19,"tokens":6,"vocabulary":"o200k_base","languages":[{"name":"Rust","files":1,"lines":1,"tokens":4},{"name":"Other","files":1,"lines":1,"tokens":2}],"left_out":[]},
    "tree":["notes 2","src/ 4"," main.rs 4"],
    "files":[
    {"path":"notes","lines":1,"tokens":2,"content":"no end"},
    {"path":"src/main.rs","language":"rust","lines":1,"tokens":4,"content":"fn main() {}\n"}
    ]}
    "#);
}

/// Contents that look like our own markup are read back unchanged.
#[test]
fn markup_inside_files() {
    let sandbox = Sandbox::new();
    let nasty = [
        "]]>",
        "]]",
        "]",
        "]]]]>>",
        "</file>\n</files>\n</repository>",
        "<![CDATA[",
        "```\n````\n`",
        "~~~\n",
        "\n### `x`\n\n1 lines\n\n```\n",
        "␛{0}",
        "␛",
        "a\rb",
        "a\r\nb\n",
        "\r\n",
        "\n\n",
        "a few control characters: \u{1}\u{c}\u{1b}[0m",
        "\u{fffe}\u{ffff}",
        "&amp;&#0;",
        "\",\"path\":\"x",
        " ",
        "\u{2028}",
        "<?xml?><!-- -- -->",
        "   9: x",
        "x`",
    ];
    for (at, text) in nasty.iter().enumerate() {
        sandbox.write(format!("{at:02}"), text);
    }
    sandbox.write("99", nasty.concat());
    for format in formats() {
        let files = readers::read(format, &loom(&sandbox, &["pack", "-f", format]).ok());
        let texts: Vec<_> = files.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(texts[..nasty.len()], nasty, "{format}");
        assert_eq!(texts.last(), Some(&nasty.concat().as_str()), "{format}");
    }
}

/// Checks that the report has the number of tokens of the written bytes.
#[track_caller]
fn check_tokens(sandbox: &Sandbox, folder: &Path) {
    let (output, report) = (sandbox.path("../out"), sandbox.path("../report.json"));
    for format in formats() {
        for (name, more) in [("gpt-4o", &[][..]), ("gpt-4", &["--line-numbers"])] {
            let mut command = sandbox.command(BINARY);
            command
                .args(["pack", "-q", "-m", name, "-f", format])
                .args(more)
                .arg(folder);
            command.arg("-o").arg(&output).arg("--report").arg(&report);
            assert!(command.status().unwrap().success());
            let text = std::fs::read_to_string(&output).unwrap();
            let said = &json_file(&report)["output"];
            let counted = count(&text, model(name).unwrap());
            assert_eq!(
                said["tokens"],
                counted.likely(),
                "{format} for {name} {more:?}"
            );
            assert_eq!(said["bytes"], text.len());
        }
    }
}

#[test]
fn compact_is_the_smallest() {
    let sandbox = Sandbox::new();
    odd_tree(&sandbox);
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    for folder in [&*sandbox.work(), own] {
        let tokens = |format| {
            let pack = loom(&sandbox, &["pack", "-f", format, folder.to_str().unwrap()]).ok();
            count(&pack, model("gpt-5").unwrap()).upper()
        };
        let compact = tokens("compact");
        for format in formats().filter(|&format| format != "compact") {
            assert!(compact < tokens(format), "{format}");
        }
    }
}

#[test]
fn tokens_are_those_of_the_output() {
    let sandbox = Sandbox::new();
    odd_tree(&sandbox);
    check_tokens(&sandbox, &sandbox.work());
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    check_tokens(&sandbox, own.parent().unwrap());
}

/// Names of formats and flags in other packers.
#[test]
fn other_names() {
    let sandbox = small();
    let same = |one: &[&str], other: &[&str]| {
        let run = |args: &[&str]| loom(&sandbox, &[&["pack"], args].concat()).ok();
        assert_eq!(run(one), run(other), "{one:?}");
    };
    same(&["-f", "md"], &["-f", "markdown"]);
    same(&["--style", "yml"], &["-f", "yaml"]);
    same(&["-f", "txt"], &["-f", "plain"]);
    same(&["--ignore", "*.rs"], &["--exclude", "*.rs"]);
    same(&["--no-ignore"], &[]);
}
