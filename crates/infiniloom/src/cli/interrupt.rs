//! Ctrl-C: asks the run to stop, so that it leaves no partial file. A run that
//! cannot stop, because nobody reads what it writes, is ended.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use loom_host::Cancel;

/// How long a run has to stop by itself.
const GRACE: Duration = Duration::from_millis(700);

/// The unfinished file to remove when the process is ended.
static UNFINISHED: Mutex<Option<PathBuf>> = Mutex::new(None);

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

/// Names the file that must not stay behind.
pub(super) fn set_unfinished(path: Option<&Path>) {
    *UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner) = path.map(Path::to_owned);
}

fn remove_unfinished() {
    let unfinished = UNFINISHED
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .take();
    if let Some(path) = unfinished {
        // It may be finished or gone already.
        let _ = std::fs::remove_file(path);
    }
}
