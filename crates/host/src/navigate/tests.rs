//! What is kept between answers is of the same files, and a stop is heard.

use std::sync::Arc;

use loom_testkit::Sandbox;

use super::{KeptSyntax, Navigate, SyntaxNavigator, Target};
use crate::search::{IndexUse, Searcher};
use crate::{Cancel, NoProgress, PackOptions, Packer};

#[test]
fn syntax_is_read_once_and_not_after_a_stop() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "a.py",
        "def first():\n    pass\n\n\ndef second():\n    first()\n",
    );
    let work = sandbox.work();
    let packer = Packer::open(&[&work], PackOptions::default()).unwrap();
    let cancel = Cancel::new();
    let searcher = Searcher::open(&packer, IndexUse::Auto, &NoProgress, &cancel).unwrap();
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
    // What is kept is not read again.
    sandbox.write("a.py", "pass\n");
    assert_eq!(found(&kept, &cancel), definitions);
}
