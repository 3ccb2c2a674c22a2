//! The files of the search index: damage, other versions, several processes, and no secrets.

use std::fs;
use std::path::PathBuf;

use loom_host::{
    IndexUse, PackOptions, Packer, remove_search_index, search_index_bytes, verify_search_index,
};
use loom_testkit::Sandbox;

use crate::fixture::{cache, cached, files_below, lines, open, packer, password};

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    for number in 0..30 {
        sandbox.write(
            format!("many/{number}.txt"),
            format!("line {number}\nneedle\n"),
        );
    }
    sandbox.write("a.txt", "gamma delta\n");
    sandbox
}

fn folder(sandbox: &Sandbox) -> PathBuf {
    sandbox.path("../cache")
}

fn with_ending(sandbox: &Sandbox, ending: &str) -> Vec<PathBuf> {
    let mut files = files_below(&folder(sandbox));
    files.retain(|path| path.extension().is_some_and(|found| found == ending));
    files
}

#[track_caller]
fn check(sandbox: &Sandbox) {
    for usage in [IndexUse::Off, IndexUse::Auto, IndexUse::Update] {
        let searcher = open(packer(sandbox, cached(sandbox)), usage);
        assert_eq!(
            lines(&searcher, "gamma"),
            ["a.txt:1:gamma delta"],
            "{usage:?}"
        );
        assert_eq!(lines(&searcher, "needle").len(), 30, "{usage:?}");
    }
}

#[test]
fn damaged_files_are_ignored_and_made_again() {
    let sandbox = sandbox();
    check(&sandbox);
    for ending in ["segment", "tree"] {
        for damage in [
            &b""[..],
            b"LOOMSRCH",
            b"LOOMTREE",
            b"something else that is long enough to be read",
        ] {
            let files = with_ending(&sandbox, ending);
            assert!(!files.is_empty(), "{ending}");
            for file in files {
                fs::write(file, damage).unwrap();
            }
            check(&sandbox);
        }
    }
    for file in with_ending(&sandbox, "segment") {
        let mut bytes = fs::read(&file).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 0x41;
        fs::write(file, bytes).unwrap();
    }
    check(&sandbox);
}

#[test]
fn index_of_another_version_is_made_again() {
    let sandbox = sandbox();
    check(&sandbox);
    for file in with_ending(&sandbox, "segment") {
        let mut bytes = fs::read(&file).unwrap();
        assert!(bytes.starts_with(b"LOOMSRCH"));
        bytes[8] -= 1;
        fs::write(file, bytes).unwrap();
    }
    check(&sandbox);
}

/// The name of a segment becomes part of a path.
#[test]
fn tree_with_a_path_as_a_segment_name_is_ignored() {
    let sandbox = sandbox();
    check(&sandbox);
    let tree = with_ending(&sandbox, "tree").remove(0);
    let mut body = 1_u32.to_le_bytes().to_vec();
    body.extend_from_slice(b"../../../../../../../etc/passwd.");
    let mut bytes = b"LOOMTREE".to_vec();
    bytes.extend_from_slice(blake3::hash(&body).as_bytes());
    bytes.extend_from_slice(&body);
    fs::write(&tree, bytes).unwrap();
    check(&sandbox);
}

#[test]
fn verification_counts_and_removes_damaged_files() {
    let sandbox = sandbox();
    check(&sandbox);
    let verify = || verify_search_index(&folder(&sandbox)).unwrap();
    let first = verify();
    assert!(first.files >= 2 && first.wrong == 0, "{first:?}");
    for ending in ["segment", "tree"] {
        let file = with_ending(&sandbox, ending).remove(0);
        let mut bytes = fs::read(&file).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        fs::write(&file, bytes).unwrap();
        assert_eq!(verify().wrong, 1, "{ending}");
        assert!(!file.exists());
        assert_eq!(verify().wrong, 0);
        check(&sandbox);
    }
    assert_eq!(
        verify_search_index(&sandbox.path("nowhere")).unwrap().files,
        0
    );
}

#[test]
fn removal_frees_the_bytes_and_leaves_other_files() {
    let sandbox = sandbox();
    check(&sandbox);
    let bytes = search_index_bytes(&folder(&sandbox));
    let files = [
        with_ending(&sandbox, "segment"),
        with_ending(&sandbox, "tree"),
    ]
    .concat();
    let sum: u64 = files
        .iter()
        .map(|path| fs::metadata(path).unwrap().len())
        .sum();
    assert_eq!(bytes, sum);
    let beside = files[0].with_file_name("mine.txt");
    fs::write(&beside, "mine").unwrap();
    assert_eq!(remove_search_index(&folder(&sandbox)).unwrap(), bytes);
    assert_eq!(search_index_bytes(&folder(&sandbox)), 0);
    assert!(beside.exists());
    fs::remove_file(beside).unwrap();
    assert_eq!(remove_search_index(&folder(&sandbox)).unwrap(), 0);
    assert!(
        files_below(&folder(&sandbox))
            .iter()
            .all(|path| !path.display().to_string().contains("search-"))
    );
    check(&sandbox);
}

/// The words of an index are not written as they are, so two indexes are compared: of files that
/// differ only in their secret, only the hash of the contents and the checksum may differ.
#[test]
fn no_secret_enters_the_index() {
    let segment = |text: String| {
        let sandbox = Sandbox::new();
        sandbox.write("app.env", text);
        let searcher = open(packer(&sandbox, cached(&sandbox)), IndexUse::Update);
        assert_eq!(lines(&searcher, "other").len(), 1);
        fs::read(with_ending(&sandbox, "segment").remove(0)).unwrap()
    };
    let differ = |one: &[u8], other: &[u8]| {
        let pairs = one.iter().zip(other);
        pairs.filter(|(one, other)| one != other).count()
    };
    let password = password();
    let other: String = password.chars().rev().collect();
    let [one, two] =
        [&password, &other].map(|word| segment(format!("DB_PASSWORD={word}\nother=1\n")));
    assert_eq!(one.len(), two.len());
    assert!(differ(&one, &two) <= 32 + 8, "{}", differ(&one, &two));
    let [one, two] = [&password, &other].map(|word| segment(format!("{word}\nother=1\n")));
    assert!(
        one.len() != two.len() || differ(&one, &two) > 32 + 8,
        "other words are indexed"
    );
}

#[test]
fn several_updates_at_once_leave_a_whole_index() {
    let sandbox = sandbox();
    std::thread::scope(|scope| {
        let one = || {
            let searcher = open(packer(&sandbox, cached(&sandbox)), IndexUse::Update);
            lines(&searcher, "needle").len()
        };
        let runs: Vec<_> = (0..4).map(|_| scope.spawn(one)).collect();
        for run in runs {
            assert_eq!(run.join().unwrap(), 30);
        }
    });
    assert_eq!(verify_search_index(&folder(&sandbox)).unwrap().wrong, 0);
    check(&sandbox);
}

#[test]
fn index_directory_is_private() {
    use std::os::unix::fs::PermissionsExt;

    let sandbox = sandbox();
    check(&sandbox);
    let segment = with_ending(&sandbox, "segment").remove(0);
    let mode = fs::metadata(segment.parent().unwrap())
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o700);
}

/// Commits, single files and several roots have no directory of their own in the index.
#[test]
fn sources_that_are_no_directory_are_searched_without_an_index_file() {
    let sandbox = sandbox();
    sandbox.commit_all();
    let options = || PackOptions {
        cache: Some(cache(&sandbox.path("../other"))),
        ..PackOptions::default()
    };
    let one = Packer::open(&[sandbox.path("a.txt")], options()).unwrap();
    let two = Packer::open(&[sandbox.path("many"), sandbox.path("a.txt")], options()).unwrap();
    let source = loom_host::Source::open_revision(&[sandbox.work()], "HEAD").unwrap();
    for packer in [one, two, Packer::new(source, options())] {
        let searcher = open(packer, IndexUse::Update);
        assert_eq!(lines(&searcher, "gamma").len(), 1);
        assert!(searcher.is_whole());
    }
    let mut files = files_below(&sandbox.path("../other"));
    files.retain(|path| path.extension().is_some_and(|ending| ending == "tree"));
    assert!(files.len() <= 1, "{files:?}");
}
