//! Searches as another crate asks for them.

mod odd;
