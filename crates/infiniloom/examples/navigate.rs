//! Finds the callers of a function, and the definition at a location.

#![expect(clippy::print_stdout, reason = "it shows its result")]

use infiniloom::{Infiniloom, Navigate};

fn main() -> infiniloom::Result<()> {
    let snapshot = Infiniloom::new().open(".")?.snapshot()?;
    let callers = Navigate::callers("rate").depth(2).run(&snapshot)?;
    for call in callers.calls.iter().flatten() {
        println!("{}:{} {}", call.path, call.line, call.text);
    }
    let found = Navigate::definitions("shop/basket.py:6:30").run(&snapshot)?;
    for definition in &found.definitions {
        println!("{} {}", definition.kind, definition.qualified_name);
    }
    if found.approximate {
        println!("resolved by syntax");
    }
    Ok(())
}
