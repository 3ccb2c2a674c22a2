//! The secrets that a scan found, and the files that it skipped.

use loom_host::{Baseline, FoundSecret, SecretScan, printable};
use loom_wire::{FORMAT_VERSION, SCAN_GENERATOR, ScanInfo, SecretInfo, SkippedInfo};

/// Describes a finding on one line: `PATH:LINE:COLUMN: KIND (CONFIDENCE: REASON)`.
pub fn line(one: &SecretInfo) -> String {
    format!("{} ({})", location(one), grounds(one))
}

/// Returns the location and kind of a finding, with the commit that contains it.
pub fn location(one: &SecretInfo) -> String {
    let place = format!("{}:{}:{}", printable(&one.path), one.line, one.column);
    let commit = one.commit.as_deref();
    let commit = commit.map(|commit| format!(" in {}", &commit[..commit.len().min(12)]));
    format!("{place}: {}{}", one.kind, commit.unwrap_or_default())
}

/// Returns the confidence of a finding and its first reason.
pub fn grounds(one: &SecretInfo) -> String {
    let reason = one.reasons.first().map_or("", String::as_str);
    format!("{}: {reason}", one.confidence)
}

/// Describes a scan. A finding never contains the secret.
pub fn info(scan: &SecretScan) -> ScanInfo {
    let skipped = scan.skipped.iter().map(|(path, reason)| SkippedInfo {
        path: path.display().into_owned(),
        reason: reason.kind().to_owned(),
        detail: reason.to_string(),
        is_expected: reason.is_expected(),
    });
    ScanInfo {
        generator: SCAN_GENERATOR.to_owned(),
        format_version: FORMAT_VERSION,
        scanned: scan.scanned,
        bytes: scan.bytes,
        findings: scan.found.iter().map(FoundSecret::to_wire).collect(),
        skipped: skipped.collect(),
        baseline: Baseline::from_found(&scan.found).to_wire(),
        notices: Vec::new(),
    }
}
