//! Secrets that one file tells, for the others: there they may stand without a word that
//! says what they are. The files that hold any are those that the index has without them,
//! and a few that it does not know are looked at.

use std::ops::ControlFlow;
use std::sync::Arc;

use loom_base::ContentHash;
use loom_secrets::{Copies, Finding};

use super::Searcher;
use super::searcher::{AHEAD, BY_THE_WAY, Keep, Known};
use crate::RepoPath;
use crate::ordered::ordered;

/// Secrets, and the files that they were found in.
#[derive(Debug, Default)]
pub(super) struct KnownSecrets {
    files: Vec<(RepoPath, Option<ContentHash>)>,
    copies: Copies,
}

impl Searcher<'_> {
    /// `findings` of a file with what other files know.
    pub(super) fn with_copies(
        &self,
        path: &RepoPath,
        text: &str,
        findings: Vec<Finding>,
    ) -> Vec<Finding> {
        let secrets = &self.packer.options.secrets;
        let known = self.secrets.get_or_init(|| self.known_secrets());
        secrets.with_copies(path, text, findings, &known.copies)
    }

    /// What an earlier look at the files found, where the same files hold secrets.
    pub(super) fn take_secrets(&mut self, earlier: &Self) {
        if let Some(known) = earlier.secrets.get()
            && known.files.iter().all(|(_, hash)| hash.is_some())
            && known.files == self.with_secrets(|_, file| file)
        {
            self.secrets = Arc::clone(known).into();
        }
    }

    fn known_secrets(&self) -> Arc<KnownSecrets> {
        let options = &self.packer.options.secrets;
        let numbers = self.with_secrets(|number, _| number);
        let mut copies = Copies::default();
        let work = |at: usize| {
            let text = self.text(numbers[at], Keep::Yes)?.text;
            let findings = options.scan(&self.files[numbers[at]].path, &text);
            Some((text, findings))
        };
        let threads = self.packer.options.thread_count();
        ordered(
            numbers.len(),
            threads,
            AHEAD,
            |_| 1,
            work,
            |_, found| {
                if let Some((text, findings)) = found {
                    copies.add(&text, &findings);
                }
                ControlFlow::Continue(())
            },
        );
        let files = self.with_secrets(|_, file| file);
        Arc::new(KnownSecrets { files, copies })
    }

    /// Something of each file that is known to hold a secret, and of those of which nothing
    /// is known, where they are few.
    fn with_secrets<T>(&self, of: impl Fn(usize, (RepoPath, Option<ContentHash>)) -> T) -> Vec<T> {
        let unknown = self.known.iter().filter(|one| **one == Known::Nothing);
        let are_few = unknown.count() <= BY_THE_WAY;
        let holds = |number: usize| {
            let hash = match self.known[number] {
                Known::Indexed(place) if self.index.is_always(place) => self.index.hash(place),
                Known::Nothing if are_few => None,
                _ => return None,
            };
            Some(of(number, (self.files[number].path.clone(), hash)))
        };
        (0..self.files.len()).filter_map(holds).collect()
    }
}
