//! Has the provider count the tokens of a repository and of its pack.

#![expect(clippy::print_stdout, reason = "it shows its result")]

use infiniloom::{Control, Infiniloom, Pack, Text, Tokens};

fn main() -> infiniloom::Result<()> {
    let engine = Infiniloom::builder().user_settings().build()?;
    let snapshot = engine.open(".")?.snapshot()?;
    let sonnet = engine.model("sonnet")?;
    let control = Control::new().before_sending(|sending| {
        println!("sending a {} of {} bytes", sending.subject, sending.bytes);
    });
    let tokens = Tokens::new().models([sonnet.clone()]).exact(true);
    let counted = tokens.run_with(&snapshot, &control)?;
    println!("files: {} tokens", counted.total_tokens);
    let text = Text::new("prompt.txt", "Which tax rate is used?");
    let counted = tokens.run_text(&engine, &text, &control)?;
    println!("text: {} tokens", counted.total_tokens);
    let packed = Pack::new().model(&sonnet).exact(true);
    let output = packed.run_with(&snapshot, &control)?.report.output;
    println!("pack: {} tokens", output.tokens);
    Ok(())
}
