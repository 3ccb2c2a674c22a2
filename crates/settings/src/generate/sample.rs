//! The file that `infiniloom init` writes: every setting with its comment and default, commented
//! out, so that removing one `#` sets it.

use crate::layer::{OWN_MODEL_KEYS, OWN_MODELS_DOC, RULE_TABLES};
use crate::setting::paragraphs;
use crate::{FileTrust, Group, Setting, Trust, of_group};

/// Renders a new settings file. A repository's file shows only the settings that it may set.
///
/// Prose lines start with `# `, settings with `#` and no space.
pub fn commented_file(trust: FileTrust) -> String {
    let mut text = String::new();
    prose(&mut text, head(trust));
    for &group in Group::ALL {
        table(&mut text, group, trust);
    }
    rule_tables(&mut text);
    if trust == FileTrust::User {
        own_models(&mut text);
    }
    text
}

/// Renders rules for some files. Their lines are prose, because removing a `#` would create a rule.
fn rule_tables(text: &mut String) {
    for (name, doc, keys) in RULE_TABLES {
        text.push('\n');
        prose(text, doc);
        text.push_str(&format!("#\n# [[{name}]]\n"));
        for (key, doc) in *keys {
            prose(text, &format!("# {doc}"));
            let example = match *key {
                "match" => "tests/**",
                "level" => "aggressive",
                "pattern" => "**/*.csv",
                "action" => "transform",
                "transform" => "data_shape",
                _ => "tables",
            };
            text.push_str(&format!("# {key} = \"{example}\"\n"));
        }
    }
}

/// Renders a description of a model. Its lines are prose, because removing a `#` would create one.
fn own_models(text: &mut String) {
    text.push('\n');
    prose(text, OWN_MODELS_DOC);
    text.push_str("#\n# [[models]]\n");
    for (key, doc, example) in OWN_MODEL_KEYS {
        prose(text, &format!("# {doc}"));
        text.push_str(&format!("# {key} = {example}\n"));
    }
}

fn head(trust: FileTrust) -> &'static str {
    match trust {
        FileTrust::User => {
            "Your settings of Infiniloom. A repository's infiniloom.toml, \
             INFINILOOM_* variables and flags override them; only your rules, \
             [[compress]] and [[transform]], override those of a repository."
        }
        FileTrust::Repository => {
            "Settings of Infiniloom for this repository. They override each user's \
             own; INFINILOOM_* variables and flags override them. The rules, \
             [[compress]] and [[transform]], do not: a user's own rules override them."
        }
    }
}

fn table(text: &mut String, group: Group, trust: FileTrust) {
    let may_set = |setting: &&Setting| trust == FileTrust::User || setting.trust != Trust::UserOnly;
    let mut settings = of_group(group).filter(may_set).peekable();
    if settings.peek().is_none() {
        return;
    }
    text.push('\n');
    paragraphs(group.doc()).for_each(|paragraph| prose(text, &paragraph));
    text.push_str(&format!("[{}]\n", group.name()));
    settings.for_each(|setting| entry(text, setting));
}

fn entry(text: &mut String, setting: &Setting) {
    text.push('\n');
    for paragraph in paragraphs(setting.doc) {
        prose(text, &paragraph);
    }
    for choice in setting.shape.choices() {
        prose(
            text,
            &format!("- \"{}\": {}.", choice.name, choice.summary()),
        );
    }
    let (name, value) = (setting.name(), setting.default_toml());
    text.push_str(&format!("#{name} = {value}\n"));
}

/// Wraps a paragraph into comment lines.
fn prose(text: &mut String, paragraph: &str) {
    // Fits a terminal of 80 columns.
    const WIDTH: usize = 78;
    let mut line = String::from("#");
    for word in paragraph.split_whitespace() {
        if line.len() + 1 + word.len() > WIDTH {
            text.push_str(&line);
            text.push('\n');
            line.truncate(1);
        }
        line.push(' ');
        line.push_str(word);
    }
    text.push_str(&line);
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FileOrigin, Layer, Settings, all, resolve};

    fn uncommented(text: &str) -> String {
        let is_setting = |line: &&str| line.starts_with('#') && !line.starts_with("# ");
        let bare = |line| if is_setting(&line) { &line[1..] } else { line };
        text.lines().map(bare).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn new_file_sets_nothing() {
        for file in [FileOrigin::user("u"), FileOrigin::repository("r")] {
            let layer = Layer::from_toml(&file, &commented_file(file.trust)).unwrap();
            assert!(layer.assignments.is_empty());
        }
    }

    #[test]
    fn uncommented_file_sets_the_defaults() {
        for file in [FileOrigin::user("u"), FileOrigin::repository("r")] {
            let text = uncommented(&commented_file(file.trust));
            let layer = Layer::from_toml(&file, &text).unwrap();
            let allowed = |setting: &&Setting| {
                file.trust == FileTrust::User || setting.trust != Trust::UserOnly
            };
            assert_eq!(
                layer.assignments.len(),
                all().iter().filter(allowed).count()
            );
            assert_eq!(resolve([layer]).into_settings(), Settings::default());
        }
    }

    #[test]
    fn lines_are_short() {
        let text = commented_file(FileTrust::User);
        assert!(text.lines().all(|line| line.chars().count() <= 80));
        assert!(text.contains("[scan]\n\n# Take only files that match GLOB"));
        assert!(text.contains("\n#max_file_size = \"32mb\"\n"));
    }

    /// The order of rules is not that of other settings: the last one decides, and a user's own
    /// rules come last.
    #[test]
    fn comments_tell_whose_rules_decide() {
        for trust in [FileTrust::User, FileTrust::Repository] {
            let text = commented_file(trust).replace("\n# ", " ");
            assert!(text.contains("only your rules") == (trust == FileTrust::User));
            let order = "the rules of the user's own file come after those of a repository";
            assert_eq!(text.matches(order).count(), 2, "{text}");
            assert!(!text.contains("yours"), "{text}");
        }
    }

    #[test]
    fn only_the_users_file_shows_models() {
        let text = commented_file(FileTrust::User);
        let (_, example) = text.split_once("# [[models]]").unwrap();
        let example = format!("[[models]]{}", example.replace("\n# ", "\n"));
        let layer = Layer::from_toml(&FileOrigin::user("u"), &example).unwrap();
        let resolved = resolve([layer]);
        assert_eq!(resolved.models()[0].name, "house-model");
        assert_eq!(resolved.models()[0].output, Some(4_000));
        assert!(!commented_file(FileTrust::Repository).contains("# [[models]]"));
    }
}
