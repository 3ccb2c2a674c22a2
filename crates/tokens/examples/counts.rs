//! Prints the token count of each file that standard input names, for comparison with another
//! tokenizer, and the speed of the first and the best of three passes on standard error: `git
//! ls-files | cargo run --release -p loom-tokens --example counts -- qwen_bpe`. A second argument
//! is a file to load as that vocabulary.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a tool that reads files and the clock"
)]

use std::io::Error;
use std::time::Instant;
use std::{env, fs, io};

use loom_tokens::{FileKind, Vocabulary};

fn main() -> io::Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let begin = Instant::now();
    let vocabulary = match arguments.as_slice() {
        [name] => Vocabulary::from_name(name),
        [name, file] => match FileKind::from_name(name) {
            Some(kind) => {
                Some(Vocabulary::from_file(kind, &fs::read(file)?).map_err(Error::other)?)
            }
            None => None,
        },
        _ => None,
    };
    let vocabulary = vocabulary.ok_or_else(|| Error::other("usage: counts VOCABULARY [FILE]"))?;
    vocabulary.count("first");
    let first = begin.elapsed();
    let texts = io::stdin().lines().map(|path| fs::read_to_string(path?));
    let texts: Vec<String> = texts.collect::<io::Result<_>>()?;
    let (counts, cold) = pass(vocabulary, &texts);
    let warm = (0..2)
        .map(|_| pass(vocabulary, &texts).1)
        .fold(cold, f64::max);
    for count in &counts {
        println!("{count}");
    }
    let total: usize = counts.iter().sum();
    eprintln!("{total} tokens, {cold:.1} MB/s, best {warm:.1} MB/s, first count after {first:?}");
    Ok(())
}

/// Returns the counts, and the speed in MB per second.
fn pass(vocabulary: Vocabulary, texts: &[String]) -> (Vec<usize>, f64) {
    let begin = Instant::now();
    let counts = texts.iter().map(|text| vocabulary.count(text)).collect();
    let took = begin.elapsed().as_secs_f64();
    let bytes: usize = texts.iter().map(String::len).sum();
    (counts, bytes as f64 / 1e6 / took)
}
