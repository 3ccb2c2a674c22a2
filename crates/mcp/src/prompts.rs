//! Prompts: ways to begin that work well with the tools.

use rmcp::model::{GetPromptResult, Prompt, PromptArgument, PromptMessage, Role};

use crate::arguments::Arguments;
use crate::wrong::Wrong;

struct Known {
    name: &'static str,
    about: &'static str,
    argument: (&'static str, &'static str),
    /// How it begins; `{}` is what was said.
    begins: &'static str,
    /// How it begins where nothing was said.
    asks: &'static str,
    text: &'static str,
}

const ALL: &[Known] = &[
    Known {
        name: "explore",
        about: "Get to know the repository",
        argument: ("topic", "What you want to understand; all of it when empty"),
        begins: "Get to know this repository: {}.",
        asks: "Get to know this repository.",
        text: "Call `map` first. Then `read` the two or three files that matter most, \
               with compress `aggressive`. Then tell what it does, its main parts and how they work together, with paths and lines.",
    },
    Known {
        name: "review",
        about: "Review what changed",
        argument: ("changes", "A diff, or what was changed"),
        begins: "Review these changes: {}.",
        asks: "Review changes. First ask which: a diff, or what was changed.",
        text: "For each changed function call `navigate` with `refs` and `callers` to see who \
               depends on it, and `read` the nearest tests. Report only defects that you can show with a path and a line.",
    },
    Known {
        name: "debug",
        about: "Find the cause of a failure",
        argument: (
            "failure",
            "The error message, stack trace or what goes wrong",
        ),
        begins: "Find the cause of this failure: {}.",
        asks: "Find the cause of a failure. First ask which: the error message, stack trace or what goes wrong.",
        text: "Call `search` with its most particular words, `navigate` from the names \
               in it to their definitions and callers, and `read` those. Name the line that is wrong and why.",
    },
];

pub(crate) fn list() -> Vec<Prompt> {
    let one = |known: &Known| {
        let (name, about) = known.argument;
        let argument = PromptArgument::new(name).with_description(about);
        Prompt::new(known.name, Some(known.about), Some(vec![argument]))
    };
    ALL.iter().map(one).collect()
}

pub(crate) fn get(name: &str, arguments: &Arguments) -> Result<GetPromptResult, Wrong> {
    let known = ALL.iter().find(|known| known.name == name);
    let known = known.ok_or_else(|| Wrong(format!("there is no prompt `{name}`")))?;
    let given = arguments.text(known.argument.0)?.map(str::trim);
    let begins = match given.filter(|given| !given.is_empty()) {
        Some(given) => known.begins.replacen("{}", given, 1),
        None => known.asks.to_owned(),
    };
    let text = format!("{begins} {}", known.text);
    let message = PromptMessage::new_text(Role::User, text);
    Ok(GetPromptResult::new(vec![message]).with_description(known.about))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn text(name: &str, arguments: &serde_json::Value) -> String {
        let arguments = Arguments(arguments.as_object().unwrap().clone());
        let told = serde_json::to_value(get(name, &arguments).unwrap()).unwrap();
        told["messages"][0]["content"]["text"]
            .as_str()
            .unwrap()
            .to_owned()
    }

    #[test]
    fn what_is_not_said_is_asked_for() {
        for known in ALL {
            let (name, _) = known.argument;
            let said = text(known.name, &json!({name: "the {} shop"}));
            assert!(said.contains(": the {} shop. "), "{said}");
            for nothing in [json!({}), json!({name: "  "}), json!({name: null})] {
                let said = text(known.name, &nothing);
                assert!(!said.contains('{') && !said.contains(": ."), "{said}");
                assert!(
                    known.name == "explore" || said.contains("First ask"),
                    "{said}"
                );
            }
        }
        assert!(get("other", &Arguments(serde_json::Map::new())).is_err());
    }
}
