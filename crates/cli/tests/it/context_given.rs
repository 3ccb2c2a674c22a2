//! Files that the user names for a context: `--pin` and `--hot`.

use serde_json::Value;

use crate::context::{answer, sandbox};
use crate::packed::loom;

#[test]
fn a_file_has_many_names() {
    let sandbox = sandbox();
    sandbox.git(&["init", "--quiet"]);
    let full = sandbox.work().join("src/parts/part9.py");
    let full = full.to_str().unwrap();
    let lines = format!("{full}:1-2");
    let told = |flag: &str, name: &str| {
        let words = ["src/parts", "--budget", "1k", flag, name];
        answer(&sandbox, "part", &words)
    };
    for name in ["part9.py", "./part9.py", "src/parts/part9.py", full] {
        let hot = told("--hot", name);
        assert_eq!(hot["files"][0], "part9.py", "{name}");
        let pinned = told("--pin", name);
        let pieces = pinned["pieces"].as_array().unwrap();
        let mut pieces = pieces.iter().filter(|piece| piece["path"] == "part9.py");
        assert!(pieces.any(is_pinned), "{name}");
    }
    for name in ["part9.py:1-2", "src/parts/part9.py:1-2", &lines] {
        let pinned = told("--pin", name);
        let pieces = pinned["pieces"].as_array().unwrap();
        let of_pin = pieces.iter().filter(|piece| is_pinned(piece));
        let of_pin: Vec<&Value> = of_pin.collect();
        assert_eq!(of_pin.len(), 1, "{name}");
        assert_eq!(of_pin[0]["path"], "part9.py", "{name}");
    }
}

fn is_pinned(piece: &Value) -> bool {
    piece["reasons"][0]["signal"] == "pinned"
}

#[test]
fn a_pin_that_is_not_there_is_refused_and_a_hot_file_told() {
    let sandbox = sandbox();
    for pin in ["nowhere.py", "src/http/client.py:900-901", "no_such_name"] {
        let refused = loom(&sandbox, &["context", "retry", "--pin", pin]);
        assert_eq!(refused.code, 2, "{pin}");
        let said = &refused.stderr;
        assert!(said.contains(&format!("pin {pin}: nothing")), "{said}");
        assert!(said.contains("a file, FILE:FIRST-LAST"), "{said}");
    }
    let run = loom(&sandbox, &["context", "retry", "--hot", "nowhere.py"]);
    assert_eq!(run.code, 0);
    assert!(
        run.stderr.contains("nowhere.py: no such file"),
        "{}",
        run.stderr
    );
    let words = ["context", "x", "--pin", "Part7.price7", "--explain"];
    let run = loom(&sandbox, &words);
    assert!(
        run.stderr.contains("is pinned (pinned 0)"),
        "{}",
        run.stderr
    );
}
