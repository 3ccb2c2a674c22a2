//! Kubernetes secrets: every value below `data` and `stringData` of a document with `kind: Secret`,
//! independent of name and form.

use std::ops::Range;

use memchr::memmem;

use crate::finding::Vote;
use crate::names;
use crate::place::{Purpose, Syntax, TextContext};
use crate::stand_ins;
use crate::vocabulary::is_vocabulary;

pub(crate) fn find(bytes: &[u8], place: TextContext, votes: &mut Vec<Vote>) {
    match place.syntax {
        Syntax::Settings if memmem::find(bytes, b"kind: Secret").is_some() => {
            for document in documents(bytes) {
                yaml(bytes, document, place, votes);
            }
        }
        Syntax::Code if memmem::find(bytes, b"\"Secret\"").is_some() => json(bytes, place, votes),
        _ => {}
    }
}

/// Splits a file into its YAML documents, separated by `---` lines.
fn documents(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut documents = Vec::new();
    let mut start = 0;
    for at in memmem::find_iter(bytes, b"\n---") {
        documents.push(start..at + 1);
        start = at + 4;
    }
    documents.push(start..bytes.len());
    documents
}

fn yaml(bytes: &[u8], document: Range<usize>, place: TextContext, votes: &mut Vec<Vote>) {
    let text = &bytes[document.clone()];
    let is_kind = |line: &[u8]| line.trim_ascii() == b"kind: Secret";
    if !text.split(|byte| *byte == b'\n').any(is_kind) {
        return;
    }
    let mut at = document.start;
    // Indentation of the current block's name.
    let mut block: Option<usize> = None;
    // Indentation of its names; deeper lines are a multi-line text.
    let mut text_at: Option<usize> = None;
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let start = at;
        at += line.len();
        let body = line.trim_ascii_end();
        let depth = body.iter().take_while(|byte| **byte == b' ').count();
        let body = &body[depth..];
        if body.is_empty() || body.starts_with(b"#") {
            continue;
        }
        if block.is_some_and(|deep| depth <= deep) {
            block = None;
        }
        if block.is_some() {
            let span = value_of_line(body);
            // A file in the secret, such as a kubeconfig, contains more than secrets.
            let is_within = *text_at.get_or_insert(depth) < depth;
            if is_within && span.start > 0 && is_plain_member(body, &span) {
                continue;
            }
            votes.extend(vote(
                bytes,
                start + depth + span.start..start + depth + span.end,
                place,
            ));
        } else if matches!(body, b"data:" | b"stringData:") {
            block = Some(depth);
            text_at = None;
        }
    }
}

/// Matches `apiVersion: v1`: a name that promises nothing, with plain words.
fn is_plain_member(body: &[u8], value: &Range<usize>) -> bool {
    let name = &body[..memchr::memchr(b':', body).unwrap_or(0)];
    let name = name.strip_prefix(b"- ").unwrap_or(name);
    let found = &body[value.clone()];
    names::promise(name).is_none() && (found.len() < 3 || is_vocabulary(found))
}

/// Returns the value of `name: value` or `- name: value`, or the whole line of a text.
fn value_of_line(body: &[u8]) -> Range<usize> {
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.-\"'".contains(byte);
    // A kubeconfig has lists: `- cluster:` is a name without a value.
    let item = match body.starts_with(b"- ") {
        true => 2,
        false => 0,
    };
    let name = body[item..].iter().take_while(|byte| is_name(byte)).count();
    let mut start = match body[item + name..].starts_with(b":") && name > 0 {
        true => item + name + 1,
        false => item,
    };
    start += body[start..]
        .iter()
        .take_while(|byte| **byte == b' ')
        .count();
    let mut end = body.len();
    if end > start + 1 && matches!(body[start], b'"' | b'\'') && body[end - 1] == body[start] {
        start += 1;
        end -= 1;
    }
    start..end
}

/// Votes on `"kind": "Secret"` with `"data": {"name": "value"}`.
fn json(bytes: &[u8], place: TextContext, votes: &mut Vec<Vote>) {
    let is_kind = |at: usize| {
        let before = bytes[at.saturating_sub(24)..at].trim_ascii_end();
        before
            .strip_suffix(b":")
            .is_some_and(|before| before.trim_ascii_end().ends_with(b"\"kind\""))
    };
    if !memmem::find_iter(bytes, b"\"Secret\"").any(is_kind) {
        return;
    }
    for name in [&b"\"data\""[..], b"\"stringData\""] {
        for at in memmem::find_iter(bytes, name) {
            let from = at + name.len();
            let rest = &bytes[from..];
            let skipped = rest
                .iter()
                .take(16)
                .take_while(|byte| byte.is_ascii_whitespace() || **byte == b':');
            let open = from + skipped.count();
            if bytes.get(open) == Some(&b'{') {
                members(bytes, open + 1, place, votes);
            }
        }
    }
}

/// Votes on the values of the strings from `at` to the end of the object.
fn members(bytes: &[u8], mut at: usize, place: TextContext, votes: &mut Vec<Vote>) {
    let mut is_value = false;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => {
                let Some(span) = crate::assigned::string_at(bytes, at) else {
                    return;
                };
                at = span.end + 1;
                if is_value {
                    votes.extend(vote(bytes, span, place));
                }
            }
            b':' => is_value = true,
            b',' => is_value = false,
            b'}' | b'{' | b'[' => return,
            _ => {}
        }
        at += usize::from(*byte != b'"');
    }
}

fn vote(bytes: &[u8], span: Range<usize>, place: TextContext) -> Option<Vote> {
    let found = &bytes[span.clone()];
    let is_sign = matches!(
        found,
        b"|" | b"|-" | b"|+" | b">" | b">-" | b">+" | b"{}" | b"\"\""
    );
    // Base64 of a certificate, which is public.
    let is_public = found.starts_with(b"LS0tLS1CRUdJTiBDRVJU");
    if is_public || found.len() < 2 || is_sign || stand_ins::is_reference(found) {
        return None;
    }
    let points = match place.purpose {
        Purpose::Plain | Purpose::Keeper | Purpose::Strings => 74,
        _ => 56,
    };
    Some(Vote {
        span,
        kind: "kubernetes-secret",
        points,
        reason: "the value of a Kubernetes secret",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(path: &str, text: &str, expected: &[&str]) {
        let mut votes = Vec::new();
        find(text.as_bytes(), TextContext::new(path), &mut votes);
        let found: Vec<_> = votes.into_iter().map(|vote| &text[vote.span]).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn data_of_secrets() {
        check(
            "a.yaml",
            "kind: ConfigMap\ndata:\n  a: b1\n---\nkind: Secret\nmetadata:\n  name: x\ndata:\n  \
             a: \"YWJj\"\n  t: |\n    line one\ntype: Opaque\n",
            &["YWJj", "line one"],
        );
        check(
            "a.yaml",
            "kind: Secret\nstringData:\n  value: |\n    apiVersion: v1\n    kind: Config\n    \
             password: moonlight\n",
            &["moonlight"],
        );
        check(
            "a.yaml",
            "kind: Secret\nstringData:\n  kubeconfig: |-\n    clusters:\n    - cluster:\n        \
             server: https\n    users:\n    - name: v1\n      token: moonlight\n    - lone7value\n",
            &["moonlight", "lone7value"],
        );
        check("a.yaml", "kind: Secret\ndata:\n  a: {{ .Values.a }}\n", &[]);
        check(
            "a.json",
            "{\"kind\": \"Secret\", \"data\": {\"a\": \"YWJj\", \"b\": \"eHl6\"}, \"c\": \"d\"}",
            &["YWJj", "eHl6"],
        );
    }
}
