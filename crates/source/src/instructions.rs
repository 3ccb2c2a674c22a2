//! Instruction files for coding agents in the directories below the one an agent works in. Each
//! agent has its own rules. The agent itself sends the files of its directory and above; this
//! module reads no file.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

/// The agent whose rules apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InstructionRules {
    /// `CLAUDE.md` of each directory, and rules with `paths:` below `.claude/rules`.
    ClaudeCode,
    /// `AGENTS.override.md` of each directory, or else its `AGENTS.md`.
    Codex,
}

impl InstructionRules {
    /// The names of an instruction file, best first. Only the first that a directory has counts.
    fn names(self) -> &'static [&'static str] {
        match self {
            Self::ClaudeCode => &["CLAUDE.md"],
            Self::Codex => &["AGENTS.override.md", "AGENTS.md"],
        }
    }
}

/// Returns the instruction files between `directory` and the `used` files, without those of
/// `directory`: outer ones first. All paths start at the root; `directory` is empty for the root.
/// `exists` says whether a file is part of the source.
pub fn nested_instructions<'u>(
    rules: InstructionRules,
    directory: &str,
    used: impl IntoIterator<Item = &'u str>,
    exists: impl Fn(&str) -> bool,
) -> Vec<String> {
    let mut directories: Vec<&str> = Vec::new();
    for path in used {
        let mut parent = parent(path);
        while let Some(inside) = parent.filter(|inside| is_below(inside, directory)) {
            if !directories.contains(&inside) {
                directories.push(inside);
            }
            parent = self::parent(inside);
        }
    }
    directories.sort_by_key(|directory| (directory.matches('/').count(), *directory));
    let file = |directory: &&str| {
        let names = rules.names().iter();
        let mut paths = names.map(|name| format!("{directory}/{name}"));
        paths.find(|path| exists(path))
    };
    directories.iter().filter_map(file).collect()
}

fn parent(path: &str) -> Option<&str> {
    path.rsplit_once('/').map(|(parent, _)| parent)
}

fn is_below(inside: &str, directory: &str) -> bool {
    let rest = match directory {
        "" => Some(inside),
        directory => inside
            .strip_prefix(directory)
            .and_then(|rest| rest.strip_prefix('/')),
    };
    rest.is_some_and(|rest| !rest.is_empty())
}

/// Returns true if `path` is a rule of Claude Code below `directory`.
pub fn is_rule(path: &str, directory: &str) -> bool {
    let rest = match directory {
        "" => Some(path),
        directory => path
            .strip_prefix(directory)
            .and_then(|rest| rest.strip_prefix('/')),
    };
    rest.is_some_and(|rest| rest.starts_with(".claude/rules/") && rest.ends_with(".md"))
}

/// Returns true if the head of a rule names paths, and one of `used` matches. A rule without paths
/// applies everywhere, so the agent sends it itself.
pub fn rule_applies<'u>(rule: &str, used: impl IntoIterator<Item = &'u str>) -> bool {
    rule_globs(rule).is_some_and(|globs| used.into_iter().any(|path| globs.is_match(path)))
}

/// Reads `paths:` of the head between two lines `---`: a list in brackets, on the line, or one
/// item a line.
fn rule_globs(rule: &str) -> Option<GlobSet> {
    let mut lines = rule.lines();
    lines.next().filter(|line| line.trim_end() == "---")?;
    let head = lines.take_while(|line| line.trim_end() != "---");
    let mut head = head.skip_while(|line| !line.starts_with("paths:"));
    let first = head.next()?.strip_prefix("paths:")?.trim();
    let first = first.trim_start_matches('[').trim_end_matches(']');
    let items = head.map_while(|line| line.trim().strip_prefix("- "));
    let mut globs = GlobSetBuilder::new();
    for item in first.split(',').chain(items) {
        let item = item.trim().trim_matches(['"', '\'']);
        if let Ok(glob) = GlobBuilder::new(item).literal_separator(true).build()
            && !item.is_empty()
        {
            globs.add(glob);
        }
    }
    globs.build().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILES: &[&str] = &[
        "CLAUDE.md",
        "AGENTS.md",
        "app/CLAUDE.md",
        "app/AGENTS.md",
        "app/AGENTS.override.md",
        "app/db/AGENTS.md",
        "app/db/CLAUDE.md",
        "web/CLAUDE.md",
    ];

    fn nested(rules: InstructionRules, directory: &str, used: &[&str]) -> String {
        let exists = |path: &str| FILES.contains(&path);
        nested_instructions(rules, directory, used.iter().copied(), exists).join(" ")
    }

    #[test]
    fn instructions_between_the_directory_and_the_files_count() {
        use InstructionRules::{ClaudeCode, Codex};
        let used = ["app/db/pool.rs", "app/main.rs", "README.md"];
        assert_eq!(
            nested(ClaudeCode, "", &used),
            "app/CLAUDE.md app/db/CLAUDE.md"
        );
        assert_eq!(
            nested(Codex, "", &used),
            "app/AGENTS.override.md app/db/AGENTS.md"
        );
        // The agent sends the file of the directory itself.
        assert_eq!(nested(ClaudeCode, "app", &used), "app/db/CLAUDE.md");
        assert_eq!(nested(ClaudeCode, "ap", &used), "");
        assert_eq!(nested(ClaudeCode, "", &["README.md"]), "");
    }

    #[test]
    fn rules_apply_to_files_that_match_their_paths() {
        let used = ["src/api/a.ts", "b.py"];
        let applies = |head: &str| rule_applies(head, used);
        assert!(applies("---\npaths: src/api/**/*.ts\n---\nText"));
        assert!(applies("---\nname: x\npaths: [\"*.rs\", '*.py']\n---\n"));
        assert!(applies(
            "---\npaths:\n  - \"docs/**\"\n  - src/**/*.ts\n---\n"
        ));
        assert!(!applies("---\npaths: src/*.ts\n---\n"));
        assert!(!applies("---\nname: x\n---\npaths: *.py"));
        assert!(!applies("paths: *.py\n"));
        assert!(!applies("---\npaths: [\n---\n"));
        assert!(is_rule(".claude/rules/a/b.md", ""));
        assert!(is_rule("app/.claude/rules/b.md", "app"));
        assert!(!is_rule(".claude/rules/b.md", "app"));
    }
}
