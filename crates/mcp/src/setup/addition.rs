//! An addition to a file of a client: it is put in, recognised, and removed again.

use loom_settings::{ForeignEntry, ForeignError, ForeignList, ForeignSyntax};
use serde_json::{Value, json};

use crate::clients::Client;

/// Lines around the text that the installation adds to instructions.
const BEGIN: &str = "<!-- infiniloom: begin -->";
const END: &str = "<!-- infiniloom: end -->";

/// Name of our skill, in the first lines of its file.
const SKILL: &str = "\nname: infiniloom\n";

/// An addition to a file of a client.
#[derive(Clone, Debug)]
pub enum Addition {
    /// The entry of the server.
    Server {
        /// The client.
        client: &'static Client,
        /// The program.
        command: String,
        /// Its arguments.
        args: Vec<String>,
    },
    /// A hook.
    Hook {
        /// Name of the event.
        event: &'static str,
        /// Item in the list of the event.
        item: Value,
    },
    /// The hash of a hook that the user of Codex trusts.
    Trust {
        /// Key of the hook: its file, event and position.
        hook: String,
        /// The hash.
        hash: String,
    },
    /// Lines for the model in a file of instructions.
    Lines(&'static str),
    /// A skill, which is a whole file.
    Skill(&'static str),
}

impl Addition {
    /// Returns true if the text has this addition, also in another version.
    pub(super) fn is_in(&self, text: &str) -> Result<bool, ForeignError> {
        match self {
            Self::Server { client, .. } => Ok(client.command_in(text)?.is_some()),
            Self::Hook { event, .. } => {
                let items = list(event, |list| list.get(text))?;
                Ok(items.iter().any(is_our_hook))
            }
            Self::Trust { hook, .. } => trust(hook, |entry| Ok(entry.get(text)?.is_some())),
            Self::Lines(_) => Ok(block(text).is_some()),
            Self::Skill(_) => Ok(text.contains(SKILL)),
        }
    }

    /// Returns the text with the addition.
    pub(super) fn put(&self, text: &str) -> Result<String, ForeignError> {
        match self {
            Self::Server {
                client,
                command,
                args,
            } => client.installed(text, command, args),
            Self::Hook { event, item } => list(event, |list| {
                let items = list.get(text)?;
                if items.contains(item) {
                    return Ok(text.to_owned());
                }
                // A hook of another version is replaced.
                let other = list.take(text, &is_our_hook, Some(text))?;
                list.add(&other, item)
            }),
            Self::Trust { hook, hash } => trust(hook, |entry| {
                entry.set(text, &[("trusted_hash", json!(hash))])
            }),
            Self::Lines(lines) => Ok(with_lines(text, lines)),
            Self::Skill(skill) => Ok((*skill).to_owned()),
        }
    }

    /// Returns the text without the addition. `before` is the text before it was put in.
    pub(super) fn take(&self, text: &str, before: Option<&str>) -> Result<String, ForeignError> {
        match self {
            Self::Server { client, .. } => client.uninstalled(text, before),
            Self::Hook { event, .. } => list(event, |list| list.take(text, &is_our_hook, before)),
            Self::Trust { hook, .. } => trust(hook, |entry| entry.take(text, before)),
            Self::Lines(lines) => Ok(match before {
                Some(before) if with_lines(before, lines) == text => before.to_owned(),
                _ => without_lines(text),
            }),
            Self::Skill(_) => Ok(match text.contains(SKILL) {
                true => String::new(),
                false => text.to_owned(),
            }),
        }
    }
}

fn list<T>(event: &str, work: impl FnOnce(&ForeignList<'_>) -> T) -> T {
    work(&ForeignList {
        path: &["hooks", event],
    })
}

fn trust<T>(hook: &str, work: impl FnOnce(&ForeignEntry<'_>) -> T) -> T {
    work(&ForeignEntry {
        syntax: ForeignSyntax::Toml,
        path: &["hooks", "state", hook],
    })
}

/// Returns true if an item of an event's list runs a hook of this program.
pub(super) fn is_our_hook(item: &Value) -> bool {
    let hooks = item["hooks"].as_array().into_iter().flatten();
    let mut commands = hooks.filter_map(|hook| hook["command"].as_str());
    commands.any(|command| {
        let (program, hook) = command.rsplit_once(" hook ").unwrap_or_default();
        let program = program.trim_matches(['"', '\'']).rsplit(['/', '\\']).next();
        program.is_some_and(|name| name.starts_with("infiniloom"))
            && !hook.contains(['&', '|', ';'])
    })
}

/// Returns the range of the marked lines, with the newline after them.
fn block(text: &str) -> Option<std::ops::Range<usize>> {
    let start = text.find(BEGIN)?;
    let end = start + text[start..].find(END)? + END.len();
    let rest = &text[end..];
    let newline = rest.len() - rest.trim_start_matches('\r').len();
    let newline = match rest[newline..].starts_with('\n') {
        true => newline + 1,
        false => 0,
    };
    Some(start..end + newline)
}

fn with_lines(text: &str, lines: &str) -> String {
    let range = block(text);
    let style = range.clone().map_or(text, |range| &text[range]);
    let newline = match style.contains("\r\n") {
        true => "\r\n",
        false => "\n",
    };
    let lines = [BEGIN].into_iter().chain(lines.lines()).chain([END]);
    let lines = lines.collect::<Vec<&str>>().join(newline) + newline;
    if let Some(range) = range {
        return format!("{}{lines}{}", &text[..range.start], &text[range.end..]);
    }
    let gap = match text {
        "" => String::new(),
        text if text.ends_with('\n') => newline.to_owned(),
        _ => newline.repeat(2),
    };
    format!("{text}{gap}{lines}")
}

fn without_lines(text: &str) -> String {
    let Some(range) = block(text) else {
        return text.to_owned();
    };
    let above = &text[..range.start];
    // The empty line above them is ours.
    let above = match above.strip_suffix('\n') {
        Some(rest) if rest.ends_with(['\n', '\r']) => rest.strip_suffix('\r').unwrap_or(rest),
        _ => above,
    };
    format!("{above}{}", &text[range.end..])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn marked_lines_are_replaced_and_removed() {
        let lines = Addition::Lines("Use it.");
        let old = "# Rules\r\nTabs.";
        let new = lines.put(old).unwrap();
        assert_eq!(
            new,
            "# Rules\r\nTabs.\r\n\r\n<!-- infiniloom: begin -->\r\nUse it.\r\n<!-- infiniloom: end -->\r\n"
        );
        assert_eq!(lines.take(&new, Some(old)).unwrap(), old);
        let later = Addition::Lines("Use it well.").put(&new).unwrap();
        assert_eq!(later, new.replace("Use it.", "Use it well."));
        let edited = new.replace("Tabs.", "Spaces.") + "More.\r\n";
        assert_eq!(
            lines.take(&edited, Some(old)).unwrap(),
            "# Rules\r\nSpaces.\r\nMore.\r\n"
        );
        assert_eq!(
            lines
                .take("<!-- infiniloom: begin -->", None)
                .unwrap()
                .len(),
            26
        );
    }

    #[test]
    fn our_hook_is_known_by_its_program() {
        let item = |command: &str| json!({"hooks": [{"type": "command", "command": command}]});
        for command in [
            "infiniloom hook start",
            "/usr/bin/infiniloom hook start --budget 900",
            "\"C:\\My Programs\\infiniloom.exe\" hook start",
        ] {
            assert!(is_our_hook(&item(command)), "{command}");
        }
        for command in [
            "notify hook start",
            "infiniloom pack .",
            "infiniloom hook start; rm -r x",
            "echo infiniloom/x hook start",
        ] {
            let is_ours = is_our_hook(&item(command));
            assert!(!is_ours, "{command}");
        }
        assert!(!is_our_hook(&json!("infiniloom hook start")));
    }

    proptest! {
        #[test]
        fn lines_come_back_byte_for_byte(old in "[a\n\r# é]{0,20}") {
            let lines = Addition::Lines("Use it.");
            let new = lines.put(&old).unwrap();
            prop_assert!(lines.is_in(&new).unwrap());
            prop_assert_eq!(&lines.put(&new).unwrap(), &new);
            prop_assert_eq!(lines.take(&new, Some(&old)).unwrap(), old);
            prop_assert!(!lines.is_in(&lines.take(&new, None).unwrap()).unwrap());
        }
    }
}
