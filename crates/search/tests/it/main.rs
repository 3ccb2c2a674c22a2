//! The public API.

mod odd;
