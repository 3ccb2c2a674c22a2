//! Rejects any bytes, or reads them as a corpus with consistent numbers.

#![no_main]

use libfuzzer_sys::fuzz_target;
use loom_base::Column;
use loom_base::codec::Reader;
use loom_engine::context::{Corpus, CorpusColumns, Granularity, Past};

fuzz_target!(|bytes: (&[u8], &[u8], [Vec<u32>; 3], Vec<[u8; 3]>)| {
    let (numbers, texts, [parts, keys, uses], counts) = bytes;
    let columns = || {
        Some(CorpusColumns {
            parts: records(parts)?,
            keys: keys.into(),
            counts: counts.into(),
            uses: records(uses)?,
        })
    };
    let corpus = columns()
        .and_then(|all| Corpus::read(&mut Reader::new(numbers), &mut Reader::new(texts), all));
    if let Some(corpus) = corpus {
        for file in 0..corpus.files.len() as u32 {
            let _ = corpus.parts_of(file);
        }
        for granularity in Granularity::ALL {
            let _ = corpus.units(granularity);
        }
    }
    let _ = Past::read(&mut Reader::new(numbers));
});

/// Builds a column of records from these numbers; drops an incomplete last record.
fn records<T: bytemuck::Pod>(mut numbers: Vec<u32>) -> Option<Column<T>> {
    let whole = numbers.len() * 4 / size_of::<T>() * size_of::<T>() / 4;
    numbers.truncate(whole);
    Some(bytemuck::try_cast_slice::<u32, T>(&numbers).ok()?.to_vec().into())
}
