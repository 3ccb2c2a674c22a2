//! Contexts from files that are read once: a thread holds what was read and answers,
//! until nobody asks any more.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use infiniloom::host::{
    Cancel, ContextAnswer, ContextRepository, ContextRequest, PackError, Packer, Run,
};

/// What was read is given back when nobody asked for so long.
const KEPT: Duration = Duration::from_secs(15 * 60);

/// Where contexts of one state of the files are asked for.
#[derive(Debug)]
pub(crate) struct Contexts {
    jobs: Sender<Job>,
}

struct Job {
    request: ContextRequest,
    run: Run,
    cancel: Cancel,
    answer: Sender<Result<ContextAnswer, PackError>>,
}

impl Contexts {
    /// Reads what `packer` is of.
    ///
    /// # Errors
    /// When that fails or is stopped.
    pub(crate) fn read(packer: &Arc<Packer>, cancel: &Cancel) -> Result<Self, PackError> {
        let (jobs, waiting) = channel();
        let (told, is_read) = channel();
        let (packer, cancel) = (Arc::clone(packer), cancel.clone());
        std::thread::spawn(move || {
            // What was read borrows from the packer, so both stay on this thread.
            match packer.context_repository(&Run::new(), &cancel) {
                Ok(repository) => {
                    let _ = told.send(Ok(()));
                    answer_all(&packer, &repository, &waiting);
                }
                Err(error) => drop(told.send(Err(error))),
            }
        });
        let read = is_read.recv().unwrap_or(Err(PackError::ReaderStopped));
        read.map(|()| Self { jobs })
    }

    /// Answers, without the secrets that `run` knows; `None` when what was read is given back already.
    pub(crate) fn ask(
        &self,
        request: ContextRequest,
        run: Run,
        cancel: &Cancel,
    ) -> Option<Result<ContextAnswer, PackError>> {
        let (answer, answered) = channel();
        let job = Job {
            request,
            run,
            cancel: cancel.clone(),
            answer,
        };
        self.jobs.send(job).ok()?;
        answered.recv().ok()
    }
}

/// Answers everybody, each on a thread of its own.
fn answer_all(packer: &Packer, repository: &ContextRepository, waiting: &Receiver<Job>) {
    std::thread::scope(|scope| {
        while let Ok(job) = waiting.recv_timeout(KEPT) {
            scope.spawn(move || {
                let answer = match job.cancel.is_cancelled() {
                    true => Err(PackError::Cancelled),
                    false => packer.context(repository, &job.request, &job.run, &job.cancel),
                };
                // Nobody waits for it any more when this fails.
                let _ = job.answer.send(answer);
            });
        }
    });
}
