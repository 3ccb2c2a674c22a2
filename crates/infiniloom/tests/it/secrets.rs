//! Results never contain a secret of the repository, even if only an ignored file reveals it.

use infiniloom::wire::{ChunkInfo, ContextInfo};
use infiniloom::{
    Buffer, Chunk, Context, Control, Infiniloom, Map, Navigate, Options, Pack, PackEvent,
    RankedSearch, Read, Sanitizer, Search, Secrets, Snapshot, Symbols,
};
use loom_testkit::Sandbox;

/// Only the ignored file shows that this is a secret.
const COPIED: &str = "Qm7vTz41xKp09LwB";

fn leaky() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox
        .write(".gitignore", ".env\n")
        .write(".env", format!("DB_PASSWORD={COPIED}\n"))
        .write(
            "shop/deploy.py",
            format!("def deploy():\n    \"\"\"Connects with {COPIED} to the shop.\"\"\"\n    connect(\"{COPIED}\")\n"),
        )
        .write("notes.md", format!("deploy of the shop: {COPIED} works\n"))
        .commit_all();
    sandbox
}

fn open(sandbox: &Sandbox) -> Snapshot {
    let repository = Infiniloom::new().open(sandbox.work()).unwrap();
    repository.snapshot().unwrap()
}

/// Returns the results of all queries that show text.
fn results(snapshot: &Snapshot) -> Vec<String> {
    let control = Control::new();
    let chunks = Chunk::new().stream(snapshot, Buffer::default(), &control);
    let chunks: Vec<ChunkInfo> = chunks.map(Result::unwrap).collect();
    let context: ContextInfo = Context::new("deploy the shop").run(snapshot).unwrap();
    let text = |event: infiniloom::Result<PackEvent>| match event.unwrap() {
        PackEvent::File { text, .. } => text,
        _ => String::new(),
    };
    let stream = Pack::new().stream(snapshot, Buffer::default(), &control);
    let narrowed = Pack::new().include("notes.md").run(snapshot).unwrap();
    assert_eq!(narrowed.report.files.len(), 1);
    vec![
        format!("{:?}", Pack::new().run(snapshot).unwrap()),
        format!("{narrowed:?}"),
        stream.map(text).collect(),
        format!("{context:?}"),
        format!("{:?}", Map::new().run(snapshot).unwrap()),
        format!(
            "{:?}",
            Search::text("deploy")
                .lines_around(2, 2)
                .run(snapshot)
                .unwrap()
        ),
        format!(
            "{:?}",
            Search::text("deploy")
                .include("notes.md")
                .run(snapshot)
                .unwrap()
        ),
        format!(
            "{:?}",
            RankedSearch::question("deploy shop").run(snapshot).unwrap()
        ),
        format!(
            "{:?}",
            Navigate::definitions("deploy").run(snapshot).unwrap()
        ),
        format!("{:?}", Symbols::new().run(snapshot).unwrap()),
        format!(
            "{:?}",
            Symbols::outline("shop/deploy.py").run(snapshot).unwrap()
        ),
        format!("{:?}", Read::path("notes.md").run(snapshot).unwrap()),
        format!("{:?}", Read::symbol("deploy").run(snapshot).unwrap()),
        format!("{:?}", Chunk::new().run(snapshot).unwrap()),
        format!("{chunks:?}"),
    ]
}

#[test]
fn secret_of_an_ignored_file_is_in_no_result() {
    let sandbox = leaky();
    let snapshot = open(&sandbox);
    let results = results(&snapshot);
    for (at, text) in results.iter().enumerate() {
        assert!(!text.contains(COPIED), "result {at}: {text}");
    }
    let redacted = results.iter().filter(|text| text.contains("[REDACTED:"));
    assert!(redacted.count() >= 10);
}

#[test]
fn new_secret_of_an_ignored_file_is_known_to_the_next_snapshot() {
    let sandbox = leaky();
    let later = "Zx5rNq82hVd63MtC";
    sandbox.write("more.md", format!("the shop also has {later} now\n"));
    let repository = Infiniloom::new().open(sandbox.work()).unwrap();
    let first = repository.snapshot().unwrap();
    let shown = Search::text("also has").run(&first).unwrap();
    assert!(shown.matches[0].text.contains(later));
    sandbox.write(
        ".env",
        format!("DB_PASSWORD={COPIED}\nAPI_PASSWORD={later}\n"),
    );
    let second = repository.snapshot().unwrap();
    assert_ne!(first.id(), second.id());
    let hidden = Search::text("also has").run(&second).unwrap();
    assert!(!hidden.matches[0].text.contains(later), "{hidden:?}");
}

#[test]
fn sanitizer_of_a_snapshot_redacts_copies_however_they_are_split() {
    let sandbox = leaky();
    let snapshot = open(&sandbox);
    let text = format!("connect with {COPIED}\nand then {COPIED}");
    for size in [1, 3, 16, 200] {
        let mut sanitizer = Sanitizer::for_snapshot(&snapshot).unwrap();
        let mut out = String::new();
        for part in text.as_bytes().chunks(size) {
            out += &sanitizer.push(std::str::from_utf8(part).unwrap());
        }
        out += &sanitizer.finish();
        assert!(!out.contains(COPIED), "{out}");
        assert_eq!(out.matches("[REDACTED:").count(), 2, "{out}");
    }
}

#[test]
fn mode_fail_refuses_packs_and_hides_lines() {
    let sandbox = leaky();
    let options = Options::new().secrets(Secrets::Fail);
    let engine = Infiniloom::builder().options(options).build().unwrap();
    let snapshot = engine.open(sandbox.work()).unwrap().snapshot().unwrap();
    let error = Pack::new().run(&snapshot).unwrap_err();
    assert_eq!(error.code(), "secrets_found");
    let out = sandbox.path("out.xml");
    assert!(
        Pack::new()
            .write_file(&snapshot, &out, &Control::new())
            .is_err()
    );
    assert!(!out.exists());
    let found = Search::text("deploy").run(&snapshot).unwrap();
    assert!(found.matches.iter().all(|hit| !hit.text.contains(COPIED)));
    assert!(found.notices.iter().any(|notice| notice.code == "secrets"));
}
