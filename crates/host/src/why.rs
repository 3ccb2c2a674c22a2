//! Explains why a single file is skipped although the rules include it.

use loom_source::{LeftOut, Reason, RuleSource, Verdict};

use crate::Packer;
use crate::load::load;
use crate::reading::FileReader;
use crate::unread::Unread;

/// Returns the reason for skipping a single file that the rules include with this verdict: its
/// contents, or that the run writes it. Returns `None` for any other source.
pub fn skip_reason(packer: &Packer, verdict: &Verdict) -> Option<Reason> {
    if !packer.source.is_one_file() {
        return None;
    }
    let scan = packer.source.scan(&packer.options.scan);
    let is_output = |left: &&LeftOut| left.reason == Reason::OutputFile;
    if let Some(left) = scan.left_out.iter().find(is_output) {
        return Some(left.reason.clone());
    }
    let mut file = scan.files.first()?.clone();
    // The user names the file here only to ask about it. It counts as included only if a
    // pattern includes it.
    if !is_included(verdict) {
        file = file.as_found();
    }
    let unread = Unread::default();
    load(FileReader::uncached(packer, &unread).file(&file, 0)).err()
}

fn is_included(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::TakenBy(rule) if rule.source == RuleSource::Include)
}
