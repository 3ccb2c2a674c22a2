//! Lists the files that a coding agent worked on, from its transcript, with the instructions that
//! apply to them.

#![expect(clippy::print_stdout, reason = "it shows its result")]

use infiniloom::{Infiniloom, WorkingSet};

/// One line of a transcript of Claude Code.
const TRANSCRIPT: &str = r#"{"type":"assistant","message":{"content":[{"type":"tool_use","name":"Read","input":{"file_path":"shop/basket.py"}}]}}"#;

fn main() -> infiniloom::Result<()> {
    let repository = Infiniloom::new().open(".")?;
    let directory = repository.roots().remove(0);
    let set = WorkingSet::new(TRANSCRIPT, directory)
        .tokens(500)
        .run(&repository.snapshot()?)?;
    print!("{}", set.text);
    println!("{} files, {} tokens", set.files.len(), set.tokens);
    Ok(())
}
