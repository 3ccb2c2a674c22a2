//! Levels of compression: the text of each language before and after, and properties of any text.

mod cases;
mod comments;
mod extreme;
mod gentler;
mod preserved;
mod properties;
