//! Properties of scans, redaction and streams.

mod properties;
