//! Fills the cache, then follows changes. It ends after the first one.

#![expect(clippy::print_stdout, reason = "it shows its result")]

use infiniloom::{Cache, Index, Infiniloom};

fn main() -> infiniloom::Result<()> {
    let directory = std::env::temp_dir().join(format!("infiniloom-index-{}", std::process::id()));
    let engine = Infiniloom::builder()
        .cache(Cache::Directory(directory))
        .build()?;
    let repository = engine.open(".")?;
    let watch = repository.watch()?; // sees every change from here on
    let first = Index::new().run(&repository.snapshot()?)?;
    println!("{} files, {} tokens", first.files, first.tokens);
    for change in watch.take(1) {
        let change = change?; // a settled burst of writes
        let report = Index::new().run(&change.snapshot)?;
        println!("{}: {} added", change.paths.join(", "), report.added);
    }
    Ok(())
}
