//! Reads a file of patterns for `search -f`, one pattern per line.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use infiniloom::Search;

use super::error::CliError;

/// Joins the texts of several files.
pub(super) fn read_all(paths: &[&PathBuf]) -> Result<String, CliError> {
    let mut all = String::new();
    for path in paths {
        if !all.is_empty() && !all.ends_with('\n') {
            all.push('\n');
        }
        all.push_str(&read(path)?);
    }
    match all.len() > Search::MAX_BYTES {
        true => Err(too_long("the files together")),
        false => Ok(all),
    }
}

fn too_long(shown: &str) -> CliError {
    let told = CliError::user(format!("{shown}: patterns have at most 1 MiB"));
    told.hint("several searches take them in parts")
}

/// Reads the text of the file; `-` is standard input.
fn read(path: &Path) -> Result<String, CliError> {
    let is_input = path == Path::new("-");
    let shown = match is_input {
        true => "standard input".to_owned(),
        false => path.display().to_string(),
    };
    let mut bytes = Vec::new();
    // One more byte than the limit shows that the file is too long.
    let most = Search::MAX_BYTES as u64 + 1;
    let read = match is_input {
        true => io::stdin().lock().take(most).read_to_end(&mut bytes),
        false => File::open(path).and_then(|file| file.take(most).read_to_end(&mut bytes)),
    };
    read.map_err(|error| unreadable(path, &shown, &error))?;
    if bytes.len() > Search::MAX_BYTES {
        return Err(too_long(&shown));
    }
    String::from_utf8(bytes).map_err(|error| {
        let good = error.utf8_error().valid_up_to();
        let line = 1 + error.as_bytes()[..good]
            .iter()
            .filter(|byte| **byte == b'\n')
            .count();
        CliError::user(format!("{shown}: line {line} is not UTF-8"))
    })
}

fn unreadable(path: &Path, shown: &str, error: &io::Error) -> CliError {
    let told = CliError::user(format!("cannot read patterns from {shown}: {error}"));
    match path.to_str() {
        Some("json" | "text") => told.hint(format!("the form of the answer is --format {shown}")),
        _ => told,
    }
}
