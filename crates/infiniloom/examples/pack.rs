//! Packs a repository as one prompt: as a string, and straight into a writer.

#![expect(clippy::print_stdout, reason = "it shows its result")]

use infiniloom::{Control, Format, Infiniloom, Pack};

fn main() -> infiniloom::Result<()> {
    let snapshot = Infiniloom::new().open(".")?.snapshot()?;
    let pack = Pack::new()
        .format(Format::Markdown)
        .exclude("*.lock")
        .budget(50_000);
    let packed = pack.run(&snapshot)?;
    println!("{}", packed.text);
    println!("{} tokens", packed.report.output.tokens);
    let report = pack.write_to(&snapshot, &mut std::io::stderr(), &Control::new())?;
    assert_eq!(report.output.bytes, packed.text.len()); // same snapshot, same query, same bytes
    Ok(())
}
