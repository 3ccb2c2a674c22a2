//! Properties of scans, redaction and streams.

mod engines;
mod properties;
