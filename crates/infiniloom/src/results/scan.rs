//! The secrets that a scan found, and the files that it skipped.

use loom_host::{FoundSecret, SecretScan};
use loom_wire::{FORMAT_VERSION, SCAN_GENERATOR, ScanInfo, SkippedInfo};

/// Describes a scan. A finding never contains the secret.
pub fn info(scan: &SecretScan) -> ScanInfo {
    let skipped = scan.skipped.iter().map(|(path, reason)| SkippedInfo {
        path: path.display().into_owned(),
        reason: reason.kind().to_owned(),
    });
    ScanInfo {
        generator: SCAN_GENERATOR,
        format_version: FORMAT_VERSION,
        scanned: scan.scanned,
        bytes: scan.bytes,
        findings: scan.found.iter().map(FoundSecret::to_wire).collect(),
        skipped: skipped.collect(),
    }
}
