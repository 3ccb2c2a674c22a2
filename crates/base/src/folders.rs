//! What folders are called by convention. What follows from it is decided by who asks.

/// Folders that hold tests alone.
pub const TEST_FOLDERS: &[&str] = &["tests", "__tests__", "spec", "specs", "e2e"];

/// Folders that show and measure how code is used.
pub const EXAMPLE_FOLDERS: &[&str] = &[
    "example",
    "examples",
    "sample",
    "samples",
    "demo",
    "demos",
    "bench",
    "benches",
    "benchmark",
    "benchmarks",
];
