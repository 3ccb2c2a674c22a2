//! Time in tests: no test waits for a number of seconds. A test waits for an event, or moves the
//! clock to make files old.

#![expect(clippy::panic, reason = "a fixture that cannot be made fails its test")]

use std::fs;
use std::path::Path;
use std::time::SystemTime;

use crate::Sandbox;

/// Waits until `happened` returns true. It has no time limit, because no limit suits all machines:
/// the runner ends a test that hangs.
pub fn until(mut happened: impl FnMut() -> bool) {
    while !happened() {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}

/// Waits until the clock of the file system at a directory has advanced, so that the next change of
/// a file gets a later time than all earlier ones. Removes its own probe file.
pub fn tick(folder: &Path) {
    let probe = folder.join(".tick");
    let touched = || -> Option<SystemTime> {
        fs::write(&probe, "").ok()?;
        fs::metadata(&probe).ok()?.modified().ok()
    };
    let before = touched();
    assert!(before.is_some(), "{} has no clock", folder.display());
    until(|| touched() != before);
    // A later test that finds the file fails by itself.
    let _ = fs::remove_file(&probe);
}

impl Sandbox {
    /// Makes all files look an hour old to later commands, so that the commands trust the stamps.
    /// Files that are edited later look old too: give them another size, or edit them after a
    /// [`tick`].
    #[cfg(target_os = "linux")]
    pub fn age_files(&self) -> &Self {
        use std::io::Write;
        use std::process::{Command, Stdio};

        let mut compiler = Command::new("cc");
        compiler
            .args(["-shared", "-fPIC", "-O1", "-x", "c", "-", "-o"])
            .arg(self.clock())
            .stdin(Stdio::piped());
        let built = compiler.spawn().and_then(|mut child| {
            if let Some(mut input) = child.stdin.take() {
                input.write_all(include_bytes!("later.c"))?;
            }
            child.wait()
        });
        match built {
            Ok(status) if status.success() => self,
            Ok(status) => panic!("cc cannot build the clock: {status}"),
            Err(error) => panic!("cannot run cc: {error}"),
        }
    }

    /// Waits until every file is old enough for a run to trust its times.
    #[cfg(not(target_os = "linux"))]
    pub fn age_files(&self) -> &Self {
        let written = SystemTime::now();
        until(|| written.elapsed().is_ok_and(|age| age.as_millis() > 2_100));
        self
    }
}
