//! Asks one question of two roots, and another of two revisions.

#![expect(clippy::print_stdout, reason = "it shows its result")]

use infiniloom::{Context, Infiniloom, Navigate, Root};

fn main() -> infiniloom::Result<()> {
    let engine = Infiniloom::new();
    let both = engine.open_all([Root::path("shop"), Root::path("lib")])?;
    let context = Context::new("who computes the tax rate?").budget(4_000);
    println!("{}", context.run(&both.snapshot()?)?.context);
    for revision in ["v1.0", "HEAD"] {
        let root = Root::path(".").revision(revision);
        let snapshot = engine.open(root)?.snapshot()?;
        let found = Navigate::references("rate").run(&snapshot)?;
        let count = found.references.iter().flatten().count();
        println!("{revision}: {count} references");
    }
    Ok(())
}
