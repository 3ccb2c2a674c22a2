//! Scans of real trees: included files, skipped files, and warnings about unreadable rules.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod history;
mod objects;
mod reading;
mod rules;
mod trees;

use loom_source::{Filter, FilterKind, Scan, ScanOptions, Source};
use loom_testkit::Sandbox;

/// Scans the working directory.
fn scan(sandbox: &Sandbox) -> Scan {
    let source = Source::open(&[sandbox.work()]).unwrap();
    source.scan(&ScanOptions::default())
}

/// Scans the working directory with the patterns `include`.
fn scan_including(sandbox: &Sandbox, include: &[&str]) -> Scan {
    let filter = |glob: &&str| Filter::new(FilterKind::Include, glob).unwrap();
    let options = ScanOptions {
        filters: include.iter().map(filter).collect(),
        ..ScanOptions::default()
    };
    Source::open(&[sandbox.work()]).unwrap().scan(&options)
}

/// Returns the paths of the included files.
fn taken(scan: &Scan) -> Vec<String> {
    scan.files
        .iter()
        .map(|file| file.path.to_string())
        .collect()
}
