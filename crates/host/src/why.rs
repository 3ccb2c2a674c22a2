//! Why a single file is left out although the rules take it.

use loom_source::{LeftOut, Reason, RuleSource, Verdict};

use crate::Packer;
use crate::load::load;
use crate::reading::FileReader;
use crate::unread::Unread;

impl Packer {
    /// Of a single file that the rules take with that verdict: the reason for which
    /// it is left out all the same, if there is one. Its contents can be that, or that
    /// the run writes it. There is none for anything but a single file.
    pub fn left_out_all_the_same(&self, verdict: &Verdict) -> Option<Reason> {
        if !self.source.is_one_file() {
            return None;
        }
        let scan = self.source.scan(&self.options.scan);
        let is_output = |left: &&LeftOut| left.reason == Reason::OutputFile;
        if let Some(left) = scan.left_out.iter().find(is_output) {
            return Some(left.reason.clone());
        }
        let mut file = scan.files.first()?.clone();
        // It is named here only to be asked about; a pattern of the user still wants it.
        if !is_included(verdict) {
            file = file.as_found();
        }
        let unread = Unread::default();
        load(FileReader::uncached(self, &unread).file(&file, 0)).err()
    }
}

fn is_included(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::TakenBy(rule) if rule.source == RuleSource::Include)
}
