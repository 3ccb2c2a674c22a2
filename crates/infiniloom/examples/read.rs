//! Reads some lines of a file, and a definition in few tokens. Both are redacted.

#![expect(clippy::print_stdout, reason = "it shows its result")]

use infiniloom::{Infiniloom, Level, Read};

fn main() -> infiniloom::Result<()> {
    let snapshot = Infiniloom::new().open(".")?.snapshot()?;
    let lines = Read::path("config.env").lines(1..=2).run(&snapshot)?;
    print!("{}", lines.text);
    let rate = Read::symbol("rate").run(&snapshot)?;
    println!("{} of {} lines", rate.lines.len(), rate.total_lines);
    let short = Read::path("shop/basket.py")
        .compress(Level::Aggressive)
        .run(&snapshot)?;
    for line in &short.lines {
        println!("{} {}", line.line, line.text);
    }
    Ok(())
}
