//! Prompts: ways to begin that work well with the tools.

use rmcp::model::{GetPromptResult, Prompt, PromptArgument, PromptMessage, Role};

use crate::arguments::{Arguments, Wrong};

struct Known {
    name: &'static str,
    about: &'static str,
    argument: (&'static str, &'static str),
    text: &'static str,
}

const ALL: &[Known] = &[
    Known {
        name: "explore",
        about: "Get to know the repository",
        argument: ("topic", "What you want to understand; all of it when empty"),
        text: "Get to know this repository: {}. Call `map` first. Then `read` the two or three files that matter most, \
               with compress `aggressive`. Then tell what it does, its main parts and how they work together, with paths and lines.",
    },
    Known {
        name: "review",
        about: "Review what changed",
        argument: ("changes", "A diff, or what was changed"),
        text: "Review these changes: {}. For each changed function call `navigate` with `refs` and `callers` to see who \
               depends on it, and `read` the nearest tests. Report only defects that you can show with a path and a line.",
    },
    Known {
        name: "debug",
        about: "Find the cause of a failure",
        argument: (
            "failure",
            "The error message, stack trace or what goes wrong",
        ),
        text: "Find the cause of this failure: {}. Call `search` with its most particular words, `navigate` from the names \
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
    let given = arguments.text(known.argument.0)?.unwrap_or("all of it");
    let text = known.text.replacen("{}", given, 1);
    let message = PromptMessage::new_text(Role::User, text);
    Ok(GetPromptResult::new(vec![message]).with_description(known.about))
}
