//! What an installation writes for a client, and where: the server, hooks, lines in the
//! instructions, a skill.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::addition::is_our_hook;
use super::{Addition, Change, SetupError, plan_add, plan_remove};
use crate::clients::{Client, Places, Scope};

/// Seconds after which the client stops waiting for a hook. The hook itself ends earlier.
const HOOK_SECONDS: u32 = 10;

/// The event of `infiniloom hook start`, as the clients' files and as Codex's hashes name it.
const EVENT: (&str, &str) = ("SessionStart", "session_start");

/// Lines for the instructions of a model.
const LINES: &str = include_str!("lines.md");

/// The skill.
const SKILL: &str = include_str!("skill.md");

/// A part of an installation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InstallPart {
    /// The entry of the server.
    Server,
    /// Hooks, which give context without a tool call.
    Hooks,
    /// Lines in the instructions for the model.
    Instructions,
    /// A skill, which teaches the tools.
    Skill,
}

impl InstallPart {
    fn name(self) -> &'static str {
        match self {
            Self::Server => "a server",
            Self::Hooks => "hooks",
            Self::Instructions => "instructions",
            Self::Skill => "skills",
        }
    }
}

/// An installation for one client.
#[derive(Debug)]
pub struct Installation<'a> {
    /// The client.
    pub client: &'static Client,
    /// Its configuration of a user or of a project.
    pub scope: Scope,
    /// Directories of configurations.
    pub places: &'a Places,
    /// The project.
    pub folder: &'a Path,
    /// This program.
    pub command: &'a str,
    /// Roots of the server.
    pub roots: &'a [String],
}

impl Installation<'_> {
    /// Plans the changes that add these parts. Installed parts need no change.
    ///
    /// # Errors
    /// If the client does not have such a part, or a file cannot be read.
    pub fn plan(&self, parts: &[InstallPart]) -> Result<Vec<Change>, SetupError> {
        let mut files = Files::default();
        for part in parts {
            match part {
                InstallPart::Server => files.add(self.server_file()?, self.server()),
                InstallPart::Hooks => {
                    let file = self.extra_file(*part)?;
                    let change = plan_add(&file, &[self.hook()])?;
                    let text = change.and_then(|change| change.new);
                    let text = text.or_else(|| fs::read_to_string(&file).ok());
                    if let Some((config, trust)) = self.trust(&file, &text.unwrap_or_default()) {
                        files.add(config, trust);
                    }
                    files.add(file, self.hook());
                }
                InstallPart::Instructions => {
                    files.add(self.extra_file(*part)?, Addition::Lines(LINES));
                }
                InstallPart::Skill => files.add(self.extra_file(*part)?, Addition::Skill(SKILL)),
            }
        }
        files.plan(plan_add)
    }

    /// Plans the changes that remove the installed ones of these parts.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn plan_removal(&self, parts: &[InstallPart]) -> Result<Vec<Change>, SetupError> {
        let mut files = Files::default();
        for part in parts {
            if *part == InstallPart::Server {
                files.add(self.server_file()?, self.server());
                continue;
            }
            for file in self.extra_files(*part) {
                match part {
                    InstallPart::Instructions => files.add(file, Addition::Lines(LINES)),
                    InstallPart::Skill => files.add(file, Addition::Skill(SKILL)),
                    InstallPart::Hooks | InstallPart::Server => {
                        let text = fs::read_to_string(&file).unwrap_or_default();
                        if let Some((config, trust)) = self.trust(&file, &text) {
                            files.add(config, trust);
                        }
                        files.add(file, self.hook());
                    }
                }
            }
        }
        files.plan(plan_remove)
    }

    fn server(&self) -> Addition {
        let args = std::iter::once("mcp".to_owned());
        Addition::Server {
            client: self.client,
            command: self.command.to_owned(),
            args: args.chain(self.roots.iter().cloned()).collect(),
        }
    }

    fn server_file(&self) -> Result<PathBuf, SetupError> {
        let file = self.client.file(self.scope, self.places, self.folder);
        file.ok_or(SetupError::NoFile {
            client: self.client.title,
            scope: self.scope.name(),
        })
    }

    fn extra_file(&self, part: InstallPart) -> Result<PathBuf, SetupError> {
        let files = self.extra_files(part);
        let there = files.iter().find(|file| file.exists());
        let file = there.or(files.first()).cloned();
        file.ok_or(SetupError::NoPart {
            client: self.client.title,
            part: part.name(),
        })
    }

    /// Returns the files that can have a part, the usual one first.
    fn extra_files(&self, part: InstallPart) -> Vec<PathBuf> {
        let Some(extras) = &self.client.extras else {
            return Vec::new();
        };
        let own = match self.scope {
            Scope::User => (extras.home)(self.places),
            Scope::Project => Some(self.folder.join(extras.project)),
        };
        let Some(own) = own else {
            return Vec::new();
        };
        match part {
            InstallPart::Server => Vec::new(),
            InstallPart::Hooks => vec![own.join(extras.hooks)],
            InstallPart::Skill => vec![own.join("skills/infiniloom/SKILL.md")],
            InstallPart::Instructions => match self.scope {
                Scope::User => vec![own.join(extras.instructions[0])],
                Scope::Project => {
                    let names = extras.instructions.iter();
                    names.map(|name| self.folder.join(name)).collect()
                }
            },
        }
    }

    fn hook_command(&self) -> String {
        match self.command.contains([' ', '\'', '(', ')', '&', ';']) {
            true => format!("\"{}\" hook start", self.command),
            false => format!("{} hook start", self.command),
        }
    }

    fn hook(&self) -> Addition {
        Addition::Hook {
            event: EVENT.0,
            item: json!({
                "matcher": "compact",
                "hooks": [{
                    "type": "command",
                    "command": self.hook_command(),
                    "timeout": HOOK_SECONDS,
                }],
            }),
        }
    }

    /// Returns the entry by which Codex runs our hook in `text` without asking, and its file.
    fn trust(&self, hooks: &Path, text: &str) -> Option<(PathBuf, Addition)> {
        let extras = self.client.extras.as_ref()?;
        let config = (extras.trust?)(self.places)?;
        let value: Value = serde_json::from_str(text).ok()?;
        let items = value["hooks"][EVENT.0].as_array()?;
        let at = items.iter().position(is_our_hook)?;
        let key = format!("{}:{}:{at}:0", hooks.display(), EVENT.1);
        Some((
            config,
            Addition::Trust {
                hook: key,
                hash: trusted_hash(&items[at]),
            },
        ))
    }
}

/// Returns the hash that Codex computes for an item of an event's list.
fn trusted_hash(item: &Value) -> String {
    let hook = &item["hooks"][0];
    let canonical = json!({
        "event_name": EVENT.1,
        "hooks": [{
            "async": false,
            "command": hook["command"],
            "timeout": hook["timeout"],
            "type": "command",
        }],
        "matcher": item["matcher"],
    });
    let mut text = "sha256:".to_owned();
    for byte in Sha256::digest(sorted(&canonical)) {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// Returns a value as JSON with sorted keys.
fn sorted(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_by_key(|(key, _)| *key);
            let members = members.iter();
            let members = members.map(|(key, value)| format!("{}:{}", json!(key), sorted(value)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(","))
        }
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(sorted).collect();
            format!("[{}]", items.join(","))
        }
        other => other.to_string(),
    }
}

/// Files with their additions, in the order in which they are written.
#[derive(Default)]
struct Files(Vec<(PathBuf, Vec<Addition>)>);

impl Files {
    fn add(&mut self, path: PathBuf, addition: Addition) {
        match self.0.iter_mut().find(|(known, _)| *known == path) {
            Some((_, additions)) => additions.push(addition),
            None => self.0.push((path, vec![addition])),
        }
    }

    fn plan(
        self,
        plan: impl Fn(&Path, &[Addition]) -> Result<Option<Change>, SetupError>,
    ) -> Result<Vec<Change>, SetupError> {
        let files = self.0.iter();
        let changes = files.map(|(path, additions)| plan(path, additions));
        changes.filter_map(Result::transpose).collect()
    }
}
