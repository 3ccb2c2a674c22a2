//! Texts that are generated from the declarations: the reference page, the schema for editors, and
//! the file that `infiniloom init` writes.

mod markdown;
mod sample;
mod schema;

pub use markdown::reference_markdown;
pub use sample::commented_file;
pub use schema::json_schema;
