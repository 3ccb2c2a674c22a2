//! Ctrl-C: asks the run to stop, so that it leaves no partial file. A run that
//! cannot stop, because nobody reads what it writes, is ended.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use infiniloom::host::Cancel;

/// How long a run has to stop by itself.
const GRACE: Duration = Duration::from_millis(700);

/// What to remove when the process is ended: unfinished files, and folders with
/// copies of remotes.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A request to stop that Ctrl-C makes.
pub(super) fn cancel_on_interrupt() -> Cancel {
    let cancel = Cancel::new();
    let asked = cancel.clone();
    // A second handler in one process is refused; the first one then holds.
    let _ = ctrlc::set_handler(move || {
        asked.cancel();
        std::thread::sleep(GRACE);
        remove_unfinished();
        std::process::exit(130);
    });
    cancel
}

/// Names a file or folder that must not stay behind.
pub(super) fn add_unfinished(path: &Path) {
    unfinished().push(path.to_owned());
}

/// The file may stay: it is whole.
pub(super) fn set_finished(path: &Path) {
    unfinished().retain(|unfinished| unfinished != path);
}

/// The same for the library.
pub(super) fn cancel() -> infiniloom::Cancel {
    let cancel = infiniloom::Cancel::new();
    let asked = cancel.clone();
    let _ = ctrlc::set_handler(move || {
        asked.cancel();
        std::thread::sleep(GRACE);
        remove_unfinished();
        std::process::exit(130);
    });
    cancel
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
