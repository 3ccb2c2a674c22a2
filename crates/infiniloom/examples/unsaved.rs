//! Searches an unsaved edit, as an editor does.

#![expect(clippy::print_stdout, reason = "it shows its result")]

use infiniloom::{Change, Infiniloom, Search};

fn main() -> infiniloom::Result<()> {
    let repository = Infiniloom::new().open(".")?;
    let buffer = "def refund():\n    return -1\n";
    repository.apply([Change::edit("shop/tax.py", buffer)])?;
    let search = Search::text("refund");
    for hit in search.run(&repository.snapshot()?)?.matches {
        println!("{}:{}: {}", hit.path, hit.line, hit.text);
    }
    // The file on disk counts again, as after a save.
    repository.apply([Change::save("shop/tax.py")])?;
    let found = search.run(&repository.snapshot()?)?;
    println!("after the save: {} lines", found.matches.len());
    Ok(())
}
