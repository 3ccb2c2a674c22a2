//! Shows the size of a cache, checks it, and removes it.

#![expect(clippy::print_stdout, reason = "it shows its result")]

use infiniloom::{Cache, Index, Infiniloom};

fn main() -> infiniloom::Result<()> {
    let directory = std::env::temp_dir().join(format!("infiniloom-cache-{}", std::process::id()));
    let engine = Infiniloom::builder()
        .cache(Cache::Directory(directory))
        .build()?;
    Index::new().run(&engine.open(".")?.snapshot()?)?;
    let stats = engine.cache_stats()?;
    println!("{} files, {} contents", stats.files, stats.contents);
    let verified = engine.verify_cache()?;
    println!("{} wrong values", verified.wrong_values);
    let pruned = engine.prune_cache(Some(1))?;
    println!("{} contents removed", pruned.contents.unwrap_or(0));
    println!("{} contents left", engine.cache_stats()?.contents);
    engine.clean_cache()?;
    Ok(())
}
