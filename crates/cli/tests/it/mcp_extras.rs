//! Hooks, instructions and the skill, which an installation adds with the server.

use loom_testkit::Sandbox;

use crate::mcp_install::{home_file, mcp, put};
use crate::packed::BINARY;

/// Files below a directory with their contents, without the state of the command itself.
fn contents(root: &std::path::Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut directories = vec![root.to_owned()];
    while let Some(directory) = directories.pop() {
        let Ok(entries) = std::fs::read_dir(directory) else {
            continue;
        };
        for entry in entries {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => directories.push(path),
                false => {
                    let name = path.strip_prefix(root).unwrap().display().to_string();
                    found.push((name, std::fs::read_to_string(&path).unwrap()));
                }
            }
        }
    }
    found.sort();
    found
}

#[test]
fn hooks_and_instructions_come_and_go_with_the_server() {
    for (client, scope, before) in [
        ("claude-code", "user", &[][..]),
        ("codex", "user", &[][..]),
        ("claude-code", "project", &[("AGENTS.md", "Tabs.\n")][..]),
        ("codex", "project", &[("AGENTS.md", "Tabs.")][..]),
        (
            "claude-code",
            "user",
            &[
                ("../home/.claude.json", "{\"a\": 1}"),
                (
                    "../home/.claude/settings.json",
                    "{\n  \"hooks\": {\"SessionStart\": [{\"hooks\": []}]}\n}",
                ),
                ("../home/.claude/CLAUDE.md", "Be short."),
            ][..],
        ),
        (
            "codex",
            "user",
            &[
                ("../home/.codex/config.toml", "model = \"m\" # mine\n"),
                ("../home/.codex/hooks.json", "{\"hooks\": {}}\n"),
            ][..],
        ),
    ] {
        let sandbox = Sandbox::new();
        for (path, text) in before {
            let path = match path.strip_prefix("../home/") {
                Some(path) => home_file(&sandbox, path),
                None => sandbox.path(path),
            };
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let all = || (contents(&sandbox.work()), contents(&sandbox.home()));
        let old = all();
        let args = ["--client", client, "--scope", scope, "--yes"];
        let extra = ["install", "--hooks", "--instructions"];
        mcp(&sandbox, &[&extra[..], &args].concat()).ok();
        let (work, home) = all();
        let new: Vec<_> = work.iter().chain(&home).collect();
        let has = |word: &str| new.iter().any(|(_, text)| text.contains(word));
        assert!(has("hook start") && has("infiniloom: begin"), "{new:?}");
        assert_eq!(has("trusted_hash"), client == "codex", "{new:?}");
        let again = mcp(&sandbox, &[&extra[..], &args].concat());
        assert!(again.text().is_empty() && again.code == 0);
        mcp(&sandbox, &[&["uninstall"][..], &args].concat()).ok();
        assert_eq!(all(), old, "{client} {scope}");
    }
}

/// Codex 0.166.0 reports this key and this hash for the hook (`hooks/list` of its app server).
#[test]
fn codex_trusts_the_hook_at_its_position() {
    let sandbox = Sandbox::new();
    let hooks = "{\"hooks\": {\"SessionStart\": [{\"hooks\": []}]}}";
    put(&sandbox, ".codex/hooks.json", hooks);
    let args = [
        "install", "--client", "codex", "--scope", "project", "--hooks",
    ];
    sandbox.write(".codex/hooks.json", hooks);
    mcp(&sandbox, &[&args[..], &["--yes"]].concat()).ok();
    let config = std::fs::read_to_string(home_file(&sandbox, ".codex/config.toml")).unwrap();
    let file = sandbox.path(".codex/hooks.json");
    let key = format!("{}:session_start:1:0", file.display());
    assert!(config.contains(&key), "{config}");
    let hash = "049b607eaec0e5619b859d73c3292245d0b810afd505bded2e331bd8307d24d5";
    assert!(config.contains(hash), "{config}");
}

#[test]
fn parts_that_a_client_does_not_have_are_refused() {
    let sandbox = Sandbox::new();
    let refused = mcp(
        &sandbox,
        &["install", "--client", "cursor", "--hooks", "--yes"],
    );
    assert_eq!(refused.code, 2);
    let expected = "infiniloom cannot add hooks to Cursor";
    assert!(refused.stderr.contains(expected), "{}", refused.stderr);
    assert!(contents(&sandbox.home()).is_empty());
}

#[test]
fn a_skill_comes_and_goes() {
    for (client, file) in [
        ("claude-code", ".claude/skills/infiniloom/SKILL.md"),
        ("codex", ".codex/skills/infiniloom/SKILL.md"),
    ] {
        let sandbox = Sandbox::new();
        let skill = |verb: &str| sandbox.run(BINARY, &["skill", verb, "--client", client, "--yes"]);
        skill("install").ok();
        let text = std::fs::read_to_string(home_file(&sandbox, file)).unwrap();
        assert!(
            text.starts_with("---\nname: infiniloom\ndescription: "),
            "{text}"
        );
        assert!(skill("install").stderr.contains("already there"));
        skill("uninstall").ok();
        let path = home_file(&sandbox, file);
        assert!(!path.parent().unwrap().exists());
        assert!(skill("uninstall").stderr.contains("not there"));
    }
}
