//! All methods of encoding against the simplest one, on rows of bytes that are not text: beginnings
//! and ends of tokens, so that the longest token is often wrong, and long runs.

use proptest::prelude::*;

use super::merges::{Merges, NEVER};
use super::rounds::Rounds;
use super::{count, encode, long, queue};
use crate::built_in::{CL100K, O200K, P50K, R50K};
use crate::model::Model;

const MODELS: [&Model; 4] = [&O200K, &CL100K, &P50K, &R50K];

/// Merges the leftmost of the lowest pairs until none is left.
fn encode_simply(merges: &Merges, piece: &[u8]) -> Vec<u32> {
    let mut ids: Vec<u32> = piece.iter().map(|&byte| merges.byte(byte)).collect();
    loop {
        let ranks = ids.windows(2).map(|pair| merges.pair(pair[0], pair[1]));
        match ranks.zip(0..).min() {
            Some((rank, at)) if rank != NEVER => {
                ids[at] = rank;
                ids.remove(at + 1);
            }
            _ => return ids,
        }
    }
}

fn by_queue(merges: &Merges, piece: &[u8]) -> Vec<u32> {
    let runs = queue::encode(merges, piece).into_iter();
    runs.flat_map(|run| std::iter::repeat_n(run.id, run.count))
        .collect()
}

fn check(merges: &Merges, piece: &[u8], expected: &[u32]) {
    let mut found = Vec::new();
    encode(merges, piece, &mut found);
    assert_eq!(found, expected, "{piece:?}");
    assert_eq!(count(merges, piece), expected.len(), "{piece:?}");
    found.clear();
    long::encode(merges, piece, |row, cut, times| {
        (0..times).for_each(|_| row.append(cut, &mut found));
    });
    assert_eq!(found, expected, "{piece:?}");
    if let Some(runs) = Rounds::new(merges).encode(piece) {
        let ids = runs
            .into_iter()
            .flat_map(|run| std::iter::repeat_n(run.id, run.count));
        assert_eq!(ids.collect::<Vec<_>>(), expected, "{piece:?}");
    }
}

/// Generates parts of a few tokens, each repeated.
fn broken_tokens(model: &'static Model, most: usize) -> impl Strategy<Value = Vec<u8>> {
    let tokens = prop::collection::vec(0..model.merges.tokens, 1..5);
    let picks = prop::collection::vec(
        (
            any::<prop::sample::Index>(),
            0..40usize,
            any::<bool>(),
            1..9usize,
        ),
        1..most,
    );
    (tokens, picks).prop_map(move |(tokens, picks)| {
        let mut bytes = Vec::new();
        for (token, length, from_start, times) in picks {
            let mut spelled = Vec::new();
            model.merges.spell(*token.get(&tokens), &mut spelled);
            let length = length.min(spelled.len());
            let part = if from_start {
                &spelled[..length]
            } else {
                &spelled[spelled.len() - length..]
            };
            bytes.extend(part.repeat(times));
        }
        bytes.push(b'x');
        bytes
    })
}

/// Generates runs of a few bytes, as in white space and rules.
fn runs(bytes: &'static [u8], most: usize) -> impl Strategy<Value = Vec<u8>> {
    let run = (
        prop::sample::select(bytes),
        prop_oneof![1..4usize, 1..400usize],
    );
    prop::collection::vec(run, 1..most).prop_map(|runs| {
        runs.into_iter()
            .flat_map(|(byte, length)| std::iter::repeat_n(byte, length))
            .collect()
    })
}

const SETS: [&[u8]; 5] = [b" \n", b" \t\r\n", b"=-*", b"a", b"\xe3\x80\n"];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn few_broken_tokens_encode_like_the_simple_method((model, piece) in (0..MODELS.len()).prop_flat_map(|model| (Just(model), broken_tokens(MODELS[model], 40)))) {
        let merges = &MODELS[model].merges;
        let expected = encode_simply(merges, &piece);
        prop_assert_eq!(&by_queue(merges, &piece), &expected);
        check(merges, &piece, &expected);
    }

    #[test]
    fn many_broken_tokens_encode_like_the_simple_method((model, piece) in (0..MODELS.len()).prop_flat_map(|model| (Just(model), broken_tokens(MODELS[model], 800)))) {
        let merges = &MODELS[model].merges;
        check(merges, &piece, &by_queue(merges, &piece));
    }

    #[test]
    fn few_runs_encode_like_the_simple_method(piece in prop::sample::select(&SETS[..]).prop_flat_map(|set| runs(set, 12))) {
        for model in MODELS {
            let expected = encode_simply(&model.merges, &piece);
            prop_assert_eq!(&by_queue(&model.merges, &piece), &expected);
            check(&model.merges, &piece, &expected);
        }
    }

    #[test]
    fn many_runs_encode_like_the_simple_method(piece in prop::sample::select(&SETS[..]).prop_flat_map(|set| runs(set, 300))) {
        for model in MODELS {
            check(&model.merges, &piece, &by_queue(&model.merges, &piece));
        }
    }

    #[test]
    fn any_bytes_encode_like_the_simple_method(piece in prop::collection::vec(any::<u8>(), 1..700)) {
        for model in MODELS {
            check(&model.merges, &piece, &encode_simply(&model.merges, &piece));
        }
    }
}

/// Pieces that are one repeated text, and letters without repetition.
fn long_pieces(bytes: usize) -> Vec<(String, Vec<u8>)> {
    let units = [
        "a",
        " ",
        "\n",
        "\t",
        "=",
        "👍",
        "的",
        "abc",
        " \n",
        "ab的",
        "/*\n",
        "。中",
        "a. ",
        "password=",
        "a=b;",
        "e\u{301}\u{301}",
        "👨‍👩‍👧‍👦",
    ];
    let repeated = units.iter().map(|unit| {
        let text = unit.repeat(bytes / unit.len());
        (format!("{unit:?}"), text.into_bytes())
    });
    let mut state = 1_u64;
    let letters = (0..bytes).map(|_| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        b'a' + ((state >> 33) % 26) as u8
    });
    let letters = ("letters".to_owned(), letters.collect());
    repeated.chain([letters]).collect()
}

/// A quadratic method looks up four times the pairs.
#[test]
fn twice_the_piece_needs_at_most_about_twice_the_lookups() {
    for model in MODELS {
        let pieces = long_pieces(50_000).into_iter().zip(long_pieces(100_000));
        for ((unit, once), (_, twice)) in pieces {
            let lookups = |piece: &[u8]| {
                super::merges::lookups::of(|| {
                    count(&model.merges, piece);
                })
            };
            let (once, twice) = (lookups(&once), lookups(&twice));
            // Repeated text is encoded once, letters without repetition byte by byte.
            assert!(
                once >= if unit == "letters" { 50_000 } else { 50 },
                "{unit}: {once}"
            );
            assert!(once <= 250_000, "{unit}: {once} lookups");
            assert!(
                twice * 10 <= once * 22,
                "{unit}: {once} lookups, and {twice} for twice the piece"
            );
        }
    }
}
