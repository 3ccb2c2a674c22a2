//! Searches and packs texts in memory.

#![expect(clippy::print_stdout, reason = "it shows its result")]

use infiniloom::{Infiniloom, Pack, Root, Search, Text};

fn main() -> infiniloom::Result<()> {
    let root = Root::texts([
        Text::new("shop/tax.py", "def rate():\n    return 0.2\n"),
        Text::new("config.env", "DB_PASSWORD=vK8#pq2Zr!x9\n"),
    ]);
    let snapshot = Infiniloom::new().open(root)?.snapshot()?;
    for hit in Search::text("rate").run(&snapshot)?.matches {
        println!("{}:{}: {}", hit.path, hit.line, hit.text);
    }
    let packed = Pack::new().run(&snapshot)?;
    println!("{}", packed.text);
    println!("{} files", packed.report.files.len());
    Ok(())
}
