//! The parts of queries that a program uses one by one: plans of packs, streamed search results,
//! chunks and symbols, diagrams, lists of paths.

use std::ops::ControlFlow;

use infiniloom::{
    Chunk, Control, Diagram, ErrorKind, Infiniloom, ListSeparator, Options, OutputFile, Pack, Root,
    Sanitizer, Scan, Search, Snapshot, Symbols, Text, Tokens, existing_parts, part_path,
};
use loom_testkit::Sandbox;

use crate::examples::{SECRET, shop};

fn snapshot(sandbox: &Sandbox) -> Snapshot {
    let repository = Infiniloom::new().open(sandbox.work()).unwrap();
    repository.unlisted_snapshot().unwrap()
}

fn with_options(sandbox: &Sandbox, options: Options) -> Snapshot {
    let engine = Infiniloom::builder().options(options).build().unwrap();
    let repository = engine.open(sandbox.work()).unwrap();
    repository.unlisted_snapshot().unwrap()
}

#[test]
fn plan_describes_the_pack_that_it_writes() {
    let sandbox = shop();
    let (snapshot, control) = (snapshot(&sandbox), Control::new());
    let plan = Pack::new().plan(&snapshot, &control).unwrap();
    let info = plan.info();
    assert_eq!(info.statistics.files, info.files.len());
    assert_eq!(info.tree.tokens, info.statistics.tokens);
    assert_eq!(info.secrets.len(), 1);
    let mut out = Vec::new();
    let written = plan.write_to(&mut out, &control).unwrap();
    let report = plan.report(&[written]);
    assert_eq!(report.output.bytes, out.len());
    let packed = Pack::new().run(&snapshot).unwrap();
    assert_eq!(packed.text.as_bytes(), out);
    assert!(!packed.text.contains(SECRET));
}

#[test]
fn parts_are_packs_within_the_size_of_the_settings() {
    let sandbox = shop();
    let snapshot = with_options(&sandbox, Options::new().set("pack.split", "400"));
    let control = Control::new();
    let plan = Pack::new().plan(&snapshot, &control).unwrap();
    let parts = plan.split(&control).unwrap();
    assert!(parts.len() > 1);
    let output = sandbox.path("repo.xml");
    let mut written = Vec::new();
    for (part, number) in parts.iter().zip(1..) {
        let mut file = OutputFile::create(part_path(&output, number)).unwrap();
        let one = part.write_to(&mut file, &control).unwrap();
        file.finish().unwrap();
        let report = part.report(std::slice::from_ref(&one));
        assert!(report.output.tokens <= 400);
        written.push(one);
    }
    assert_eq!(existing_parts(&output).len(), parts.len());
    assert!(plan.report(&written).output.tokens > 400);
}

#[test]
fn search_shows_files_as_they_are_found_and_ends_early() {
    let sandbox = shop();
    let (snapshot, control) = (snapshot(&sandbox), Control::new());
    let search = Search::query("def").file_type("py").not_within("lib");
    let mut paths = Vec::new();
    let info = search.for_each(&snapshot, &control, |file| {
        assert_eq!(file.matches().len(), file.count());
        paths.push(file.path());
        assert!(file.into_lines().iter().all(|line| line.is_match));
        ControlFlow::Continue(())
    });
    assert_eq!(paths, ["shop/basket.py", "shop/tax.py"]);
    let info = info.unwrap();
    assert_eq!((info.summary.files, info.matches.len()), (2, 0));
    let mut count = 0;
    let first = search.glob("shop/*").for_each(&snapshot, &control, |_| {
        count += 1;
        ControlFlow::Break(())
    });
    assert!(first.is_ok());
    assert_eq!(count, 1);
}

#[test]
fn error_of_a_query_names_its_place() {
    let sandbox = shop();
    let error = Search::query("rate (").run(&snapshot(&sandbox));
    let error = error.unwrap_err();
    let place = error.place().unwrap();
    assert_eq!(place.text, "rate (");
    assert!(place.start >= 5, "{place:?}");
    let unknown = Search::text("a").file_type("klingon");
    let error = unknown.run(&snapshot(&sandbox)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid);
    assert_eq!(error.problems().len(), 1);
}

#[test]
fn missing_file_of_a_search_is_a_notice() {
    let sandbox = shop();
    sandbox.write("data.bin", [0_u8, 1, 2, 3]);
    let search = Search::text("def").expect_file(sandbox.path("data.bin"));
    let info = search.run(&snapshot(&sandbox)).unwrap();
    assert!(info.notices.iter().any(|one| one.code == "not_searched"));
}

#[test]
fn chunks_and_symbols_come_one_by_one() {
    let sandbox = shop();
    let (snapshot, control) = (snapshot(&sandbox), Control::new());
    let mut chunks = 0;
    let info = Chunk::new().for_each(&snapshot, &control, |_| {
        chunks += 1;
        ControlFlow::Continue(())
    });
    assert_eq!(Chunk::new().run(&snapshot).unwrap().chunks.len(), chunks);
    assert!(info.unwrap().bytes > 0);
    let mut paths = Vec::new();
    let listed = Symbols::new().for_each(&snapshot, &control, |file| {
        paths.push(file.path);
        ControlFlow::Continue(())
    });
    assert!(listed.unwrap().files.is_empty());
    assert!(paths.contains(&"shop/tax.py".to_owned()), "{paths:?}");
}

#[test]
fn diagram_shows_directories_that_import_each_other() {
    let sandbox = shop();
    sandbox.write("lib/use.py", "from shop.tax import rate\n");
    let control = Control::new();
    let diagram = Symbols::new().draw(Diagram::Modules, &snapshot(&sandbox), &control);
    let text = diagram.unwrap().text;
    assert!(text.contains("lib") && text.contains("shop"), "{text}");
}

#[test]
fn list_of_paths_is_a_root() {
    let sandbox = shop();
    let list = Root::parse_list(sandbox.work(), b"shop/tax.py\0", ListSeparator::Detect);
    let repository = Infiniloom::new().open(list.unwrap()).unwrap();
    let tokens = Tokens::new().run(&repository.snapshot().unwrap()).unwrap();
    assert_eq!(tokens.files.len(), 1);
    assert_eq!(tokens.tree.unwrap().tokens, tokens.total_tokens);
    let empty = Root::parse_list(sandbox.work(), b"\n", ListSeparator::Detect);
    assert_eq!(empty.unwrap_err().code(), "empty_list");
}

#[test]
fn text_is_scanned_and_sanitized_without_a_repository() {
    let secret = format!("DB_PASSWORD={SECRET}\n");
    let text = Text::decode("settings.env", secret.clone()).unwrap();
    let found = Scan::files().run_text(&Infiniloom::new(), &text).unwrap();
    assert_eq!(found.findings.len(), 1);
    assert_eq!(found.baseline.findings.len(), 1);
    let error = Scan::history().run_text(&Infiniloom::new(), &text);
    assert_eq!(error.unwrap_err().code(), "scope_of_text");
    let safe = sanitized(secret.as_bytes(), 15);
    assert!(!safe.contains(SECRET), "{safe}");
    assert_eq!(sanitized("caf\u{e9}".as_bytes(), 4), "caf\u{e9}");
    assert_eq!(sanitized(&[b'a', 0xff], 1), "a\u{fffd}");
}

/// Returns the output of a sanitizer that receives the text in two fragments.
fn sanitized(text: &[u8], at: usize) -> String {
    let (start, end) = text.split_at(at);
    let mut sanitizer = Sanitizer::new();
    sanitizer.push_bytes(start) + &sanitizer.push_bytes(end) + &sanitizer.finish()
}

#[test]
fn settings_are_checked_when_a_repository_is_opened() {
    let sandbox = shop();
    let options = Options::new().set("pack.format", "nonsense");
    let checked = Infiniloom::builder().options(options.clone()).build();
    assert!(checked.is_err());
    let engine = Infiniloom::builder().options(options).build_unchecked();
    let files = engine.settings_files(sandbox.work()).unwrap();
    assert_eq!(files.len(), 1);
    assert!(!files[0].exists);
    let error = engine.open(sandbox.work()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid);
}

#[test]
fn output_of_the_program_is_not_read() {
    let sandbox = shop();
    let path = sandbox.path("page.html");
    OutputFile::write(&path, "old page\n").unwrap();
    let snapshot = with_options(&sandbox, Options::new().output(&path));
    let tokens = Tokens::new().page(true).run(&snapshot).unwrap();
    assert!(tokens.files.iter().all(|file| file.path != "page.html"));
    assert!(tokens.page.unwrap().contains("shop"));
}
