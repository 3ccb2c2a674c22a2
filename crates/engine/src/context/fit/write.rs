//! Writes the selected parts: joins neighbours, and counts the final text.

use std::collections::BTreeMap;
use std::sync::Arc;

use loom_base::RepoPath;

use super::super::reasons::Reason;
use super::choose::{Choice, Fitting};
use super::{DisplayText, Draft, Piece, Rest};
use crate::{FileMeta, Note, Overview, Section, SectionKind, describe};

/// A shorter gap between two selected parts is shown, too, because a separate frame needs more
/// tokens.
const GAP: u32 = 3;
/// Title of the summaries.
const TITLE: &str = "what else there is, with lines";

impl Fitting<'_> {
    /// Joins neighbours, and sorts pieces by the rank of their files.
    fn pieces(&self, choices: &[Choice]) -> Vec<Piece> {
        let mut by_file: BTreeMap<u32, Vec<(u32, u32, u32)>> = BTreeMap::new();
        for choice in choices {
            let file = self.corpus.parts[choice.part as usize].file;
            let lines = self
                .lines(*choice)
                .into_iter()
                .filter(|(first, last)| first <= last);
            let lines = lines.map(|(first, last)| (first, last, choice.part));
            by_file.entry(file).or_default().extend(lines);
        }
        let mut files: Vec<(u32, Vec<_>)> = by_file.into_iter().collect();
        files.sort_by_key(|(file, _)| (self.ranks[*file as usize], *file));
        let mut pieces: Vec<Piece> = Vec::new();
        for (file, mut ranges) in files {
            ranges.sort_unstable();
            let start = pieces.len();
            for (first, last, number) in ranges {
                let score = self.ranked[number as usize].map_or(0.0, |one| one.score);
                match pieces[start..].last_mut() {
                    Some(before) if first <= before.last + 1 + GAP => {
                        before.last = before.last.max(last);
                        before.score = before.score.max(score);
                        before.parts.push(number);
                    }
                    _ => pieces.push(Piece {
                        file,
                        path: self.corpus.files[file as usize].path.clone(),
                        first,
                        last,
                        tokens: 0,
                        score,
                        parts: vec![number],
                        reasons: Vec::new(),
                    }),
                }
            }
        }
        pieces
    }

    /// Returns the metadata of a piece.
    fn meta(&self, piece: &Piece, shown: &DisplayText) -> FileMeta {
        let text = shown.lines(piece.first..=piece.last);
        let mut meta = describe(
            self.shown_path(&piece.path),
            text,
            shown.hash,
            self.options.tokenizer,
        );
        meta.language = self.corpus.files[piece.file as usize].language;
        meta.first_line = piece.first as usize;
        let total = shown.starts.len();
        if piece.first > 1 || (piece.last as usize) < total {
            meta.notes.push(Note::Lines {
                first: piece.first as usize,
                last: (piece.last as usize).min(total),
                total,
            });
        }
        if self.options.tells_reasons {
            let reasons = piece.reasons.iter().map(|reason| reason.name);
            meta.notes.push(Note::chosen(piece.score, reasons));
        }
        meta
    }

    /// Returns a path relative to the directory of the query.
    fn shown_path(&self, path: &RepoPath) -> RepoPath {
        let below = path.as_bytes().strip_prefix(self.options.below.as_bytes());
        let below = below.and_then(|below| RepoPath::new(below).ok());
        below.unwrap_or_else(|| path.clone())
    }

    /// Returns the reasons for a piece.
    fn reasons(&self, piece: &Piece) -> Vec<Reason> {
        let ranked = piece.parts.iter();
        let ranked = ranked.filter_map(|part| self.ranked[*part as usize]);
        let best = ranked.max_by(|a, b| a.score.total_cmp(&b.score));
        let file = self.selection.files.get(self.ranks[piece.file as usize]);
        let mut reasons = Reason::of_piece(best, file);
        if piece
            .parts
            .iter()
            .any(|part| self.options.required.contains(part))
        {
            reasons.insert(0, Reason::PINNED);
        }
        reasons
    }

    /// Estimates the tokens of choices as written. Counts each piece's header separately, and
    /// caches it.
    pub(super) fn estimated(&mut self, choices: &[Choice]) -> usize {
        let renderer = self.options.format.renderer();
        let tokenizer = self.options.tokenizer;
        let mut tokens = tokenizer.count(&self.head(&[], &[])).upper();
        for mut piece in self.pieces(choices) {
            let key = (piece.file, piece.first, piece.last);
            if let Some(known) = self.written.get(&key) {
                tokens += known;
                continue;
            }
            let Some(shown) = (self.texts)(piece.file) else {
                continue;
            };
            piece.reasons = self.reasons(&piece);
            let meta = self.meta(&piece, &shown);
            let mut text = String::new();
            let lines = shown.lines(piece.first..=piece.last);
            renderer.file(&meta, lines, 1).push_to(&mut text);
            let count = tokenizer.count(&text).upper();
            self.written.insert(key, count);
            tokens += count;
        }
        tokens
    }

    /// Writes the choices, and `rest` in a section.
    pub(super) fn write(&self, choices: &[Choice], rest: &[Rest]) -> Draft {
        let mut pieces = self.pieces(choices);
        let mut metas: Vec<(FileMeta, Arc<DisplayText>)> = Vec::new();
        pieces.retain_mut(|piece| {
            let Some(shown) = (self.texts)(piece.file) else {
                return false;
            };
            piece.reasons = self.reasons(piece);
            let meta = self.meta(piece, &shown);
            piece.tokens = meta.upper;
            metas.push((meta, shown));
            true
        });
        let only: Vec<FileMeta> = metas.iter().map(|(meta, _)| meta.clone()).collect();
        let mut text = self.head(&only, rest);
        let renderer = self.options.format.renderer();
        for (at, (piece, (meta, shown))) in pieces.iter().zip(&metas).enumerate() {
            let lines = shown.lines(piece.first..=piece.last);
            renderer.file(meta, lines, at).push_to(&mut text);
        }
        renderer.tail(&mut text);
        let tokens = self.options.tokenizer.count(&text).upper();
        Draft {
            pieces,
            rest: rest.to_vec(),
            text,
            tokens,
        }
    }

    pub(super) fn head(&self, files: &[FileMeta], rest: &[Rest]) -> String {
        let mut overview = Overview::new(
            &self.options.name,
            self.options.tokenizer,
            files,
            Vec::new(),
        );
        // Several pieces can belong to one file.
        let paths: BTreeMap<_, _> = files.iter().map(|file| (&file.path, file)).collect();
        overview.files = paths.len();
        for share in &mut overview.languages {
            let is_of = |file: &&&FileMeta| file.language_name() == share.name;
            share.files = paths.values().filter(is_of).count();
        }
        overview.tells_choice = self.options.tells_reasons;
        overview.remark = self.selection.remark();
        if !rest.is_empty() {
            let text: String = rest.iter().map(|one| one.line.as_str()).collect();
            let section = Section::new(SectionKind::Summary, TITLE, None, text);
            overview.sections.push(section);
        }
        let mut head = String::new();
        self.options.format.renderer().head(&overview, &mut head);
        head
    }
}
