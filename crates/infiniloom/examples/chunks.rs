//! Splits a repository into chunks with their token counts. At most 8 chunks wait.

#![expect(clippy::print_stdout, reason = "it shows its result")]

use infiniloom::{Buffer, Chunk, Control, Infiniloom};

fn main() -> infiniloom::Result<()> {
    let engine = Infiniloom::new();
    let snapshot = engine.open(".")?.snapshot()?;
    let model = engine.model("gpt-5")?;
    let query = Chunk::new().tokens(512).overlap(64).model(&model);
    for chunk in query.stream(&snapshot, Buffer::new(8), &Control::new()) {
        let chunk = chunk?;
        let lines = format!("{}-{}", chunk.start_line, chunk.end_line);
        println!("{}:{lines} {} tokens", chunk.path, chunk.tokens);
    } // `break` or `drop` cancels the producer and joins its thread
    Ok(())
}
