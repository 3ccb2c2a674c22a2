//! Properties of scans, redaction and streams.

mod cases;
mod engines;
mod names;
mod properties;
