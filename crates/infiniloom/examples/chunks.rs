//! Lists the files of a repository with their tokens, one at a time:
//! `cargo run --example chunks -- PATH`.

use infiniloom::{Chunk, Repository};

#[expect(clippy::print_stdout, reason = "an example shows what it does")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| ".".to_owned());
    for chunk in Repository::open(path)?.chunks() {
        match chunk? {
            Chunk::Metadata(overview) => println!("{}: {} tokens", overview.name, overview.tokens),
            Chunk::File { meta, text, .. } => {
                println!("{:>8} {} ({} bytes)", meta.tokens, meta.path, text.len());
            }
            Chunk::Summary { left_out, .. } => println!("{} left out", left_out.len()),
            _ => {}
        }
    }
    Ok(())
}
