//! Counts the tokens of a text, and of a repository for two models.

#![expect(clippy::print_stdout, reason = "it shows its result")]

use infiniloom::{Infiniloom, Tokens};

fn main() -> infiniloom::Result<()> {
    let engine = Infiniloom::new();
    let sonnet = engine.model("sonnet")?; // an unknown name is an error with a hint
    let count = sonnet.count("fn main() {}");
    println!(
        "{} tokens ({} to {})",
        count.likely(),
        count.lower(),
        count.upper()
    );
    let snapshot = engine.open(".")?.snapshot()?;
    let models = [sonnet, engine.model("gpt-5")?];
    for model in &Tokens::new().models(models).run(&snapshot)?.models {
        println!("{}: {} tokens", model.model, model.total_tokens);
    }
    Ok(())
}
