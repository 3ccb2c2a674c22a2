//! Compresses one text, without a repository.

#![expect(clippy::print_stdout, reason = "it shows its result")]

use infiniloom::{Compress, Level, Preserve, Text};

fn main() -> infiniloom::Result<()> {
    let body = "    subtotal = sum(items)\n    return subtotal\n".repeat(10);
    let text = format!("def total(items):\n    \"\"\"Sums the items.\"\"\"\n{body}");
    let short = Compress::new(Level::Aggressive)
        .preserve([Preserve::Docstrings])
        .run_text(&Text::new("shop.py", text))?;
    println!("{} of {} tokens", short.tokens, short.tokens_before);
    println!("{}", short.text);
    if let Some(reason) = &short.fallback_reason {
        println!("level {}: {reason}", short.level);
    }
    Ok(())
}
