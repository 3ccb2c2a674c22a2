//! The reference page of all settings.

use crate::layer::{OWN_MODEL_KEYS, OWN_MODELS_DOC, RULE_TABLES};
use crate::setting::paragraphs;
use crate::{Flag, Group, Setting, Shape, all, of_group};

const HEAD: &str = "# Settings

Layers, each over the one before: what is built in, the user's `infiniloom.toml`,
the repository's `infiniloom.toml`, `INFINILOOM_*` variables, flags. A value
replaces the one below it; globs are added after those below. A variable with an
empty value counts as not set; an unknown one is a warning.

";

/// Renders all settings as a Markdown page: a table, then a section for each.
pub fn reference_markdown() -> String {
    let mut page = HEAD.to_owned();
    page.push_str("| key | default | flag |\n|---|---|---|\n");
    all().iter().for_each(|setting| row(&mut page, setting));
    Group::ALL
        .iter()
        .for_each(|&group| section(&mut page, group));
    rule_tables(&mut page);
    own_models(&mut page);
    page
}

/// Renders the tables of rules for some files.
fn rule_tables(page: &mut String) {
    for (name, doc, keys) in RULE_TABLES {
        page.push_str(&format!("\n## [[{name}]]\n\n{doc}\n\n"));
        page.push_str("| key | what |\n|---|---|\n");
        for (key, doc) in *keys {
            page.push_str(&format!("| `{key}` | {doc} |\n"));
        }
    }
}

/// Renders the models that a user describes, which are not a group.
fn own_models(page: &mut String) {
    page.push_str(&format!("\n## [[models]]\n\n{OWN_MODELS_DOC}\n\n"));
    page.push_str("Only the user's own file may have it; there is no flag and no variable.\n\n");
    page.push_str("| key | what | example |\n|---|---|---|\n");
    for (key, doc, example) in OWN_MODEL_KEYS {
        page.push_str(&format!("| `{key}` | {doc} | `{example}` |\n"));
    }
}

fn row(page: &mut String, setting: &Setting) {
    let key = setting.key;
    let anchor = key.replace('.', "");
    let flag = setting.flag.map(|flag| spelling(&flag));
    page.push_str(&format!(
        "| [`{key}`](#{anchor}) | {} | {} |\n",
        code(&default(setting)),
        code(&flag.unwrap_or_default()),
    ));
}

fn section(page: &mut String, group: Group) {
    page.push_str(&format!("\n## [{}]\n", group.name()));
    for paragraph in paragraphs(group.doc()) {
        page.push_str(&format!("\n{paragraph}\n"));
    }
    of_group(group).for_each(|setting| entry(page, setting));
}

fn entry(page: &mut String, setting: &Setting) {
    page.push_str(&format!("\n### {}\n", setting.key));
    for paragraph in paragraphs(setting.doc) {
        page.push_str(&format!("\n{paragraph}\n"));
    }
    page.push('\n');
    facts(page, setting);
    for choice in setting.shape.choices() {
        page.push_str(&format!("  - `{}`: {}\n", choice.name, choice.summary()));
    }
}

fn facts(page: &mut String, setting: &Setting) {
    let mut fact = |name: &str, value: &str| page.push_str(&format!("- {name}: {value}\n"));
    if let Some(flag) = setting.flag {
        fact("Flag", &flag_fact(&flag, setting.shape));
    }
    fact("Variable", &code(&setting.variable()));
    fact("Default", &code(&default(setting)));
    fact("A repository's file", setting.trust.rule());
    fact("Type", setting.shape.name());
}

fn flag_fact(flag: &Flag, shape: Shape) -> String {
    match shape {
        Shape::Switch => format!("`{}` (undone by `--{}`)", spelling(flag), flag.opposite()),
        _ => code(&spelling(flag)),
    }
}

fn spelling(flag: &Flag) -> String {
    let short = flag.short.map(|c| format!("-{c}, ")).unwrap_or_default();
    let value = match flag.value_name {
        "" => String::new(),
        name => format!(" {name}"),
    };
    format!("{short}--{}{value}", flag.long)
}

/// Returns the default in the syntax of a file; empty for none.
fn default(setting: &Setting) -> String {
    match setting.default().is_empty() {
        true => String::new(),
        false => setting.default_toml().to_string(),
    }
}

fn code(text: &str) -> String {
    match text {
        "" => "none".to_owned(),
        text => format!("`{text}`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_has_a_row_and_a_section() {
        let page = reference_markdown();
        for setting in all() {
            assert!(page.contains(&format!("| [`{}`](#", setting.key)));
            assert!(page.contains(&format!("\n### {}\n", setting.key)));
            assert!(page.contains(&setting.variable()));
        }
    }

    #[test]
    fn a_section_in_full() {
        let page = reference_markdown();
        let start = page.find("### ui.color").unwrap();
        let end = page.find("### ui.quiet").unwrap();
        assert_eq!(
            &page[start..end],
            "### ui.color\n\nWhen to use colours.\n\n\
             - Flag: `--color WHEN`\n\
             - Variable: `INFINILOOM_UI_COLOR`\n\
             - Default: `\"auto\"`\n\
             - A repository's file: may not set it\n\
             - Type: choice\n  \
               - `auto`: When standard error is a terminal and `NO_COLOR` is not set\n  \
               - `always`: Always\n  \
               - `never`: Never\n\n"
        );
    }
}
