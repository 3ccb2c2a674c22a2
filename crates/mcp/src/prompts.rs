//! Prompts: ways to begin that work well with the tools.

use rmcp::model::{GetPromptResult, Prompt, PromptArgument, PromptMessage, Role};

use crate::arguments::Arguments;
use crate::tool_error::ToolError;

struct PromptTemplate {
    name: &'static str,
    about: &'static str,
    argument: (&'static str, &'static str),
    /// How it begins; `{}` is what was said.
    begins: &'static str,
    /// How it begins where nothing was said.
    asks: &'static str,
    text: &'static str,
}

const ALL: &[PromptTemplate] = &[
    PromptTemplate {
        name: "explore",
        about: "Get to know the repository",
        argument: ("topic", "What you want to understand; all of it when empty"),
        begins: "Get to know this repository: {}.",
        asks: "Get to know this repository.",
        text: "Call `map` first. Then `read` the two or three files that matter most, \
               with compress `aggressive`. Then tell what it does, its main parts and how they work together, with paths and lines.",
    },
    PromptTemplate {
        name: "review",
        about: "Review what changed",
        argument: ("changes", "A diff, or what was changed"),
        begins: "Review these changes: {}.",
        asks: "Review changes. First ask which: a diff, or what was changed.",
        text: "For each changed function call `navigate` with `refs` and `callers` to see who \
               depends on it, and `read` the nearest tests. Report only defects that you can show with a path and a line.",
    },
    PromptTemplate {
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
    let one = |template: &PromptTemplate| {
        let (name, about) = template.argument;
        let argument = PromptArgument::new(name).with_description(about);
        Prompt::new(template.name, Some(template.about), Some(vec![argument]))
    };
    ALL.iter().map(one).collect()
}

pub(crate) fn get(name: &str, arguments: &Arguments) -> Result<GetPromptResult, ToolError> {
    let template = ALL.iter().find(|template| template.name == name);
    let template = template.ok_or_else(|| ToolError(format!("there is no prompt `{name}`")))?;
    let given = arguments.text(template.argument.0)?.map(str::trim);
    let begins = match given.filter(|given| !given.is_empty()) {
        Some(given) => template.begins.replacen("{}", given, 1),
        None => template.asks.to_owned(),
    };
    let text = format!("{begins} {}", template.text);
    let message = PromptMessage::new_text(Role::User, text);
    Ok(GetPromptResult::new(vec![message]).with_description(template.about))
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
        for template in ALL {
            let (name, _) = template.argument;
            let said = text(template.name, &json!({name: "the {} shop"}));
            assert!(said.contains(": the {} shop. "), "{said}");
            for nothing in [json!({}), json!({name: "  "}), json!({name: null})] {
                let said = text(template.name, &nothing);
                assert!(!said.contains('{') && !said.contains(": ."), "{said}");
                assert!(
                    template.name == "explore" || said.contains("First ask"),
                    "{said}"
                );
            }
        }
        assert!(get("other", &Arguments(serde_json::Map::new())).is_err());
    }
}
