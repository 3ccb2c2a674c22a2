//! Levels of compression: what each language looks like before and after, and what
//! holds for any text.

mod cases;
mod comments;
mod extreme;
mod gentler;
mod preserved;
mod properties;
