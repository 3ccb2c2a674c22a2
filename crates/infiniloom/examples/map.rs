//! Shows the overview that fits into 2,000 tokens, with uncommitted files in focus.

#![expect(clippy::print_stdout, reason = "it shows its result")]

use infiniloom::{Format, Infiniloom, Map};

fn main() -> infiniloom::Result<()> {
    let snapshot = Infiniloom::new().open(".")?.snapshot()?;
    let map = Map::new()
        .budget(2_000)
        .format(Format::Markdown)
        .focus("shop")
        .focus_changed(true)
        .run(&snapshot)?;
    println!("{}", map.text);
    Ok(())
}
