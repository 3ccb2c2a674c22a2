//! Ctrl-C: cancels the run, so that it leaves no partial file. If the run is blocked, for example
//! on a full pipe, the process exits anyway.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use infiniloom::Cancel;

/// Time for a run to stop by itself.
const GRACE: Duration = Duration::from_millis(700);

/// Paths to remove before the process exits: unfinished files, and directories with copies of
/// remotes.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Returns the request that Ctrl-C makes. All runs of the process share it.
pub(super) fn cancel() -> Cancel {
    static REQUEST: OnceLock<Cancel> = OnceLock::new();
    let request = REQUEST.get_or_init(|| {
        let cancel = Cancel::new();
        let asked = cancel.clone();
        // Without a handler, Ctrl-C ends the process as usual.
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

/// Adds a file or directory to remove if the process is interrupted.
pub(super) fn add_unfinished(path: &Path) {
    unfinished().push(path.to_owned());
}

/// Keeps the file, which is complete.
pub(super) fn set_finished(path: &Path) {
    unfinished().retain(|unfinished| unfinished != path);
}

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

fn remove_unfinished() {
    for path in unfinished().drain(..) {
        // It may already be finished or removed.
        let _ = match path.is_dir() {
            true => std::fs::remove_dir_all(path),
            false => std::fs::remove_file(path),
        };
    }
}
