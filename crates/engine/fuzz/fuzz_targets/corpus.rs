//! Any bytes are refused, or read as a corpus whose numbers mean something.

#![no_main]

use libfuzzer_sys::fuzz_target;
use loom_base::codec::Reader;
use loom_engine::context::{Corpus, Granularity, Past};

fuzz_target!(|bytes: (&[u8], &[u8])| {
    let (numbers, texts) = bytes;
    if let Some(corpus) = Corpus::read(&mut Reader::new(numbers), &mut Reader::new(texts)) {
        for file in 0..corpus.files.len() as u32 {
            let _ = corpus.parts_of(file);
        }
        for granularity in Granularity::ALL {
            let _ = corpus.units(granularity);
        }
    }
    let _ = Past::read(&mut Reader::new(numbers));
});
