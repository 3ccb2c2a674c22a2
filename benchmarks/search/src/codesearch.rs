//! codesearch (`cindex`, `csearch`) over the same files: another index of trigrams.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result};

use crate::queries::Asked;
use crate::report::Report;

pub(crate) fn measure(
    folder: &Path,
    tree: &Path,
    files: &[String],
    asked: &[&Asked],
    report: &mut Report,
) -> Result<()> {
    let index = std::env::temp_dir().join(format!("codesearch-{}", std::process::id()));
    let start = Instant::now();
    // In turns: a command line has an end.
    for some in files.chunks(2000) {
        Command::new(folder.join("cindex"))
            .args(some.iter().map(|file| tree.join(file)))
            .env("CSEARCHINDEX", &index)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .context("cindex")?;
    }
    report.number("codesearch.index_s", start.elapsed().as_secs_f64());
    report.number(
        "codesearch.index_bytes",
        std::fs::metadata(&index)?.len() as f64,
    );
    let mut times = Vec::new();
    for one in asked {
        let start = Instant::now();
        Command::new(folder.join("csearch"))
            .args(one.is_any_case().then_some("-i"))
            .args(["-n", &one.expression()])
            .env("CSEARCHINDEX", &index)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .context("csearch")?;
        times.push(1e3 * start.elapsed().as_secs_f64());
    }
    times.sort_by(f64::total_cmp);
    if let Some(middle) = times.get(times.len() / 2) {
        report.number("codesearch.command_p50_ms", *middle);
    }
    let _ = std::fs::remove_file(&index);
    Ok(())
}
