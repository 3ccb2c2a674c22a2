//! The page of `tokens --html`, in a browser.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use loom_testkit::{Browser, Sandbox};
use serde_json::Value;

use crate::packed::loom;

/// Names that a page could misinterpret.
const ODD: &[&str] = &[
    "docs/it's \"quoted\" & <b>bold<.md",
    "docs/</script><script>alert(1)<.md",
    "docs/😀 &amp;.md",
    "docs/@DATA@.md",
];

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("src/main.rs", "fn main() { run(); }\n".repeat(400));
    sandbox.write("src/deep/one.py", "def one():\n    return 1\n".repeat(150));
    sandbox.write("src/deep/two.py", "def two():\n    return 2\n".repeat(50));
    sandbox.write("README.md", "Words of a sentence.\n".repeat(60));
    for name in ODD {
        sandbox.write(name, "Some words in a line.\n".repeat(30));
    }
    sandbox.write(OsStr::from_bytes(b"docs/caf\xe9.md"), "Words.\n".repeat(30));
    sandbox
}

/// Opens the page of the sandbox, and returns it with the result of the command.
fn opened(sandbox: &Sandbox, width: u32) -> (Browser, Value) {
    let args = ["tokens", "--html", "../tokens.html", "--format", "json"];
    let answer = serde_json::from_str(&loom(sandbox, &args).ok()).unwrap();
    let mut browser = Browser::start(sandbox);
    browser.resize(width, 800);
    browser.open(&sandbox.path("../tokens.html"));
    (browser, answer)
}

fn strings(value: &Value) -> Vec<String> {
    let list = value.as_array().into_iter().flatten();
    list.filter_map(Value::as_str).map(str::to_owned).collect()
}

fn texts(browser: &mut Browser, selector: &str) -> Vec<String> {
    let all = format!("[...document.querySelectorAll({selector:?})].map((it) => it.textContent)");
    strings(&browser.evaluate(&all))
}

/// Clicks into the upper left corner of the first element whose label starts with `label`. A
/// directory shows its name there.
fn click(browser: &mut Browser, selector: &str, label: &str) {
    let place = browser.evaluate(&format!(
        "(() => {{ const it = [...document.querySelectorAll({selector:?})].find((it) => \
         (it.getAttribute('aria-label') ?? it.textContent).startsWith({label:?})); \
         const box = it.getBoundingClientRect(); return [box.left + 6, box.top + 8]; }})()"
    ));
    browser.click(place[0].as_f64().unwrap(), place[1].as_f64().unwrap());
}

#[test]
fn it_shows_folders_languages_and_files_and_asks_nobody() {
    let sandbox = sandbox();
    let (mut browser, answer) = opened(&sandbox, 1200);
    let total = answer["total_tokens"].as_u64().unwrap();
    let sum = texts(&mut browser, "#sum").concat();
    let digits: String = sum.split(" tokens").next().unwrap().replace(',', "");
    assert_eq!(digits, total.to_string(), "{sum}");
    let cells = "[...document.querySelectorAll('#map > button')].map((it) => it.getAttribute('aria-label'))";
    let cells = strings(&browser.evaluate(cells));
    for start in ["src/, ", "main.rs, ", "deep/, ", "docs/, ", "README.md, "] {
        assert!(
            cells.iter().any(|cell| cell.starts_with(start)),
            "{start}: {cells:?}"
        );
    }
    let languages = texts(&mut browser, "#languages td:first-child");
    for name in ["Rust", "Python", "Markdown"] {
        assert!(
            languages.iter().any(|language| language == name),
            "{languages:?}"
        );
    }
    let files = texts(&mut browser, "#files td:first-child");
    assert_eq!(files[..2], ["src/main.rs", "src/deep/one.py"]);
    assert_eq!(files.len(), answer["files"].as_array().unwrap().len());
    let outside = browser.requests();
    let outside: Vec<_> = outside
        .iter()
        .filter(|url| !url.starts_with("file://"))
        .collect();
    assert!(outside.is_empty(), "{outside:?}");
    assert_eq!(browser.requests().len(), 1);
    assert!(browser.problems().is_empty(), "{:?}", browser.problems());
}

#[test]
fn names_are_text_whatever_they_hold() {
    let sandbox = sandbox();
    let (mut browser, answer) = opened(&sandbox, 1200);
    let mut shown = texts(&mut browser, "#files td:first-child");
    let files = answer["files"].as_array().unwrap();
    let mut paths: Vec<_> = files
        .iter()
        .map(|file| file["path"].as_str().unwrap())
        .collect();
    shown.sort();
    paths.sort_unstable();
    assert_eq!(shown, paths);
    for name in ODD {
        let cell = format!("{:?}", name.trim_start_matches("docs/"));
        assert!(
            shown
                .iter()
                .any(|path| path == name || path.contains(cell.trim_matches('"'))),
            "{name}: {shown:?}"
        );
    }
    assert!(
        shown.iter().any(|path| path.contains("caf\\351")),
        "{shown:?}"
    );
    let elements = browser
        .evaluate("[document.querySelectorAll('b, i, script').length, document.scripts.length]");
    assert_eq!(elements, serde_json::json!([2, 2]));
    assert!(browser.problems().is_empty(), "{:?}", browser.problems());
}

#[test]
fn a_folder_opens_by_click_and_by_key_and_closes_again() {
    let sandbox = sandbox();
    let (mut browser, _) = opened(&sandbox, 1200);
    let trail = |browser: &mut Browser| texts(browser, "nav button");
    let root = trail(&mut browser);
    assert_eq!(root.len(), 1);
    click(&mut browser, "#map > button", "src/");
    assert_eq!(trail(&mut browser)[1..], ["src/"]);
    let cells = texts(&mut browser, "#map > button");
    assert!(
        !cells.iter().any(|cell| cell.contains("README")),
        "{cells:?}"
    );
    click(&mut browser, "#map > button", "deep/");
    assert_eq!(trail(&mut browser)[1..], ["src/", "deep/"]);
    click(&mut browser, "nav button", &root[0]);
    assert_eq!(trail(&mut browser), root);
    // A file cannot be opened.
    click(&mut browser, "#map > button", "README.md");
    assert_eq!(trail(&mut browser), root);
    // With keys: the path to the root is focused first, then the largest directory.
    browser.evaluate("document.activeElement.blur()");
    browser.press("Tab");
    browser.press("Tab");
    let focused = "document.activeElement.getAttribute('aria-label') ?? ''";
    assert!(
        browser
            .evaluate(focused)
            .as_str()
            .unwrap()
            .starts_with("src/")
    );
    browser.press("Enter");
    assert_eq!(trail(&mut browser)[1..], ["src/"]);
    // The focus stays on the opened directory.
    assert_eq!(
        browser.evaluate("document.activeElement.textContent"),
        "src/"
    );
    browser.press("Tab");
    assert!(
        browser
            .evaluate(focused)
            .as_str()
            .unwrap()
            .starts_with("main.rs")
    );
    browser.press("Escape");
    assert_eq!(trail(&mut browser), root);
    assert!(browser.problems().is_empty(), "{:?}", browser.problems());
}

#[test]
fn it_fits_a_narrow_window_and_a_wide_one() {
    let sandbox = sandbox();
    let (mut browser, _) = opened(&sandbox, 360);
    for width in [360, 1600, 280] {
        browser.resize(width, 700);
        let seen = browser.evaluate(
            "[document.documentElement.scrollWidth <= innerWidth, (() => { const map = document.getElementById('map').getBoundingClientRect(); \
             return [...document.querySelectorAll('#map > button')].every((it) => { const box = it.getBoundingClientRect(); \
             return box.left >= map.left - 1 && box.right <= map.right + 1 && box.bottom <= map.bottom + 1; }); })(), \
             document.querySelectorAll('#map > button').length > 3]",
        );
        assert_eq!(seen, serde_json::json!([true, true, true]), "{width}");
    }
}

#[test]
fn nothing_to_show_is_said() {
    let sandbox = Sandbox::new();
    sandbox.write("empty.txt", "");
    let (mut browser, _) = opened(&sandbox, 800);
    let sum = texts(&mut browser, "#sum").concat();
    assert!(sum.starts_with("0 tokens in 1 file,"), "{sum}");
    assert!(browser.problems().is_empty(), "{:?}", browser.problems());
}
