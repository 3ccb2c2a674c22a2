//! The id of a request that cannot be read as a whole: too large, or broken somewhere.
//! Whoever sent it waits for an answer with that id.

/// Longer ids are nobody's.
const LONGEST: usize = 256;

/// An id that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FoundId {
    /// A number.
    Number(i64),
    /// A text.
    Text(String),
}

/// Finds the `id` at the top of a JSON object in bytes that come in parts.
#[derive(Debug, Default)]
pub(crate) struct IdFinder {
    depth: usize,
    /// What is being read at the top: a text or something without quotes.
    word: Vec<u8>,
    is_text: bool,
    is_escaped: bool,
    /// Whether what is read stands behind a colon.
    is_value: bool,
    /// Whether the last key was `id`.
    is_id: bool,
    found: Option<FoundId>,
}

impl IdFinder {
    /// The next bytes.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.byte(*byte));
    }

    /// What was found until now.
    pub(crate) fn id(mut self) -> Option<FoundId> {
        if !self.is_text {
            self.end();
        }
        self.found
    }

    fn byte(&mut self, byte: u8) {
        if self.is_text {
            return self.text(byte);
        }
        match byte {
            b'"' => {
                self.is_text = true;
                self.word.clear();
            }
            b'{' | b'[' => {
                self.depth += 1;
                self.is_value = false;
            }
            b'}' | b']' => {
                self.end();
                self.depth = self.depth.saturating_sub(1);
                self.is_value = false;
            }
            b':' if self.depth == 1 => {
                self.is_value = true;
                self.word.clear();
            }
            b',' if self.depth == 1 => self.end(),
            b' ' | b'\t' | b'\r' | b'\n' => {}
            other => self.keep(other),
        }
    }

    fn text(&mut self, byte: u8) {
        if byte == b'"' && !self.is_escaped {
            self.is_text = false;
            return self.end_of_text();
        }
        self.is_escaped = byte == b'\\' && !self.is_escaped;
        self.keep(byte);
    }

    fn keep(&mut self, byte: u8) {
        if self.depth == 1 && self.word.len() <= LONGEST {
            self.word.push(byte);
        }
    }

    fn end_of_text(&mut self) {
        if self.depth != 1 {
            return;
        }
        let quoted = [b"\"".as_slice(), &self.word, b"\""].concat();
        let text = serde_json::from_slice::<String>(&quoted).ok();
        let text = text.filter(|_| self.word.len() <= LONGEST);
        if !self.is_value {
            self.is_id = text.is_some_and(|text| text == "id");
        } else if self.is_id {
            self.found = text.map(FoundId::Text);
        }
        self.word.clear();
    }

    /// The end of a value at the top.
    fn end(&mut self) {
        if self.depth == 1 && self.is_value && self.is_id && !self.word.is_empty() {
            let number = std::str::from_utf8(&self.word).ok();
            let number = number.and_then(|number| number.parse().ok());
            self.found = number.map(FoundId::Number);
        }
        self.is_value = false;
        self.word.clear();
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    fn found(parts: &[&[u8]]) -> Option<Value> {
        let mut finder = IdFinder::default();
        parts.iter().for_each(|part| finder.push(part));
        finder.id().map(|id| match id {
            FoundId::Number(number) => json!(number),
            FoundId::Text(text) => json!(text),
        })
    }

    #[test]
    fn ids_are_found_in_what_is_broken() {
        let check = |text: &str, expected: Option<Value>| {
            assert_eq!(found(&[text.as_bytes()]), expected, "{text}");
        };
        check(r#"{"id":7,"method":"x"}"#, Some(json!(7)));
        check(
            r#"{"method":"x","params":{"id":1},"id" : -3 }"#,
            Some(json!(-3)),
        );
        check(r#"{"params":{"a":"\"}"},"id":"a\"b"}"#, Some(json!("a\"b")));
        check(r#"{"params":[[[[{"id":5}"#, None);
        // It breaks off behind the id.
        check(r#"{"jsonrpc":"2.0","id":7"#, Some(json!(7)));
        check(r#"{"jsonrpc":"2.0","id":"seven""#, Some(json!("seven")));
        check(r#"{"jsonrpc":"2.0","id":"sev"#, None);
        check(r#"{"id":null}"#, None);
        check(r#"{"id":1.5}"#, None);
        check(r#"{"name":"id","x":4}"#, None);
        check(r#"{"\u0069d":4}"#, Some(json!(4)));
        check("hello", None);
        check("]]]}}}", None);
        let broken = [b"{\"id\":9,\"params\":\"\xff\xfe\"}".as_slice()];
        assert_eq!(found(&broken), Some(json!(9)));
    }

    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<i64>().prop_map(Value::from),
            ".{0,8}".prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 12, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::hash_map("id|.{0,3}", inner, 0..4)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn the_id_of_every_object_is_found(
            params in value(),
            id in prop_oneof![any::<i64>().prop_map(Value::from), ".{0,20}".prop_map(Value::from)],
            cut in any::<prop::sample::Index>(),
            is_first in any::<bool>(),
        ) {
            let text = match is_first {
                true => format!("{{\"id\":{id},\"params\":{params}}}"),
                false => format!("{{\"params\":{params}, \"id\" : {id}}}"),
            };
            let (head, tail) = text.as_bytes().split_at(cut.index(text.len()));
            prop_assert_eq!(found(&[head, tail]), Some(id));
        }

        #[test]
        fn any_bytes_do_no_harm(bytes in prop::collection::vec(any::<u8>(), 0..200), cut in 0usize..200) {
            let cut = cut.min(bytes.len());
            prop_assert_eq!(found(&[&bytes[..cut], &bytes[cut..]]), found(&[&bytes]));
        }
    }
}
