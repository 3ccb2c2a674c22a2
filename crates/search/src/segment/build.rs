//! Builds a segment: contents are added one after the other, and written at once.

use std::collections::HashMap;
use std::ops::Range;

use loom_base::ContentHash;

use super::bytes::{ALWAYS, ENTRY, HEAD, MAGIC, TERM, VERSION, check, push_varint, term_key};
use super::{BODY, COMMENTS, Counts, FIELDS, SYMBOLS};
use crate::gram::Distinct;
use crate::words;

/// Contents to index.
#[derive(Clone, Copy, Debug)]
pub struct Contents<'a> {
    /// Their hash.
    pub hash: ContentHash,
    /// Their text, without secrets.
    pub text: &'a str,
    /// True if they are a candidate of every query, because their text was redacted.
    pub is_always: bool,
    /// Identifies the path-dependent treatment of the contents: the other values apply only to
    /// files with the same treatment.
    pub seen_as: u32,
    /// Names of the symbols they define.
    pub symbols: &'a [String],
    /// Byte ranges of the comments.
    pub comments: &'a [Range<usize>],
}

/// Collects contents for a segment.
#[derive(Debug, Default)]
pub struct SegmentBuilder {
    contents: Vec<Content>,
    /// Grams of all contents, one content after the other.
    grams: Vec<u32>,
    /// End of each content's grams.
    gram_ends: Vec<usize>,
    distinct: Distinct,
    /// Numbers of terms.
    terms: HashMap<String, u32>,
    /// Cache of the terms of identifiers.
    identifiers: HashMap<String, Vec<u32>>,
    /// Content numbers and counts, by term.
    lists: Vec<Vec<(u32, Counts)>>,
    bytes: usize,
}

#[derive(Debug)]
struct Content {
    hash: ContentHash,
    flags: u32,
    bytes: u32,
    words: [u32; FIELDS],
    seen_as: u32,
}

/// Maximum number of cached identifiers; a full cache is cleared, so that generated texts do not
/// fill the memory.
const REMEMBERED: usize = 1 << 18;

impl SegmentBuilder {
    /// Returns the number of contents.
    pub fn len(&self) -> usize {
        self.contents.len()
    }

    /// Returns true if the segment is empty.
    pub fn is_empty(&self) -> bool {
        self.contents.is_empty()
    }

    /// Returns the bytes of all texts.
    pub fn text_bytes(&self) -> usize {
        self.bytes
    }

    /// Adds contents.
    pub fn add(&mut self, contents: &Contents<'_>) {
        let number = self.contents.len() as u32;
        self.distinct.add(contents.text.as_bytes(), &mut self.grams);
        self.gram_ends.push(self.grams.len());
        let mut words = [0; FIELDS];
        words[BODY] = self.count(number, BODY, contents.text);
        for symbol in contents.symbols {
            words[SYMBOLS] += self.count(number, SYMBOLS, symbol);
        }
        for comment in contents.comments {
            if let Some(text) = contents.text.get(comment.clone()) {
                words[COMMENTS] += self.count(number, COMMENTS, text);
            }
        }
        self.bytes += contents.text.len();
        self.contents.push(Content {
            hash: contents.hash,
            flags: if contents.is_always { ALWAYS } else { 0 },
            bytes: u32::try_from(contents.text.len()).unwrap_or(u32::MAX),
            words,
            seen_as: contents.seen_as,
        });
    }

    /// Counts the words of `text` in a field. Returns their number.
    fn count(&mut self, number: u32, field: usize, text: &str) -> u32 {
        let mut count = 0;
        for identifier in words::identifiers(text) {
            if !self.identifiers.contains_key(identifier) {
                self.learn(identifier);
            }
            for term in &self.identifiers[identifier] {
                let list = &mut self.lists[*term as usize];
                match list.last_mut() {
                    Some((last, counts)) if *last == number => {
                        counts[field] = counts[field].saturating_add(1);
                    }
                    _ => {
                        let mut counts = [0; FIELDS];
                        counts[field] = 1;
                        list.push((number, counts));
                    }
                }
                count += 1;
            }
        }
        count
    }

    fn learn(&mut self, identifier: &str) {
        if self.identifiers.len() >= REMEMBERED {
            self.identifiers.clear();
        }
        let mut numbers = Vec::new();
        words::terms(identifier, |term| {
            let number = match self.terms.get(term) {
                Some(number) => *number,
                None => {
                    let number = self.lists.len() as u32;
                    self.terms.insert(term.to_owned(), number);
                    self.lists.push(Vec::new());
                    number
                }
            };
            numbers.push(number);
        });
        self.identifiers.insert(identifier.to_owned(), numbers);
    }

    /// Serialises the segment.
    pub fn finish(self) -> Vec<u8> {
        let mut lists = Vec::new();
        let grams = self.gram_table(&mut lists);
        let terms = self.term_table(&mut lists);
        let mut tables = Vec::new();
        for content in &self.contents {
            tables.extend_from_slice(content.hash.as_bytes());
            let first = [content.flags, content.bytes];
            let numbers = first.iter().chain(&content.words);
            for number in numbers.chain([&content.seen_as]) {
                tables.extend_from_slice(&number.to_le_bytes());
            }
        }
        let (gram_count, term_count) = (grams.len() / ENTRY, terms.len() / TERM);
        tables.extend_from_slice(&grams);
        tables.extend_from_slice(&terms);
        let mut bytes = Vec::with_capacity(HEAD + tables.len() + lists.len());
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        for count in [self.contents.len(), gram_count, term_count] {
            bytes.extend_from_slice(&(count as u32).to_le_bytes());
        }
        for length in [lists.len(), self.bytes] {
            bytes.extend_from_slice(&(length as u64).to_le_bytes());
        }
        let sum = check(check(0, &bytes), &tables);
        bytes.extend_from_slice(&sum.to_le_bytes());
        bytes.extend_from_slice(&tables);
        bytes.extend_from_slice(&lists);
        bytes
    }

    /// Uses counting instead of sorting, because contents come in order.
    fn gram_table(&self, lists: &mut Vec<u8>) -> Vec<u8> {
        let mut counts = vec![0_u32; 1 << 24];
        for gram in &self.grams {
            counts[*gram as usize] += 1;
        }
        let mut starts = Vec::new();
        let mut total = 0_usize;
        // From here on, each value is the position of the gram's next content.
        for (gram, count) in counts
            .iter_mut()
            .enumerate()
            .filter(|(_, count)| **count > 0)
        {
            starts.push((gram as u32, total));
            total += std::mem::replace(count, total as u32) as usize;
        }
        let mut contents = vec![0_u32; total];
        let mut start = 0;
        for (number, end) in self.gram_ends.iter().enumerate() {
            for gram in &self.grams[start..*end] {
                let place = &mut counts[*gram as usize];
                contents[*place as usize] = number as u32;
                *place += 1;
            }
            start = *end;
        }
        let mut table = Vec::with_capacity(starts.len() * ENTRY);
        for (at, (gram, start)) in starts.iter().enumerate() {
            let end = starts.get(at + 1).map_or(total, |next| next.1);
            table.extend_from_slice(&gram.to_le_bytes());
            table.extend_from_slice(&(lists.len() as u32).to_le_bytes());
            push_gram_list(lists, *gram, &contents[*start..end], self.contents.len());
        }
        table
    }

    fn term_table(&self, lists: &mut Vec<u8>) -> Vec<u8> {
        let keyed = |(term, number): (&String, &u32)| (term_key(term), *number);
        let mut ordered: Vec<(u64, u32)> = self.terms.iter().map(keyed).collect();
        ordered.sort_unstable();
        // Of two words with the same key the first one counts: the chance is one in billions.
        ordered.dedup_by_key(|(key, _)| *key);
        let mut table = Vec::with_capacity(ordered.len() * TERM);
        for (key, number) in ordered {
            table.extend_from_slice(&key.to_le_bytes());
            table.extend_from_slice(&(lists.len() as u32).to_le_bytes());
            push_term_list(lists, &self.lists[number as usize]);
        }
        table
    }
}

/// Encodings of the contents of a gram.
pub(super) const AS_STEPS: u8 = 0;
pub(super) const AS_BITS: u8 = 1;

fn push_gram_list(lists: &mut Vec<u8>, gram: u32, contents: &[u32], all: usize) {
    let start = begin(lists);
    lists.push(AS_STEPS);
    let mut next = 0;
    for content in contents {
        push_varint(lists, content - next);
        next = content + 1;
    }
    let bits = all.div_ceil(8);
    if lists.len() - start - 4 > bits + 1 {
        lists.truncate(start + 4);
        lists.push(AS_BITS);
        let first = lists.len();
        lists.resize(first + bits, 0);
        for content in contents {
            lists[first + *content as usize / 8] |= 1 << (content % 8);
        }
    }
    end(lists, start, u64::from(gram));
}

/// Largest count in the half byte of the body. Greater counts continue in a varint.
pub(super) const MANY: u8 = 15;

/// Writes the list of a term. The counts of most words fit into a byte: up to 14 in the body, and
/// up to 3 in other fields, in which higher counts add nothing.
fn push_term_list(lists: &mut Vec<u8>, contents: &[(u32, Counts)]) {
    let start = begin(lists);
    let mut next = 0;
    for (content, counts) in contents {
        push_varint(lists, content - next);
        next = content + 1;
        let up_to = |field: usize, most: u8| counts[field].min(u16::from(most)) as u8;
        lists.push(up_to(BODY, MANY) << 4 | up_to(SYMBOLS, 3) << 2 | up_to(COMMENTS, 3));
        if let Some(more) = counts[BODY].checked_sub(u16::from(MANY)) {
            push_varint(lists, u32::from(more));
        }
    }
    end(lists, start, 0);
}

fn begin(lists: &mut Vec<u8>) -> usize {
    let start = lists.len();
    lists.extend_from_slice(&[0; 4]);
    start
}

fn end(lists: &mut [u8], start: usize, seed: u64) {
    let sum = check(seed, &lists[start + 4..]) as u32;
    lists[start..start + 4].copy_from_slice(&sum.to_le_bytes());
}
