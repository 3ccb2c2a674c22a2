//! Checks that answers keep syntax only for the same files, and that navigation can be cancelled.

use std::sync::Arc;
use std::time::Duration;

use loom_lookup::{KeptSyntax, Navigate, Target};
use loom_testkit::Sandbox;

use super::SyntaxNavigator;
use crate::search::{IndexUse, Searcher};
use crate::{CacheOptions, Cancel, NoProgress, PackOptions, Packer};

#[test]
fn syntax_is_read_once_and_not_after_a_stop() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "a.py",
        "def first():\n    pass\n\n\ndef second():\n    first()\n",
    );
    let work = sandbox.work();
    let packer = Arc::new(Packer::open(&[&work], PackOptions::default()).unwrap());
    let cancel = Cancel::new();
    let searcher =
        Searcher::open(Arc::clone(&packer), IndexUse::Auto, &NoProgress, &cancel).unwrap();
    let target = Target::parse("first").unwrap();
    let kept: Arc<KeptSyntax> = Arc::default();
    let found = |kept: &Arc<KeptSyntax>, cancel: &Cancel| {
        let navigator = SyntaxNavigator::with(&searcher, Arc::clone(kept), cancel);
        navigator.definitions(&target)
    };
    let stopped = Cancel::new();
    stopped.cancel();
    assert!(found(&kept, &stopped).is_empty());
    let definitions = found(&kept, &cancel);
    assert_eq!(definitions.len(), 1);
    let navigator = SyntaxNavigator::with(&searcher, Arc::clone(&kept), &stopped);
    assert!(navigator.references(&definitions).is_empty());
    // Kept syntax is not read again.
    sandbox.write("a.py", "pass\n");
    assert_eq!(found(&kept, &cancel), definitions);
}

/// Without time, an answer contains the known results and says that it is incomplete.
#[test]
fn what_there_was_no_time_for_is_told() {
    let sandbox = Sandbox::new();
    sandbox.write("a.py", "def first():\n    pass\n");
    sandbox.write("b.py", "from a import first\n\nfirst()\n");
    let packer = Arc::new(Packer::open(&[&sandbox.work()], PackOptions::default()).unwrap());
    let cancel = Cancel::new();
    let searcher =
        Searcher::open(Arc::clone(&packer), IndexUse::Auto, &NoProgress, &cancel).unwrap();
    let target = Target::parse("first").unwrap();
    let kept: Arc<KeptSyntax> = Arc::default();
    let navigator =
        |time: Duration| SyntaxNavigator::with(&searcher, Arc::clone(&kept), &cancel).within(time);
    let hasty = navigator(Duration::ZERO);
    assert!(hasty.definitions(&target).is_empty() && hasty.is_cut());
    let patient = navigator(Duration::from_secs(3600));
    let definitions = patient.definitions(&target);
    assert_eq!(definitions.len(), 1);
    assert_eq!(patient.references(&definitions).len(), 2);
    assert!(!patient.is_cut());
    let hasty = navigator(Duration::ZERO);
    assert!(hasty.references(&definitions).is_empty() && hasty.is_cut());
    // Another navigator has no deadline.
    let usual = SyntaxNavigator::with(&searcher, Arc::clone(&kept), &cancel);
    assert_eq!(usual.references(&definitions).len(), 2);
    assert!(!usual.is_cut());
}

/// Of many files with a name, those that also contain its type are read first.
#[test]
fn files_with_the_type_of_a_method_come_first() {
    let sandbox = Sandbox::new();
    for (path, class) in [("a.py", "Alpha"), ("b.py", "Beta"), ("tests/c.py", "Gamma")] {
        let text = format!("class {class}:\n    def get(self):\n        pass\n");
        sandbox.write(path, text);
    }
    let options = PackOptions {
        cache: Some(CacheOptions::new(Some(sandbox.home().join("cache")))),
        ..PackOptions::default()
    };
    let packer = Arc::new(Packer::open(&[&sandbox.work()], options).unwrap());
    let cancel = Cancel::new();
    let searcher =
        Searcher::open(Arc::clone(&packer), IndexUse::Update, &NoProgress, &cancel).unwrap();
    let navigator = SyntaxNavigator::new(&searcher);
    for (wanted, first) in [(["Beta", "get"], "b.py"), (["Gamma", "get"], "tests/c.py")] {
        let mut numbers = searcher.defining("get");
        navigator.put_first(&wanted.map(str::to_owned), &mut numbers);
        let path = searcher.files[numbers[0]].path.display().into_owned();
        assert_eq!(path, first);
    }
}
