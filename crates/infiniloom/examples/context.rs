//! Finds the code for an issue, within a budget, with reasons.

#![expect(clippy::print_stdout, reason = "it shows its result")]

use infiniloom::{Context, Infiniloom};

fn main() -> infiniloom::Result<()> {
    let snapshot = Infiniloom::new().open(".")?.snapshot()?;
    let issue = "the total of a basket is wrong\n\n  File \"shop/basket.py\", line 4, in total";
    let context = Context::new(issue)
        .budget(32_000)
        .reserve(4_000)
        .hot("shop/tax.py")
        .run(&snapshot)?;
    for piece in &context.pieces {
        let reasons: Vec<&str> = piece.reasons.iter().map(|one| one.words.as_str()).collect();
        println!(
            "{}: {} tokens: {}",
            piece.id,
            piece.tokens,
            reasons.join(", ")
        );
    }
    println!("{}", context.context); // at most 28,000 tokens in this format
    for notice in &context.notices {
        println!("{notice}"); // files that could not be read, redactions, no match
    }
    Ok(())
}
