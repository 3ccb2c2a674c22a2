//! Lists the functions of a repository, and the outline of one file.

#![expect(clippy::print_stdout, reason = "it shows its result")]

use infiniloom::{Infiniloom, Symbols};

fn main() -> infiniloom::Result<()> {
    let snapshot = Infiniloom::new().open(".")?.snapshot()?;
    let functions = Symbols::new().kind("function").run(&snapshot)?;
    let outline = Symbols::outline("shop/basket.py").run(&snapshot)?;
    for file in functions.files.iter().chain(&outline.files) {
        for symbol in &file.symbols {
            println!("{}:{} {}", file.path, symbol.line, symbol.signature);
        }
    }
    Ok(())
}
