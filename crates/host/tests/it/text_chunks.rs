//! Files in chunks: reassembly, limits, the cache, secrets and texts that are not files.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::ops::ControlFlow;

use loom_host::{
    Cancel, ChunkOptions, ChunkReport, FileChunks, FilterKind, Format, NoProgress, PackError,
    PackOptions, Packer, RepoPath, SecretsMode, SecretsOptions, Strategy, TextChunker, count,
    decode, model, reassemble,
};
use loom_testkit::{Sandbox, odd_tree};
use proptest::prelude::*;

use crate::fixture::{Meddling, cached, files_of, filters, pack, packer, password, reasons};

fn options(strategy: &str, tokens: usize, overlap: Option<usize>) -> ChunkOptions {
    ChunkOptions::new(Strategy::from_name(strategy).unwrap(), tokens, overlap).unwrap()
}

fn chunked(packer: &Packer, options: &ChunkOptions) -> (Vec<FileChunks>, ChunkReport) {
    let mut files = Vec::new();
    let told = TextChunker::new(packer, options).split_files(&NoProgress, &Cancel::new(), |file| {
        files.push(file);
        ControlFlow::Continue(())
    });
    (files, told.unwrap())
}

/// Puts the text of a file together from its chunks.
fn whole(file: &FileChunks) -> String {
    let text = |one: &loom_host::TextChunk| &file.text[one.span.start..one.span.end];
    reassemble(file.chunks.iter().map(|one| (text(one), one.overlap)))
}

fn texts(files: &[FileChunks]) -> BTreeMap<String, String> {
    let one = |file: &FileChunks| (file.path.display().into_owned(), whole(file));
    files.iter().map(one).collect()
}

fn ids(files: &[FileChunks]) -> Vec<String> {
    let chunks = files.iter().flat_map(|file| &file.chunks);
    chunks.map(|one| one.id.clone()).collect()
}

fn rust(functions: usize) -> String {
    let function = |at: usize| {
        format!(
            "/// Number {at}.\nfn f{at}(a: u32) -> u32 {{\n    let b = a + {at};\n    b * 2\n}}\n\n"
        )
    };
    (0..functions).map(function).collect()
}

const STRATEGIES: [&str; 3] = ["semantic", "fixed", "symbol"];

/// The chunks of a tree are the texts of its pack.
#[test]
fn chunks_of_each_file_give_its_text_again() {
    let sandbox = Sandbox::new();
    odd_tree(&sandbox);
    let json = PackOptions {
        format: Format::Json,
        ..PackOptions::default()
    };
    let packed = files_of(&pack(&sandbox, json));
    let packer = packer(&sandbox, PackOptions::default());
    for strategy in STRATEGIES {
        for tokens in [16, 100, 8_000] {
            let (files, _) = chunked(&packer, &options(strategy, tokens, None));
            let found = texts(&files);
            for (path, text) in &packed {
                // A pack has no byte order marks; chunks give the file back.
                let found = found[path].trim_start_matches('\u{feff}');
                assert_eq!(found, text, "{path} {strategy} {tokens}");
            }
            assert_eq!(found.len(), packed.len());
            let all = files.iter().flat_map(|file| &file.chunks);
            assert!(
                all.clone().all(|one| one.tokens <= tokens),
                "{strategy} {tokens}"
            );
        }
    }
}

#[test]
fn tokens_are_those_of_the_model_with_context_and_overlap() {
    let sandbox = Sandbox::new();
    sandbox.write("a.rs", format!("struct S;\n\nimpl S {{\n{}}}\n", rust(30)));
    for name in ["gpt-5", "qwen3-32b", "claude-sonnet-4-5"] {
        let model = model(name).unwrap();
        let packer = packer(
            &sandbox,
            PackOptions {
                model: model.clone(),
                ..PackOptions::default()
            },
        );
        let (files, _) = chunked(&packer, &options("semantic", 200, Some(20)));
        let file = &files[0];
        assert!(file.chunks.len() > 3);
        for one in &file.chunks {
            let shown = format!(
                "{}{}",
                one.context,
                &file.text[one.span.start..one.span.end]
            );
            assert_eq!(one.tokens, count(&shown, model).upper(), "{name}");
            let before = &file.text[..one.span.start];
            assert_eq!(one.lines.first, before.matches('\n').count() + 1);
        }
        let inner = |one: &&loom_host::TextChunk| one.context == "impl S\n" && one.overlap > 0;
        let inner = file.chunks.iter().find(inner).unwrap();
        assert!(inner.symbols[0].starts_with("S::f"), "{name}");
    }
}

#[test]
fn cached_chunks_are_those_of_a_run_without_a_cache() {
    let sandbox = Sandbox::new();
    odd_tree(&sandbox);
    sandbox
        .write("a.rs", rust(60))
        .write("m.rs", format!("\u{feff}{}", rust(20)));
    let fresh = packer(&sandbox, PackOptions::default());
    for strategy in STRATEGIES {
        let options = options(strategy, 64, None);
        let (expected, _) = chunked(&fresh, &options);
        let packer = packer(&sandbox, cached(&sandbox));
        for _ in 0..3 {
            let (found, _) = chunked(&packer, &options);
            for (found, expected) in found.iter().zip(&expected) {
                assert_eq!(found.chunks, expected.chunks, "{}", found.path.display());
                assert_eq!(
                    (&found.text, &found.notes),
                    (&expected.text, &expected.notes)
                );
            }
            assert_eq!(found.len(), expected.len());
        }
    }
}

/// Other options, models and paths give other chunks, whatever the cache contains.
#[test]
fn cache_distinguishes_options_models_and_paths() {
    let sandbox = Sandbox::new();
    sandbox.write("a.rs", rust(30)).write("b.rs", rust(30));
    let model = |name: &str| PackOptions {
        model: model(name).unwrap().clone(),
        ..cached(&sandbox)
    };
    let [gpt, sonnet] = ["gpt-5", "sonnet"].map(model);
    let mut seen: Vec<String> = Vec::new();
    for (pack, chunk) in [
        (gpt.clone(), options("semantic", 100, None)),
        (gpt.clone(), options("semantic", 200, None)),
        (gpt.clone(), options("fixed", 100, None)),
        (gpt, options("semantic", 100, Some(20))),
        (sonnet, options("semantic", 100, None)),
    ] {
        let packer = packer(&sandbox, pack.clone());
        let fresh = crate::fixture::packer(
            &sandbox,
            PackOptions {
                cache: None,
                ..pack
            },
        );
        chunked(&packer, &chunk);
        let found = chunked(&packer, &chunk).0;
        let unique: std::collections::HashSet<String> = ids(&found).into_iter().collect();
        assert_eq!(unique.len(), ids(&found).len());
        let found = format!("{found:?}");
        assert_eq!(found, format!("{:?}", chunked(&fresh, &chunk).0));
        assert!(!seen.contains(&found));
        seen.push(found);
    }
}

#[test]
fn chunks_do_not_depend_on_threads_or_memory() {
    let sandbox = Sandbox::new();
    odd_tree(&sandbox);
    let with = |threads: usize, max_memory: u64| {
        let options = PackOptions {
            threads: NonZero::new(threads),
            max_memory,
            ..PackOptions::default()
        };
        ids(&chunked(
            &packer(&sandbox, options),
            &self::options("semantic", 64, None),
        )
        .0)
    };
    let expected = with(1, PackOptions::MAX_MEMORY);
    assert_eq!(with(4, PackOptions::MAX_MEMORY), expected);
    assert_eq!(with(4, 1), expected);
}

#[test]
fn edit_elsewhere_leaves_the_ids_of_chunks() {
    let sandbox = Sandbox::new();
    let text = rust(120);
    let at = text.find("fn f60(").unwrap();
    for strategy in STRATEGIES {
        let options = options(strategy, 300, None);
        let of = |text: &str| {
            sandbox.write("a.rs", text);
            ids(&chunked(&packer(&sandbox, PackOptions::default()), &options).0)
        };
        let before = of(&text);
        let after = of(&format!("{}// Changed.\n{}", &text[..at], &text[at..]));
        let kept = before.iter().filter(|id| after.contains(id)).count();
        assert!(
            kept + 2 >= before.len(),
            "{strategy}: {kept} of {}",
            before.len()
        );
    }
}

#[test]
fn secrets_of_all_files_are_redacted_in_every_chunk() {
    let sandbox = Sandbox::new();
    let password = password();
    sandbox
        .write("z.env", format!("PASSWORD={password}\n"))
        .write("a.md", format!("# notes\nold {password}\n"))
        .write(
            "b.py",
            format!("def f():\n    \"\"\"uses {password}\"\"\"\n"),
        );
    for options in [PackOptions::default(), cached(&sandbox)] {
        let packer = packer(&sandbox, options);
        for _ in 0..2 {
            let (files, told) = chunked(&packer, &ChunkOptions::default());
            let found = texts(&files);
            assert!(
                found
                    .values()
                    .all(|text| text.contains("[REDACTED:password:1]"))
            );
            assert!(
                found.values().all(|text| !text.contains(&password)),
                "{found:?}"
            );
            assert_eq!(told.secrets.len(), 3);
        }
    }
    let mode = |mode: SecretsMode| PackOptions {
        secrets: SecretsOptions::new(mode),
        ..PackOptions::default()
    };
    let shown = chunked(
        &packer(&sandbox, mode(SecretsMode::Off)),
        &ChunkOptions::default(),
    );
    assert!(texts(&shown.0)["a.md"].contains(&password) && shown.1.secrets.is_empty());
    let failing = packer(&sandbox, mode(SecretsMode::Fail));
    let mut emitted = 0;
    let result = TextChunker::new(&failing, &ChunkOptions::default()).split_files(
        &NoProgress,
        &Cancel::new(),
        |_| {
            emitted += 1;
            ControlFlow::Continue(())
        },
    );
    assert!(matches!(result, Err(PackError::Secrets { found }) if found.len() == 3));
    assert_eq!(emitted, 0);
}

#[test]
fn skipped_files_are_told_in_order() {
    let sandbox = Sandbox::new();
    sandbox
        .write("a.txt", "words\n")
        .write("b.bin", "\0")
        .write("bundle.js", "var a=1;".repeat(2_000))
        .write("rule.csv", "1\n")
        .write("large.txt", "words ".repeat(5_000));
    let filter = filters(FilterKind::Include, &["*.csv"]).remove(0);
    let options = PackOptions {
        max_file_size: 20_000,
        shorten: loom_host::ShortenOptions::default().exclude(filter, "*.csv"),
        ..PackOptions::default()
    };
    let (files, told) = chunked(&packer(&sandbox, options), &ChunkOptions::default());
    assert_eq!(texts(&files).into_keys().collect::<Vec<_>>(), ["a.txt"]);
    let expected = [
        "b.bin: binary",
        "bundle.js: minified",
        "large.txt: too-large",
    ];
    let found = reasons(&told.left_out);
    assert_eq!(found[..3], expected);
    assert!(found[3].starts_with("rule.csv: "), "{found:?}");
}

/// Files above 4 MiB are read one at a time, when their turn comes.
#[test]
fn very_large_file_is_chunked_in_its_turn() {
    let sandbox = Sandbox::new();
    let large = "a line of a very large file\n".repeat(160_000);
    sandbox
        .write("a.txt", "first\n")
        .write("b.txt", &large)
        .write("c.txt", "last\n");
    let packer = packer(&sandbox, PackOptions::default());
    let (files, _) = chunked(&packer, &options("fixed", 100_000, None));
    let names: Vec<_> = files
        .iter()
        .map(|file| file.path.display().into_owned())
        .collect();
    assert_eq!(names, ["a.txt", "b.txt", "c.txt"]);
    assert!(whole(&files[1]) == large);
}

#[test]
fn text_that_is_not_a_file_is_chunked_with_notes() {
    let sandbox = Sandbox::new();
    let path = || RepoPath::new("-").unwrap();
    let password = password();
    let with = |mode: SecretsMode, bytes: &[u8]| {
        let options = PackOptions {
            secrets: SecretsOptions::new(mode),
            ..PackOptions::default()
        };
        let decoded = decode(bytes.to_vec()).unwrap();
        TextChunker::new(&packer(&sandbox, options), &ChunkOptions::default())
            .split_text(path(), decoded)
    };
    let (file, _) = with(SecretsMode::Redact, b"\xff\xfea\0b\0\n\0").unwrap();
    assert_eq!(whole(&file), "ab\n");
    let notes: Vec<String> = file.notes.iter().map(ToString::to_string).collect();
    assert_eq!(notes, ["decoded from utf-16le with BOM"]);
    let (file, _) = with(SecretsMode::Redact, "\u{feff}a\n".as_bytes()).unwrap();
    assert_eq!(whole(&file), "\u{feff}a\n");
    let secret = format!("password: \"{password}\"\n");
    let (file, told) = with(SecretsMode::Redact, secret.as_bytes()).unwrap();
    assert_eq!(whole(&file), "password: \"[REDACTED:password:1]\"\n");
    assert_eq!(told.secrets.len(), 1);
    assert!(matches!(
        with(SecretsMode::Fail, secret.as_bytes()),
        Err(PackError::Secrets { .. })
    ));
    assert!(whole(&with(SecretsMode::Warn, secret.as_bytes()).unwrap().0).contains(&password));
}

#[test]
fn consumer_and_cancellation_end_a_pass() {
    let sandbox = Sandbox::new();
    for at in 0..50 {
        sandbox.write(format!("{at:02}.txt"), "words\n");
    }
    let packer = packer(&sandbox, PackOptions::default());
    let mut seen = 0;
    TextChunker::new(&packer, &ChunkOptions::default())
        .split_files(&NoProgress, &Cancel::new(), |_| {
            seen += 1;
            ControlFlow::Break(())
        })
        .unwrap();
    assert_eq!(seen, 1);
    let meddling = Meddling::cancelling(60);
    let result = TextChunker::new(&packer, &ChunkOptions::default()).split_files(
        &meddling,
        &meddling.cancel,
        |_| ControlFlow::Continue(()),
    );
    assert!(matches!(result, Err(PackError::Cancelled)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_text_is_given_back(text in "([a-zé(){}:# ]{0,20}\n){0,30}[a-z]{0,5}", strategy in 0usize..3, tokens in 16usize..80, ending in 0usize..3) {
        let sandbox = Sandbox::new();
        let name = ["a.py", "a.md", "a.log"][ending];
        sandbox.write(name, &text);
        let packer = packer(&sandbox, PackOptions::default());
        let (files, _) = chunked(&packer, &options(STRATEGIES[strategy], tokens, None));
        prop_assert_eq!(whole(&files[0]), text);
    }
}
