//! Messages of a conversation: JSON lists and JSON lines as programs export them, and transcripts
//! with the speaker's name before each message.

use std::ops::Range;

use serde_json::Value;

use crate::json_spans::members;
use crate::line_starts::LineStarts;

/// Message of a conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Message {
    /// Byte range, including trailing white space before the next message.
    pub(crate) range: Range<usize>,
    /// Role of the speaker, if it is known.
    pub(crate) role: Option<String>,
}

/// Keys under which programs store messages.
const KEYS: &[&str] = &["messages", "chat_messages", "conversation", "conversations"];

/// Number of members that are checked to decide whether a list contains messages.
const SAMPLE: usize = 8;

/// Returns the messages of a JSON text or of JSON lines, if it is a conversation.
pub(crate) fn json(text: &str, lines: &LineStarts) -> Option<Vec<Message>> {
    let start = text.trim_start().chars().next()?;
    if start != '{' && start != '[' {
        return None;
    }
    of_lines(text, lines).or_else(|| of_lists(text))
}

/// Returns one message for each line, if most lines are messages or conversations.
fn of_lines(text: &str, lines: &LineStarts) -> Option<Vec<Message>> {
    let whole = lines.within(0..text.len());
    let filled = whole.filter(|line| !text[line.clone()].trim().is_empty());
    let filled: Vec<_> = filled.collect();
    let is_message = |line: &&Range<usize>| {
        let value: Option<Value> = serde_json::from_str(&text[(*line).clone()]).ok();
        value.is_some_and(|value| is_conversation(&value) || looks_like_message(&value))
    };
    let seen = filled.iter().take(SAMPLE);
    // If a single line contains a list, its members are the messages.
    let is_alone = filled.len() < 2 && of_lists(text).is_some();
    if filled.is_empty()
        || is_alone
        || seen.clone().filter(is_message).count() < seen.len().div_ceil(2)
    {
        return None;
    }
    let message = |range: Range<usize>| {
        let value: Option<Value> = serde_json::from_str(&text[range.clone()]).ok();
        let role = value.as_ref().and_then(role);
        Message { range, role }
    };
    Some(filled.into_iter().map(message).collect())
}

/// Returns the members of a list of messages.
fn of_lists(text: &str) -> Option<Vec<Message>> {
    let mut found = members(text, KEYS);
    let parse = |range: &Range<usize>| serde_json::from_str::<Value>(&text[range.clone()]).ok();
    if found.len() == 1 {
        // The list contains a single conversation.
        let inner = &found[0];
        let shifted = members(&text[inner.clone()], KEYS).into_iter();
        let shifted: Vec<_> = shifted
            .map(|range| inner.start + range.start..inner.start + range.end)
            .collect();
        if !shifted.is_empty() {
            found = shifted;
        }
    }
    let seen = found.iter().take(SAMPLE);
    let are_messages = |range: &Range<usize>| parse(range).is_some_and(|one| is_any(&one));
    if found.is_empty() || !seen.clone().all(are_messages) {
        return None;
    }
    let ends = found.iter().skip(1).map(|next| next.start);
    let last = found.last().map(|last| last.end);
    let ends: Vec<_> = ends.chain(last).collect();
    let message = |(range, end): (&Range<usize>, usize)| Message {
        range: range.start..behind_line(text, range.end, end),
        role: parse(range).as_ref().and_then(role),
    };
    Some(found.iter().zip(ends).map(message).collect())
}

fn is_any(value: &Value) -> bool {
    looks_like_message(value) || is_conversation(value)
}

/// Returns the position after the comma and the newline that follow a member, at most `end`.
fn behind_line(text: &str, at: usize, end: usize) -> usize {
    let between = text.get(at..end).unwrap_or_default();
    match between.find('\n') {
        Some(line_end) if between[..line_end].trim() == "," => at + line_end + 1,
        _ if between.trim() == "," => end,
        _ => at,
    }
}

fn is_conversation(value: &Value) -> bool {
    let lists = KEYS.iter().filter_map(|key| value.get(key)?.as_array());
    let mut firsts = lists.filter_map(|list| list.first());
    firsts.any(looks_like_message)
}

fn looks_like_message(value: &Value) -> bool {
    let has = |key: &&str| value.get(key).is_some();
    let says = ["content", "parts", "text", "value", "message", "tool_calls"];
    role(value).is_some() && says.iter().any(has)
}

/// Returns the role of the speaker, for the formats of OpenAI and Anthropic, their exports, and
/// programs that nest a message inside a record.
fn role(value: &Value) -> Option<String> {
    let plain = ["role", "sender", "from"].iter();
    let mut plain = plain.filter_map(|key| value.get(key)?.as_str());
    let inside = || {
        let keys = ["message", "author"].iter();
        let mut roles = keys.filter_map(|key| value.get(key)?.get("role")?.as_str());
        roles.next()
    };
    let role = plain.next().or_else(inside)?;
    Some(role.to_lowercase())
}

/// Names before the messages of people.
const PEOPLE: &[&str] = &["user", "human", "you", "me"];
const MODELS: &[&str] = &[
    "assistant",
    "ai",
    "bot",
    "claude",
    "chatgpt",
    "gpt",
    "gemini",
    "copilot",
    "model",
];
const OTHERS: &[&str] = &["system", "developer", "tool"];

/// Returns the messages of a transcript. A text is a transcript if a person and a model speak, from
/// the start of the text.
pub(crate) fn transcript(text: &str, lines: &LineStarts) -> Option<Vec<Message>> {
    let mut messages: Vec<Message> = Vec::new();
    for line in lines.within(0..text.len()) {
        match speaker(&text[line.clone()]) {
            Some(role) => messages.push(Message {
                range: line,
                role: Some(role),
            }),
            // Text before the first message has no speaker.
            None => {
                if let Some(last) = messages.last_mut() {
                    last.range.end = line.end;
                }
            }
        }
    }
    let first = messages.first()?;
    let speaks = |names: &[&str]| {
        let roles = messages.iter().filter_map(|message| message.role.as_ref());
        roles.filter(|role| names.contains(&role.as_str())).count()
    };
    let starts = text[..first.range.start].trim().is_empty();
    let (people, models) = (speaks(PEOPLE), speaks(MODELS));
    let is_early = lines.line_of(first.range.start) <= 20;
    let is_talk = people > 0 && models > 0 && is_early && (starts || people + models > 3);
    is_talk.then_some(messages)
}

/// Returns the role of the speaker whose message starts at a line: `User: …`, `**Assistant:** …`,
/// `## Human`.
fn speaker(line: &str) -> Option<String> {
    let bare = line.trim_start_matches(['#', '*', '_', '>', ' ']);
    let is_marked = bare.len() < line.len() && !line.starts_with(' ');
    let end = bare.find(|c: char| !c.is_alphanumeric())?;
    let word = bare[..end].to_lowercase();
    let known = [PEOPLE, MODELS, OTHERS].concat();
    if !known.contains(&word.as_str()) {
        return None;
    }
    let rest = bare[end..].trim_start_matches(['*', '_']);
    let is_heading = is_marked && rest.trim().is_empty();
    (rest.starts_with(':') || is_heading).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let lines = LineStarts::new(text);
        let found = json(text, &lines).or_else(|| transcript(text, &lines));
        let actual = found.unwrap_or_default().into_iter();
        let actual: Vec<_> = actual
            .map(|one| {
                let role = one.role.unwrap_or_default();
                format!("{role}|{}", &text[one.range])
            })
            .collect();
        assert_eq!(actual, expected);
    }

    #[test]
    fn json_lines_are_messages() {
        check(
            "{\"role\":\"user\",\"content\":\"a\"}\n\n{\"role\":\"assistant\",\"content\":[]}\n",
            &[
                "user|{\"role\":\"user\",\"content\":\"a\"}\n",
                "assistant|{\"role\":\"assistant\",\"content\":[]}\n",
            ],
        );
        check("{\"a\":1}\n{\"a\":2}\n", &[]);
        let one = "{\"role\":\"user\",\"content\":\"a\"}";
        check(one, &[&format!("user|{one}")]);
        check(
            &format!("{{\"messages\":[{one}]}}"),
            &[&format!("user|{one}")],
        );
        check(
            "{\"type\":\"user\",\"message\":{\"role\":\"user\"}}\n{\"messages\":[{\"role\":\"x\",\"content\":1}]}",
            &[
                "user|{\"type\":\"user\",\"message\":{\"role\":\"user\"}}\n",
                "|{\"messages\":[{\"role\":\"x\",\"content\":1}]}",
            ],
        );
    }

    #[test]
    fn json_lists_are_messages() {
        let one = "{\"role\": \"user\", \"content\": \"a [b], {\"}";
        let two = "{\"role\": \"assistant\", \"content\": \"c\"}";
        check(
            &format!("{{\"model\": \"m\", \"messages\": [\n  {one},\n  {two}\n]}}\n"),
            &[&format!("user|{one},\n"), &format!("assistant|{two}")],
        );
        check(
            &format!("[{one}, {two}]"),
            &[&format!("user|{one}, "), &format!("assistant|{two}")],
        );
        check("[{\"role\": \"admin\", \"id\": 1}]", &[]);
        check("[1, 2", &[]);
    }

    #[test]
    fn speakers_split_a_transcript() {
        check(
            "User: a\nb\n**Assistant:** c\n\n## Human\nd\n",
            &[
                "user|User: a\nb\n",
                "assistant|**Assistant:** c\n\n",
                "human|## Human\nd\n",
            ],
        );
        check("# Guide\n\nUser: a person\nSystem: a thing\n", &[]);
        check("A user: b\nAn assistant: c\n", &[]);
    }
}
