//! How a folder is served, and who waits for whom.

use infiniloom::Infiniloom;
use loom_testkit::Sandbox;

use super::*;

/// A folder that is served; nothing is made of it yet.
pub(crate) fn opened(sandbox: &Sandbox) -> Arc<Root> {
    let opener: Opener = Arc::new(|path| Infiniloom::new().open(path));
    let place = Place {
        path: sandbox.work().canonicalize().unwrap(),
        also: None,
        ahead: Ahead::Index,
    };
    Root::open(place, |_| "work".to_owned(), &opener).unwrap()
}

fn files(root: &Root) -> usize {
    root.settle(&Control::new()).unwrap().file_count()
}

#[test]
fn settled_root_has_the_files_as_they_are_now() {
    let sandbox = Sandbox::new();
    sandbox.write("a.py", "one = 1\n");
    let root = opened(&sandbox);
    root.start();
    for number in 1..5 {
        assert_eq!(files(&root), number);
        sandbox.write(format!("{number}.py"), "two = 2\n");
    }
}

#[test]
fn missing_folder_is_named_and_served_again_when_it_is_back() {
    let sandbox = Sandbox::new();
    sandbox.write("inner/a.py", "one = 1\n");
    let opener: Opener = Arc::new(|path| Infiniloom::new().open(path));
    let path = sandbox.work().canonicalize().unwrap().join("inner");
    let place = Place {
        path: path.clone(),
        also: None,
        ahead: Ahead::Index,
    };
    let root = Root::open(place, |_| "inner".to_owned(), &opener).unwrap();
    root.start();
    assert_eq!(files(&root), 1);
    std::fs::remove_dir_all(&path).unwrap();
    let told = root.settle(&Control::new()).unwrap_err();
    assert!(told.contains("no longer there"), "{told}");
    sandbox.write("inner/b.py", "two = 2\n");
    sandbox.write("inner/c.py", "three = 3\n");
    assert_eq!(files(&root), 2);
}
