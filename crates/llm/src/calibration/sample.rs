//! Selects the parts of a repository that calibrate an estimator, always the same ones for the same
//! files. Pure: the caller reads the files.

/// Maximum bytes of a sample.
const SAMPLE: usize = 200_000;
/// Stretches per sample: enough that every sizable language has some.
const STRETCHES: usize = 25;
/// Below this size, the repository is a single sample.
const SMALL: usize = 40_000;
/// Maximum distance in which a stretch looks for the next newline.
const LINE: usize = 1_000;

/// A byte range in the text of one file, and the sample that it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stretch {
    pub(super) file: usize,
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) sample: usize,
}

/// Plans the samples of files of these sizes: their number, and their stretches.
///
/// The plan concatenates the files and takes stretches at equal distances, alternating between the
/// samples. Files of one language should be adjacent, so that each language has the same share as
/// in the repository.
pub(super) fn plan(sizes: &[usize]) -> (usize, Vec<Stretch>) {
    let total: usize = sizes.iter().sum();
    if total < SMALL {
        return (1, within(sizes, 0, total, 0));
    }
    let count = 2 * STRETCHES;
    let width = (total / count).min(SAMPLE / STRETCHES);
    let stretches = (0..count).flat_map(|at| {
        let start = (at as u128 * total as u128 / count as u128) as usize;
        within(sizes, start, start + width, at % 2)
    });
    (2, stretches.collect())
}

/// Splits a range of the concatenated files into ranges of single files.
fn within(sizes: &[usize], start: usize, end: usize, sample: usize) -> Vec<Stretch> {
    let mut before = 0;
    let mut found = Vec::new();
    for (file, &size) in sizes.iter().enumerate() {
        let (from, to) = (start.max(before), end.min(before + size));
        if from < to {
            found.push(Stretch {
                file,
                start: from - before,
                end: to - before,
                sample,
            });
        }
        before += size;
    }
    found
}

/// Returns the whole lines of a stretch. Stretches that do not overlap yield texts that do not
/// overlap.
pub(super) fn cut<'a>(text: &'a str, stretch: &Stretch) -> &'a str {
    &text[line_start(text, stretch.start)..line_start(text, stretch.end)]
}

/// Returns the first line start at or after `at`; in a very long line, a character boundary.
fn line_start(text: &str, at: usize) -> usize {
    if at == 0 || at >= text.len() {
        return at.min(text.len());
    }
    let ahead = &text.as_bytes()[at - 1..text.len().min(at + LINE)];
    match memchr::memchr(b'\n', ahead) {
        Some(found) => at + found,
        None => text.ceil_char_boundary(at),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(stretches: &[Stretch], sample: usize) -> usize {
        let own = stretches.iter().filter(|part| part.sample == sample);
        own.map(|part| part.end - part.start).sum()
    }

    #[test]
    fn a_small_repository_is_one_sample() {
        let (samples, stretches) = plan(&[10_000, 0, 20_000]);
        assert_eq!((samples, bytes(&stretches, 0)), (1, 30_000));
        assert_eq!(plan(&[]), (1, Vec::new()));
    }

    #[test]
    fn all_of_a_middling_one_is_sent() {
        let (samples, stretches) = plan(&[100_000; 3]);
        assert_eq!(samples, 2);
        assert_eq!(
            (bytes(&stretches, 0), bytes(&stretches, 1)),
            (150_000, 150_000)
        );
    }

    #[test]
    fn samples_are_bounded_disjoint_and_have_the_shares_of_the_whole() {
        let sizes: Vec<usize> = (0..3_000).map(|at| 500 + at % 2_000).collect();
        let (_, stretches) = plan(&sizes);
        for sample in [0, 1] {
            assert_eq!(bytes(&stretches, sample), SAMPLE);
            let early = stretches
                .iter()
                .filter(|part| part.sample == sample && part.file < 1_500);
            let early: usize = early.map(|part| part.end - part.start).sum();
            let share =
                sizes[..1_500].iter().sum::<usize>() as f64 / sizes.iter().sum::<usize>() as f64;
            assert!((early as f64 / SAMPLE as f64 - share).abs() < 0.05);
        }
        let pairs = stretches.windows(2);
        let mut pairs = pairs.map(|pair| (pair[0].file, pair[0].end, pair[1].file, pair[1].start));
        assert!(pairs.all(|(a, end, b, start)| a < b || end <= start));
        assert_eq!(plan(&sizes).1, stretches);
    }

    #[test]
    fn samples_consist_of_whole_lines() {
        let text = format!("one\ntwo\n{}é{}", "x".repeat(3_000), "y".repeat(3_000));
        let part = |start, end| {
            let (file, sample) = (0, 0);
            cut(
                &text,
                &Stretch {
                    file,
                    start,
                    end,
                    sample,
                },
            )
        };
        assert_eq!(part(0, 2), "one\n");
        assert_eq!(part(2, 8), "two\n");
        assert_eq!(part(4, 8), "two\n");
        assert_eq!(part(8, 3_009).len(), 3_002);
        let whole: String = (0..text.len().div_ceil(7))
            .map(|at| part(at * 7, (at * 7 + 7).min(text.len())))
            .collect();
        assert_eq!(whole, text);
    }
}
