//! Ctrl-C: asks the run to stop, so that it leaves no partial file. A run that
//! cannot stop, because nobody reads what it writes, is ended.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use infiniloom::Cancel;

/// How long a run has to stop by itself.
const GRACE: Duration = Duration::from_millis(700);

/// What to remove when the process is ended: unfinished files, and folders with
/// copies of remotes.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A request to stop that Ctrl-C makes. All runs of the process share it.
pub(super) fn cancel() -> Cancel {
    static REQUEST: OnceLock<Cancel> = OnceLock::new();
    let request = REQUEST.get_or_init(|| {
        let cancel = Cancel::new();
        let asked = cancel.clone();
        // Without a handler Ctrl-C ends the process as usual.
        let _ = ctrlc::set_handler(move || {
            asked.cancel();
            std::thread::sleep(GRACE);
            remove_unfinished();
            std::process::exit(130);
        });
        cancel
    });
    request.clone()
}

/// Names a file or folder that must not stay behind.
pub(super) fn add_unfinished(path: &Path) {
    unfinished().push(path.to_owned());
}

/// The file may stay: it is whole.
pub(super) fn set_finished(path: &Path) {
    unfinished().retain(|unfinished| unfinished != path);
}

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

fn remove_unfinished() {
    for path in unfinished().drain(..) {
        // It may be finished or gone already.
        let _ = match path.is_dir() {
            true => std::fs::remove_dir_all(path),
            false => std::fs::remove_file(path),
        };
    }
}
