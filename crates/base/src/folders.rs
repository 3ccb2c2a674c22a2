//! Conventional names of directories. The callers decide which rules follow from a name.

/// Names of directories that contain only tests.
pub const TEST_FOLDERS: &[&str] = &["tests", "__tests__", "spec", "specs", "e2e"];

/// Names of directories that show or measure how code is used.
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
