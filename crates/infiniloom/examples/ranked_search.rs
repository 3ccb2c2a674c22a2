//! Ranks code for a question: by its words, and by its meaning.

#![expect(clippy::print_stdout, reason = "it shows its result")]

use infiniloom::{Granularity, Infiniloom, RankedSearch};

fn main() -> infiniloom::Result<()> {
    let snapshot = Infiniloom::new().open(".")?.snapshot()?;
    let question = "how is the tax of a basket computed?";
    let by_words = RankedSearch::question(question).limit(3);
    let by_meaning = RankedSearch::semantic(question)
        .granularity(Granularity::Function)
        .limit(3);
    for query in [by_words, by_meaning] {
        for hit in &query.run(&snapshot)?.hits {
            println!(
                "{}:{}-{} {:.2}",
                hit.path, hit.start_line, hit.end_line, hit.score
            );
        }
    }
    Ok(())
}
