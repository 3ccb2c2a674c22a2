//! Answers queries while files change: each line of standard input is a query.

#![expect(clippy::print_stdout, reason = "it shows its result")]

use infiniloom::{Cache, Infiniloom, Search};

fn main() -> infiniloom::Result<()> {
    let engine = Infiniloom::builder()
        .cache(Cache::Directory(
            std::env::temp_dir().join("infiniloom-live-search"),
        ))
        .build()?;
    let repository = engine.open(".")?;
    for line in std::io::stdin().lines().map_while(Result::ok) {
        let snapshot = repository.snapshot()?; // contains every save before this line
        match Search::query(&line).limit(20).run(&snapshot) {
            Ok(found) => {
                for hit in &found.matches {
                    println!("{}:{}: {}", hit.path, hit.line, hit.text);
                }
            }
            Err(error) => println!("error: {error}"), // a bad query does not end the process
        }
    }
    Ok(())
}
