//! Whole private keys: PEM, OpenSSH and PGP blocks with any prefix on each line, on one line with
//! `\n`, or truncated; PuTTY's files.

use std::ops::Range;

use memchr::memmem;

use crate::checks;
use crate::finding::Vote;

/// Maximum length of a block.
const LONGEST: usize = 32 << 10;

/// Minimum number of base64 characters in a key: a key of 256 bits has 43 without its header.
const LEAST: usize = 40;

pub(crate) fn find(bytes: &[u8], votes: &mut Vec<Vote>) {
    // A block ends before the next one, so that no byte is read twice.
    let mut begins = memmem::find_iter(bytes, b"-----BEGIN ").peekable();
    while let Some(begin) = begins.next() {
        let next = begins.peek().copied().unwrap_or(bytes.len());
        votes.extend(block_at(&bytes[..next], begin));
    }
    let mut done = 0;
    for begin in memmem::find_iter(bytes, b"LS0tLS1CRUdJTi") {
        if begin >= done {
            done = begin + wrapped_length(&bytes[begin..bytes.len().min(begin + LONGEST)]);
            votes.extend(encoded(&bytes[begin..done], begin));
        }
    }
    for begin in memmem::find_iter(bytes, b"Private-Lines: ") {
        votes.extend(putty_at(bytes, begin));
    }
    for begin in memmem::find_iter(bytes, MAC) {
        votes.extend(putty_code_at(bytes, begin));
    }
}

/// Returns the start of an unfinished key block at the end of a text, if any.
pub(crate) fn open_block(bytes: &[u8]) -> Option<usize> {
    let block = memmem::rfind(bytes, b"-----BEGIN ").filter(|begin| {
        let rest = &bytes[*begin..];
        let end = memmem::find(rest, b"-----END ");
        let closed = end.and_then(|at| memmem::find(&rest[at + 9..], b"-----"));
        closed.is_none() && rest.len() < LONGEST
    });
    let far = bytes.len().saturating_sub(LONGEST);
    let mut putty = memmem::find_iter(&bytes[far..], b"Private-Lines: ").map(|at| far + at);
    let putty = putty.find(|begin| {
        let rest = &bytes[*begin..];
        let lines = memchr::memchr_iter(b'\n', rest).count();
        putty_lines(rest).is_none_or(|wanted| lines <= wanted)
    });
    match (block, putty) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

/// Returns the number of key lines that a PuTTY file announces; `None` if it is not there yet.
fn putty_lines(rest: &[u8]) -> Option<usize> {
    let line = &rest[..memchr::memchr(b'\n', rest)?];
    std::str::from_utf8(line.get(15..)?)
        .ok()?
        .trim()
        .parse()
        .ok()
}

fn block_at(bytes: &[u8], begin: usize) -> Option<Vote> {
    let rest = &bytes[begin..bytes.len().min(begin + LONGEST)];
    let label = &rest[11..];
    let label_end = memmem::find(&label[..label.len().min(60)], b"-----")?;
    let label = &label[..label_end];
    // A pattern for labels is not a label.
    let is_part = |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b' ';
    let is_private = memmem::find(label, b"PRIVATE KEY").is_some() && label.iter().all(is_part);
    if !is_private && !label.starts_with(b"OpenVPN Static key") {
        return None;
    }
    let body = 11 + label_end + 5;
    let end = memmem::find(&rest[body..], b"-----END ").map(|at| body + at);
    let (body_end, block_end, reason) = match end {
        Some(at) => {
            let tail = &rest[at + 9..];
            let close = memmem::find(&tail[..tail.len().min(60)], b"-----");
            (
                at,
                at + 9 + close.map_or(0, |close| close + 5),
                "a private key block",
            )
        }
        None => {
            let end = open_end(&rest[body..]) + body;
            (end, end, "a private key block without its end")
        }
    };
    // Braces mean code or a placeholder.
    if memchr::memchr(b'{', &rest[body..body_end]).is_some() {
        return None;
    }
    let points = match letters_of_base64(&rest[body..body_end]) {
        count if count < LEAST => return None,
        count if count < 4 * LEAST && end.is_none() => 70,
        _ => 98,
    };
    Some(Vote {
        span: begin..begin + block_end,
        kind: "private-key",
        points,
        reason,
    })
}

/// Returns the length of a block without an end: up to the first line that cannot be part of it.
fn open_end(body: &[u8]) -> usize {
    let mut end = 0;
    for line in body.split_inclusive(|byte| *byte == b'\n') {
        let content = trimmed(line);
        let is_base64 = content
            .iter()
            .all(|byte| is_base64(*byte) || b"\\\"'+,; ".contains(byte));
        let is_header = content.contains(&b':');
        if !(is_base64 || is_header) {
            break;
        }
        end += line.len();
    }
    end
}

fn trimmed(line: &[u8]) -> &[u8] {
    let is_frame = |byte: &u8| byte.is_ascii_whitespace() || b"+-#>*|/\"'\\,;".contains(byte);
    let start = line
        .iter()
        .position(|byte| !is_frame(byte))
        .unwrap_or(line.len());
    line[start..].trim_ascii_end()
}

fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}

/// Counts the characters in runs of at least sixteen.
fn letters_of_base64(body: &[u8]) -> usize {
    let runs = body.split(|byte| !is_base64(*byte));
    let long = runs.map(<[u8]>::len).filter(|length| *length >= 16);
    // Dots and repeated letters are a key in documentation.
    let distinct = {
        let mut seen = [false; 256];
        body.iter().for_each(|byte| seen[usize::from(*byte)] = true);
        seen.iter().filter(|seen| **seen).count()
    };
    match distinct < 12 {
        true => 0,
        false => long.sum(),
    }
}

/// Returns the length of wrapped base64 text, including newlines and the spaces after them.
fn wrapped_length(text: &[u8]) -> usize {
    let run = |from: usize| {
        text[from..]
            .iter()
            .take_while(|byte| is_base64(**byte))
            .count()
    };
    let mut end = run(0);
    loop {
        let blank = text[end..]
            .iter()
            .take_while(|byte| byte.is_ascii_whitespace());
        let (lines, blank) = blank.fold((0, 0), |(lines, blank), byte| {
            (lines + usize::from(*byte == b'\n'), blank + 1)
        });
        let more = run(end + blank);
        let ends_line = matches!(text.get(end + blank + more), None | Some(b'\n' | b'\r'));
        if lines != 1 || more == 0 || !ends_line {
            return end;
        }
        end += blank + more;
    }
}

/// Votes on a block in base64, as in Kubernetes and environment variables.
fn encoded(run: &[u8], begin: usize) -> Option<Vote> {
    let line = run.split(u8::is_ascii_whitespace).next().unwrap_or(run);
    let head = checks::decode(&line[..line.len().min(76)])?;
    memmem::find(&head, b"PRIVATE KEY")?;
    (run.len() > 3 * LEAST).then_some(Vote {
        span: begin..begin + run.len(),
        kind: "private-key",
        points: 96,
        reason: "a private key block in base64",
    })
}

/// Minimum number of base64 characters in the private lines of a PuTTY key: the smallest keys have
/// 44.
const LEAST_LINES: usize = 32;

/// Votes on the authentication code of a PuTTY key, which depends on the private lines.
fn putty_code_at(bytes: &[u8], begin: usize) -> Option<Vote> {
    let start = begin + MAC.len();
    let digits = bytes[start..]
        .iter()
        .take_while(|byte| byte.is_ascii_hexdigit());
    let length = digits.count();
    (length >= LEAST_LINES).then_some(Vote {
        span: start..start + length,
        kind: "private-key",
        points: 70,
        reason: "the private lines of a PuTTY key",
    })
}

const MAC: &[u8] = b"Private-MAC: ";

fn putty_at(bytes: &[u8], begin: usize) -> Option<Vote> {
    let rest = &bytes[begin..bytes.len().min(begin + LONGEST)];
    let mut lines = rest.split_inclusive(|byte| *byte == b'\n');
    let first = lines.next()?;
    let count = putty_lines(rest)?;
    let body: Range<usize> =
        first.len()..first.len() + lines.take(count).map(<[u8]>::len).sum::<usize>();
    if letters_of_base64(&rest[body.clone()]) < LEAST_LINES {
        return None;
    }
    let end = begin + body.start + rest[body.clone()].trim_ascii_end().len();
    Some(Vote {
        span: begin + body.start..end,
        kind: "private-key",
        points: 98,
        reason: "the private lines of a PuTTY key",
    })
}
