//! Fits texts in memory into limits, as in a browser.

use std::borrow::Cow;
use std::convert::Infallible;

use loom_base::{ContentHash, RepoPath};
use loom_models::{Tokenizer, Vocabulary};
use proptest::prelude::*;

use super::*;
use crate::{FileMeta, Format, Overview, Part, describe, priority};

/// A whole pack in memory.
struct Texts {
    texts: Vec<String>,
    metas: Vec<FileMeta>,
    budget: usize,
    /// Memory for parts, in bytes.
    room: usize,
}

const TOKENIZER: Tokenizer = Tokenizer::Exact(Vocabulary::O200kBase);

impl Texts {
    fn new(texts: &[String], budget: usize) -> Self {
        let meta = |(at, text): (usize, &String)| {
            let path = RepoPath::new(format!("src/{at}.txt")).unwrap();
            describe(path, text, ContentHash::from_bytes([0; 32]), TOKENIZER)
        };
        Self {
            texts: texts.to_vec(),
            metas: texts.iter().enumerate().map(meta).collect(),
            budget,
            room: 100,
        }
    }

    fn scale() -> Scale<'static> {
        let line_numbers = false;
        let tokenizer = TOKENIZER;
        let style = FileStyle {
            tokenizer,
            line_numbers,
        };
        Scale::new(Format::Markdown.renderer(), style)
    }

    fn text_of<'a>(&'a self, placed: &'a Placed) -> &'a str {
        match &placed.part {
            // The span of a part that is being measured refers to the part's text.
            Some(part) => match &part.text {
                Some(text) => text,
                None => &self.texts[placed.file][part.span.clone()],
            },
            None => &self.texts[placed.file],
        }
    }

    fn meta_of<'a>(&'a self, placed: &'a Placed) -> &'a FileMeta {
        let part = placed.part.as_ref();
        part.map_or(&self.metas[placed.file], |part| &part.meta)
    }

    /// Renders the output.
    fn written(&self, placed: &[Placed], part: Option<Part>) -> String {
        let renderer = Format::Markdown.renderer();
        let mut out = String::new();
        renderer.head(&self.overview(placed, part), &mut out);
        for (at, one) in placed.iter().enumerate() {
            let framed = renderer.file(self.meta_of(one), self.text_of(one), at);
            framed.push_to(&mut out);
        }
        renderer.tail(&mut out);
        out
    }

    fn overview(&self, placed: &[Placed], part: Option<Part>) -> Overview {
        let metas = placed.iter().map(|one| self.meta_of(one));
        let mut overview = Overview::new("texts", TOKENIZER, metas, Vec::new());
        overview.part = part;
        overview
    }

    fn size(&self, placed: &[Placed], part: Option<Part>) -> Weight {
        let first = placed.first().map(|one| {
            let text = Cow::Borrowed(self.text_of(one));
            Self::scale().weigh_first(self.meta_of(one), text)
        });
        let weights = placed.iter().map(|one| &one.weight);
        Self::scale().output(&self.overview(placed, part), first, weights)
    }
}

impl FitFiles for Texts {
    type Error = Infallible;

    fn count(&self) -> usize {
        self.texts.len()
    }

    fn tokenizer(&self) -> Tokenizer {
        TOKENIZER
    }

    fn meta(&self, file: usize) -> &FileMeta {
        &self.metas[file]
    }

    fn current(&self, file: usize) -> Option<CurrentFile<'_>> {
        Some(CurrentFile {
            meta: Cow::Borrowed(&self.metas[file]),
            text: Cow::Borrowed(&self.texts[file]),
        })
    }

    fn weigh(&self, meta: &FileMeta, text: &str) -> Weight {
        Self::scale().weigh(meta, text)
    }

    fn weigh_all(
        &mut self,
        files: &[usize],
        found: &mut dyn FnMut(usize, Option<Weight>),
    ) -> Result<(), Infallible> {
        for &file in files {
            found(file, Some(self.weigh(&self.metas[file], &self.texts[file])));
        }
        Ok(())
    }
}

impl BudgetFiles for Texts {
    fn tokens(&self) -> usize {
        self.metas.iter().map(|meta| meta.tokens).sum()
    }

    fn order(&self) -> Result<Vec<usize>, Infallible> {
        let mut order: Vec<usize> = (0..self.count()).collect();
        order.sort_by_cached_key(|&at| (priority(&self.metas[at], self.budget, 0.0), at));
        Ok(order)
    }

    fn size_of_all(&self, weights: &[Weight]) -> Result<usize, Infallible> {
        let all = weights.iter().enumerate().map(|(file, weight)| Placed {
            file,
            part: None,
            weight: weight.clone(),
        });
        self.size_of(&all.collect::<Vec<_>>())
    }

    fn size_of(&self, some: &[Placed]) -> Result<usize, Infallible> {
        Ok(self.size(some, None).tally.upper())
    }
}

impl SplitFiles for Texts {
    fn restart(&mut self) {}

    fn keeps(&mut self, bytes: usize) -> bool {
        let left = self.room.checked_sub(bytes);
        self.room = left.unwrap_or(self.room);
        left.is_some()
    }

    fn read_part(&self, file: usize, part: &FilePart) -> Option<CurrentFile<'_>> {
        Some(CurrentFile {
            meta: Cow::Owned(part.meta.clone()),
            text: Cow::Borrowed(&self.texts[file][part.span.clone()]),
        })
    }

    fn size_of_part(
        &self,
        head: PartHead,
        files: &[Placed],
        limit: Limit,
    ) -> Result<usize, Infallible> {
        let (number, total) = (head.number, head.number);
        Ok(limit.size(&self.size(files, Some(Part { number, total }))))
    }
}

fn tokens(text: &str) -> usize {
    TOKENIZER.count(text).upper()
}

fn lines(count: usize) -> String {
    (0..count).map(|at| format!("line {at}\n")).collect()
}

#[test]
fn everything_fits_or_the_best_files_and_a_cut() {
    let texts = [lines(40), lines(3), lines(60)];
    let mut all = Texts::new(&texts, 1_000);
    assert!(matches!(choose(&mut all, 1_000), Ok(Chosen::All(weights)) if weights.len() == 3));
    let mut some = Texts::new(&texts, 300);
    let Ok(Chosen::Some(placed)) = choose(&mut some, 300) else {
        panic!("three files fit into 300 tokens");
    };
    let shown: Vec<_> = placed
        .iter()
        .map(|one| (one.file, one.part.is_some()))
        .collect();
    assert_eq!(shown, [(0, true), (1, false)]);
    assert!(tokens(&some.written(&placed, None)) <= 300);
    let small = choose(&mut Texts::new(&texts, 5), 5);
    assert!(matches!(small, Err(FitFailure::TooSmall { smallest }) if smallest > 5));
}

#[test]
fn a_file_too_large_for_one_part_goes_on_in_the_next() {
    let texts = [lines(3), lines(200), lines(4)];
    let mut files = Texts::new(&texts, 0);
    let parts = split(&mut files, Limit::Bytes(900)).unwrap();
    assert!(parts.len() > 2);
    let pieces: String = parts
        .iter()
        .flatten()
        .filter(|one| one.file == 1)
        .map(|one| files.text_of(one))
        .collect();
    assert_eq!(pieces, texts[1]);
    let too_small = split(&mut files, Limit::Bytes(20));
    assert!(matches!(too_small, Err(FitFailure::TooSmall { .. })));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn no_output_is_beyond_its_limit(
        texts in prop::collection::vec("([a-z ]{0,30}\n){0,30}", 0..8),
        budget in 150usize..1_500,
    ) {
        let mut files = Texts::new(&texts, budget);
        if let Ok(Chosen::Some(placed)) = choose(&mut files, budget) {
            prop_assert!(tokens(&files.written(&placed, None)) <= budget);
        }
        let limit = Limit::Tokens(budget);
        let parts = split(&mut files, limit).map_err(|_| TestCaseError::reject("too small"))?;
        let total = parts.len();
        let mut all = String::new();
        for (at, part) in parts.iter().enumerate() {
            let number = Part { number: at + 1, total };
            prop_assert!(tokens(&files.written(part, Some(number))) <= budget);
            all.extend(part.iter().map(|one| files.text_of(one)));
        }
        prop_assert_eq!(all, texts.concat());
    }
}
