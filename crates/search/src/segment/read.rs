//! Reads a segment in place. It trusts nothing: for any bytes, the result is correct or
//! [`Damaged`].

use std::ops::Range;

use loom_base::ContentHash;

use super::build::{AS_BITS, AS_STEPS, MANY};
use super::bytes::{
    ALWAYS, CONTENT, ENTRY, HEAD, MAGIC, TERM, VERSION, check, take_varint, term_key, u32_at,
    u64_at,
};
use super::{BODY, COMMENTS, Counts, FIELDS, SYMBOLS};
use crate::gram::Gram;
use crate::plan::Plan;

/// The bytes are not a segment of this version, or were changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the index is damaged or of another version")]
pub struct Damaged;

/// A segment in borrowed or owned bytes.
#[derive(Debug)]
pub struct Segment<B> {
    bytes: B,
    contents: usize,
    grams: Range<usize>,
    terms: Range<usize>,
    lists: Range<usize>,
    text_bytes: u64,
    /// Contents that are a candidate of every query.
    always: Vec<usize>,
}

/// Occurrences of a term: contents with their counts.
pub(crate) type TermList = Vec<(u32, Counts)>;

/// Maximum number of grams of a long pattern that are looked up: more hardly exclude anything.
const LOOKED_UP: usize = 48;

impl<B: AsRef<[u8]>> Segment<B> {
    /// Opens a segment and checks its header and tables.
    ///
    /// # Errors
    /// If the bytes are not a segment, or are damaged.
    pub fn open(bytes: B) -> Result<Self, Damaged> {
        let data = bytes.as_ref();
        let is_ours = data.starts_with(MAGIC) && u32_at(data, 8) == Some(VERSION);
        let count = |at| u32_at(data, at).map(|count| count as usize);
        let length = |at| u64_at(data, at).and_then(|length| usize::try_from(length).ok());
        let layout = || {
            let contents = count(12)?;
            let grams = HEAD.checked_add(contents.checked_mul(CONTENT)?)?;
            let terms = grams.checked_add(count(16)?.checked_mul(ENTRY)?)?;
            let lists = terms.checked_add(count(20)?.checked_mul(TERM)?)?;
            let end = lists.checked_add(length(24)?)?;
            let is_whole = end == data.len();
            is_whole.then_some((contents, [grams, terms, lists, end]))
        };
        let (contents, [grams, terms, lists, end]) =
            is_ours.then(layout).flatten().ok_or(Damaged)?;
        let sum = check(check(0, &data[..HEAD - 8]), &data[HEAD..lists]);
        if u64_at(data, HEAD - 8) != Some(sum) {
            return Err(Damaged);
        }
        let text_bytes = u64_at(data, 32).ok_or(Damaged)?;
        let mut segment = Self {
            bytes,
            contents,
            grams: grams..terms,
            terms: terms..lists,
            lists: lists..end,
            text_bytes,
            always: Vec::new(),
        };
        segment.always = (0..contents).filter(|at| segment.is_always(*at)).collect();
        Ok(segment)
    }

    /// Returns the number of contents.
    pub fn len(&self) -> usize {
        self.contents
    }

    /// Returns true if the segment is empty.
    pub fn is_empty(&self) -> bool {
        self.contents == 0
    }

    /// Returns the size of the segment in bytes.
    pub fn size(&self) -> usize {
        self.data().len()
    }

    /// Returns the bytes of the indexed texts.
    pub fn text_bytes(&self) -> u64 {
        self.text_bytes
    }

    /// Returns the hash of a content.
    pub fn hash(&self, content: usize) -> Option<ContentHash> {
        let bytes = self.content(content)?.get(..32)?;
        bytes.try_into().ok().map(ContentHash::from_bytes)
    }

    /// Returns the word counts of a content in each field.
    pub(crate) fn word_counts(&self, content: usize) -> [u32; FIELDS] {
        let entry = self.content(content).unwrap_or_default();
        std::array::from_fn(|field| u32_at(entry, 40 + 4 * field).unwrap_or(0))
    }

    /// Returns the treatment of a content.
    pub fn seen_as(&self, content: usize) -> Option<u32> {
        u32_at(self.content(content)?, 40 + 4 * FIELDS)
    }

    /// Returns true if the content is a candidate of every query.
    pub fn is_always(&self, content: usize) -> bool {
        let flags = self.content(content).and_then(|entry| u32_at(entry, 32));
        flags.is_none_or(|flags| flags & ALWAYS != 0)
    }

    fn data(&self) -> &[u8] {
        self.bytes.as_ref()
    }

    fn content(&self, content: usize) -> Option<&[u8]> {
        let start = HEAD + content.checked_mul(CONTENT)?;
        (content < self.contents).then(|| &self.data()[start..start + CONTENT])
    }

    /// Returns a flag per content: true if it can match.
    pub(crate) fn candidates(&self, plan: &Plan) -> Result<Vec<bool>, Damaged> {
        let mut found = self.planned(plan)?;
        for content in &self.always {
            found[*content] = true;
        }
        Ok(found)
    }

    fn planned(&self, plan: &Plan) -> Result<Vec<bool>, Damaged> {
        match plan {
            Plan::All => Ok(vec![true; self.contents]),
            Plan::Grams(grams) => self.with_grams(grams.iter().copied()),
            Plan::And(parts) => {
                let mut found = vec![true; self.contents];
                for part in parts {
                    let also = self.planned(part)?;
                    found
                        .iter_mut()
                        .zip(also)
                        .for_each(|(one, also)| *one &= also);
                }
                Ok(found)
            }
            Plan::Or(parts) => {
                let mut found = vec![false; self.contents];
                for part in parts {
                    let also = self.planned(part)?;
                    found
                        .iter_mut()
                        .zip(also)
                        .for_each(|(one, also)| *one |= also);
                }
                Ok(found)
            }
        }
    }

    /// Returns the contents that have all grams, starting with the rarest gram.
    fn with_grams(&self, grams: impl Iterator<Item = Gram>) -> Result<Vec<bool>, Damaged> {
        let mut lists = Vec::new();
        for gram in grams {
            match self.gram_list(gram)? {
                Some(list) => lists.push((gram, list)),
                None => return Ok(vec![false; self.contents]),
            }
        }
        lists.sort_by_key(|(_, list)| list.len());
        let mut found: Option<Vec<bool>> = None;
        for (gram, list) in lists.into_iter().take(LOOKED_UP) {
            let also = self.contents_of(gram, list)?;
            found = Some(match found {
                None => also,
                Some(mut found) => {
                    found
                        .iter_mut()
                        .zip(also)
                        .for_each(|(one, also)| *one &= also);
                    found
                }
            });
            if found.as_ref().is_some_and(|found| !found.contains(&true)) {
                break;
            }
        }
        Ok(found.unwrap_or_else(|| vec![true; self.contents]))
    }

    /// Returns the list of a gram with its checksum. The lists of grams precede those of terms.
    fn gram_list(&self, gram: Gram) -> Result<Option<&[u8]>, Damaged> {
        let table = &self.data()[self.grams.clone()];
        let key = |at: usize| u32_at(table, at * ENTRY);
        let Some(at) = search(table.len() / ENTRY, |at| {
            key(at).map(|key| key.cmp(&gram.number()))
        }) else {
            return Ok(None);
        };
        let start = u32_at(table, at * ENTRY + 4);
        let first_term = || u32_at(&self.data()[self.terms.clone()], 8);
        let behind = u32_at(table, (at + 1) * ENTRY + 4).or_else(first_term);
        self.list(start, behind).map(Some)
    }

    /// Returns the list of a term with its checksum.
    fn term_list(&self, term: &str) -> Result<Option<&[u8]>, Damaged> {
        let (table, wanted) = (&self.data()[self.terms.clone()], term_key(term));
        let key = |at: usize| u64_at(table, at * TERM);
        let Some(at) = search(table.len() / TERM, |at| key(at).map(|key| key.cmp(&wanted))) else {
            return Ok(None);
        };
        let place = |at: usize| u32_at(table, at * TERM + 8);
        self.list(place(at), place(at + 1)).map(Some)
    }

    fn list(&self, start: Option<u32>, behind: Option<u32>) -> Result<&[u8], Damaged> {
        let lists = &self.data()[self.lists.clone()];
        let start = start.ok_or(Damaged)? as usize;
        let behind = behind.map_or(lists.len(), |behind| behind as usize);
        lists.get(start..behind).ok_or(Damaged)
    }

    fn contents_of(&self, gram: Gram, list: &[u8]) -> Result<Vec<bool>, Damaged> {
        let list = checked(list, u64::from(gram.number()))?;
        let (form, mut rest) = list.split_first().ok_or(Damaged)?;
        let mut found = vec![false; self.contents];
        match *form {
            AS_STEPS => {
                let mut next = 0_usize;
                while !rest.is_empty() {
                    let step = take_varint(&mut rest).ok_or(Damaged)? as usize;
                    let content = next.checked_add(step).ok_or(Damaged)?;
                    *found.get_mut(content).ok_or(Damaged)? = true;
                    next = content + 1;
                }
            }
            AS_BITS if rest.len() == self.contents.div_ceil(8) => {
                for (content, is_found) in found.iter_mut().enumerate() {
                    *is_found = rest[content / 8] & (1 << (content % 8)) != 0;
                }
            }
            _ => return Err(Damaged),
        }
        Ok(found)
    }

    /// Returns the occurrences of a term.
    pub(crate) fn term(&self, term: &str) -> Result<TermList, Damaged> {
        let Some(list) = self.term_list(term)? else {
            return Ok(Vec::new());
        };
        let mut rest = checked(list, 0)?;
        let (mut found, mut next) = (Vec::new(), 0_u32);
        while !rest.is_empty() {
            let step = take_varint(&mut rest).ok_or(Damaged)?;
            let content = next.checked_add(step).ok_or(Damaged)?;
            let (&counts, behind) = rest.split_first().ok_or(Damaged)?;
            rest = behind;
            if content as usize >= self.contents {
                return Err(Damaged);
            }
            let more = match counts >> 4 {
                MANY => take_varint(&mut rest).ok_or(Damaged)?,
                _ => 0,
            };
            let more = u16::try_from(more).unwrap_or(u16::MAX);
            let mut fields = [0; FIELDS];
            fields[BODY] = u16::from(counts >> 4).saturating_add(more);
            fields[SYMBOLS] = u16::from(counts >> 2 & 3);
            fields[COMMENTS] = u16::from(counts & 3);
            found.push((content, fields));
            next = content + 1;
        }
        Ok(found)
    }
}

/// Returns a flag per content that may define a symbol of this name; `None` if words cannot decide.
pub fn defining<B: AsRef<[u8]>>(segment: &Segment<B>, name: &str) -> Option<Vec<bool>> {
    let mut last = None;
    for identifier in crate::words::identifiers(name) {
        // The last term of an identifier is the whole identifier.
        crate::words::terms(identifier, |term| last = Some(term.to_owned()));
    }
    let is_one = crate::words::identifiers(name).count() == 1;
    let term = last.filter(|_| is_one && name.chars().all(|c| c == '_' || c.is_alphanumeric()))?;
    let mut flags = vec![false; segment.len()];
    for (content, counts) in segment.term(&term).ok()? {
        flags[content as usize] = counts[SYMBOLS] > 0;
    }
    Some(flags)
}

/// Verifies the checksum of a list and removes it.
fn checked(list: &[u8], seed: u64) -> Result<&[u8], Damaged> {
    let (sum, list) = list.split_at_checked(4).ok_or(Damaged)?;
    match sum == (check(seed, list) as u32).to_le_bytes() {
        true => Ok(list),
        false => Err(Damaged),
    }
}

/// Searches a sorted table for an entry.
fn search(count: usize, order: impl Fn(usize) -> Option<std::cmp::Ordering>) -> Option<usize> {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low + (high - low) / 2;
        match order(middle)? {
            std::cmp::Ordering::Less => low = middle + 1,
            std::cmp::Ordering::Greater => high = middle,
            std::cmp::Ordering::Equal => return Some(middle),
        }
    }
    None
}
