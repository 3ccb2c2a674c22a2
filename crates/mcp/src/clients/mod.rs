//! The clients whose configuration can be written: where it is, and how it names a
//! server. One line of the table is one client; `docs/guides/mcp.md` says who documents
//! it.

mod places;

use std::path::{Path, PathBuf};

use loom_settings::{ForeignEntry, ForeignError, ForeignSyntax};
use serde_json::{Value, json};

pub(crate) use places::user_home;
pub use places::{Places, System};

/// Under this name every client knows the server.
pub const SERVER_NAME: &str = "infiniloom";

/// Whom a configuration is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// One user, everywhere.
    User,
    /// Everybody who works in one folder.
    Project,
}

impl Scope {
    /// As a flag says it.
    pub fn name(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Project => "project",
        }
    }
}

/// A client.
#[derive(Debug)]
pub struct Client {
    /// As a flag says it.
    pub name: &'static str,
    /// As its makers say it.
    pub title: &'static str,
    syntax: ForeignSyntax,
    /// The tables around the entry; the first that the file has, else the last.
    tables: &'static [&'static [&'static str]],
    user: fn(&Places) -> Option<PathBuf>,
    /// Below the project; the first that is there, else the first of all.
    project: &'static [&'static str],
    fields: fn(&str, &[String]) -> Fields,
    /// Whether it starts servers in no folder of use and names none.
    pub needs_root: bool,
    /// Its other files, if infiniloom knows them.
    pub(crate) extras: Option<Extras>,
}

/// Files of a client with hooks, instructions and skills.
#[derive(Debug)]
pub(crate) struct Extras {
    /// The user's directory.
    pub(crate) home: fn(&Places) -> Option<PathBuf>,
    /// The directory in a project.
    pub(crate) project: &'static str,
    /// File of the hooks, in these directories.
    pub(crate) hooks: &'static str,
    /// Files of instructions for the model: in the user's directory the first one, in a project
    /// the first that exists, else the first.
    pub(crate) instructions: &'static [&'static str],
    /// The file that says which hooks the user trusts.
    pub(crate) trust: Option<fn(&Places) -> Option<PathBuf>>,
}

/// What an entry holds, in the order in which it is written.
type Fields = Vec<(&'static str, Value)>;

const SERVERS: &[&[&str]] = &[&["mcpServers"]];

/// Every client, by name.
pub const CLIENTS: &[Client] = &[
    Client {
        name: "claude-code",
        title: "Claude Code",
        syntax: ForeignSyntax::Json,
        tables: SERVERS,
        user: |places| Some(places.claude.clone()?.join(".claude.json")),
        project: &[".mcp.json"],
        fields: typed,
        needs_root: false,
        extras: Some(Extras {
            home: |places| places.claude_home.clone(),
            project: ".claude",
            hooks: "settings.json",
            // A new CLAUDE.md would hide an AGENTS.md.
            instructions: &["CLAUDE.md", "AGENTS.md"],
            trust: None,
        }),
    },
    Client {
        name: "claude-desktop",
        title: "Claude Desktop",
        syntax: ForeignSyntax::Json,
        tables: SERVERS,
        user: |places| Some(places.programs()?.join("Claude/claude_desktop_config.json")),
        project: &[],
        fields: plain,
        needs_root: true,
        extras: None,
    },
    Client {
        name: "codex",
        title: "Codex",
        syntax: ForeignSyntax::Toml,
        tables: &[&["mcp_servers"]],
        user: |places| Some(places.codex.clone()?.join("config.toml")),
        project: &[".codex/config.toml"],
        fields: plain,
        needs_root: false,
        extras: Some(Extras {
            home: |places| places.codex.clone(),
            project: ".codex",
            hooks: "hooks.json",
            instructions: &["AGENTS.md"],
            trust: Some(|places| Some(places.codex.clone()?.join("config.toml"))),
        }),
    },
    Client {
        name: "cursor",
        title: "Cursor",
        syntax: ForeignSyntax::Jsonc,
        tables: SERVERS,
        user: |places| Some(places.home.clone()?.join(".cursor/mcp.json")),
        project: &[".cursor/mcp.json"],
        fields: plain,
        needs_root: false,
        extras: None,
    },
    Client {
        name: "gemini",
        title: "Gemini CLI",
        syntax: ForeignSyntax::Jsonc,
        tables: SERVERS,
        user: |places| Some(places.home.clone()?.join(".gemini/settings.json")),
        project: &[".gemini/settings.json"],
        fields: plain,
        needs_root: false,
        extras: None,
    },
    Client {
        name: "opencode",
        title: "opencode",
        syntax: ForeignSyntax::Jsonc,
        // Its second version has a table more, and reads the first one's files.
        tables: &[&["mcp", "servers"], &["mcp"]],
        user: |places| {
            let folder = places.config.clone()?.join("opencode");
            Some(first_there(&folder, &["opencode.json", "opencode.jsonc"]))
        },
        project: &["opencode.json", "opencode.jsonc"],
        fields: |command, args| {
            let all = std::iter::once(command.to_owned()).chain(args.iter().cloned());
            vec![
                ("type", json!("local")),
                ("command", all.collect()),
                ("enabled", json!(true)),
            ]
        },
        needs_root: false,
        extras: None,
    },
    Client {
        name: "vscode",
        title: "VS Code",
        syntax: ForeignSyntax::Jsonc,
        tables: &[&["servers"]],
        user: |places| Some(places.programs()?.join("Code/User/mcp.json")),
        project: &[".vscode/mcp.json"],
        fields: typed,
        needs_root: false,
        extras: None,
    },
    Client {
        name: "windsurf",
        title: "Windsurf",
        syntax: ForeignSyntax::Json,
        tables: SERVERS,
        user: |places| {
            Some(
                places
                    .home
                    .clone()?
                    .join(".codeium/windsurf/mcp_config.json"),
            )
        },
        project: &[],
        fields: plain,
        needs_root: false,
        extras: None,
    },
    Client {
        name: "zed",
        title: "Zed",
        syntax: ForeignSyntax::Jsonc,
        tables: &[&["context_servers"]],
        user: |places| Some(places.zed()?.join("settings.json")),
        project: &[],
        fields: plain,
        needs_root: false,
        extras: None,
    },
];

fn plain(command: &str, args: &[String]) -> Fields {
    vec![("command", json!(command)), ("args", json!(args))]
}

fn typed(command: &str, args: &[String]) -> Fields {
    let mut fields = vec![("type", json!("stdio"))];
    fields.extend(plain(command, args));
    fields
}

fn first_there(folder: &Path, names: &[&str]) -> PathBuf {
    let mut paths = names.iter().map(|name| folder.join(name));
    let first = paths.clone().next().unwrap_or_default();
    paths.find(|path| path.exists()).unwrap_or(first)
}

impl Client {
    /// The client of this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        CLIENTS.iter().find(|client| client.name == name)
    }

    /// Whom its configuration can be for.
    pub fn scopes(&self) -> &'static [Scope] {
        match self.project.is_empty() {
            true => &[Scope::User],
            false => &[Scope::User, Scope::Project],
        }
    }

    /// The file that holds its configuration; `folder` is the project.
    pub fn file(&self, scope: Scope, places: &Places, folder: &Path) -> Option<PathBuf> {
        match scope {
            Scope::User => (self.user)(places),
            Scope::Project if self.project.is_empty() => None,
            Scope::Project => Some(first_there(folder, self.project)),
        }
    }

    /// The text of its file with the server in it.
    ///
    /// # Errors
    /// When the text cannot be read, with the place.
    pub fn installed(
        &self,
        text: &str,
        command: &str,
        args: &[String],
    ) -> Result<String, ForeignError> {
        let fields = (self.fields)(command, args);
        let path = self.path(text);
        self.entry(&path).set(text, &fields)
    }

    /// The text of its file without the server; `before` is what it was before the
    /// server came.
    ///
    /// # Errors
    /// When the text cannot be read, with the place.
    pub fn uninstalled(&self, text: &str, before: Option<&str>) -> Result<String, ForeignError> {
        let path = self.path(text);
        self.entry(&path).take(text, before)
    }

    /// How the text of its file says that the server is started: the command, then its
    /// arguments. `None` when it does not.
    ///
    /// # Errors
    /// When the text cannot be read, with the place.
    pub fn command_in(&self, text: &str) -> Result<Option<Vec<String>>, ForeignError> {
        let path = self.path(text);
        let Some(entry) = self.entry(&path).get(text)? else {
            return Ok(None);
        };
        let words = |value: &Value| match value {
            Value::String(word) => vec![word.clone()],
            Value::Array(words) => {
                let words = words.iter().filter_map(Value::as_str);
                words.map(str::to_owned).collect()
            }
            _ => Vec::new(),
        };
        let mut all = words(&entry["command"]);
        all.extend(words(&entry["args"]));
        Ok(Some(all))
    }

    /// What the entry adds to the environment of the server.
    ///
    /// # Errors
    /// When the text cannot be read, with the place.
    pub fn env_in(&self, text: &str) -> Result<Vec<(String, String)>, ForeignError> {
        let path = self.path(text);
        let entry = self.entry(&path).get(text)?.unwrap_or_default();
        let given = ["env", "environment"].iter();
        let given = given.filter_map(|key| entry.get(key)?.as_object());
        let pairs = given.flatten().filter_map(|(name, value)| {
            let value = value.as_str()?;
            Some((name.clone(), value.to_owned()))
        });
        Ok(pairs.collect())
    }

    fn entry<'p>(&self, path: &'p [&'p str]) -> ForeignEntry<'p> {
        let syntax = self.syntax;
        ForeignEntry { syntax, path }
    }

    /// The keys that lead to the entry in this text.
    fn path(&self, text: &str) -> Vec<&'static str> {
        let has = |path: &[&str]| matches!(self.entry(path).get(text), Ok(Some(_)));
        let known = self.tables.iter().find(|tables| has(tables));
        let tables = known.or(self.tables.last()).copied().unwrap_or_default();
        tables.iter().copied().chain([SERVER_NAME]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args() -> Vec<String> {
        vec!["mcp".to_owned(), "/srv/a b".to_owned()]
    }

    #[test]
    fn every_client_has_the_server_once_and_loses_it_again() {
        for client in CLIENTS {
            for old in ["", "{}\n", "a = 1\n"] {
                let Ok(new) = client.installed(old, "/bin/x", &args()) else {
                    continue;
                };
                assert_eq!(client.installed(&new, "/bin/x", &args()), Ok(new.clone()));
                let command = client.command_in(&new).unwrap().unwrap();
                assert_eq!(command, ["/bin/x", "mcp", "/srv/a b"], "{}", client.name);
                assert_eq!(client.uninstalled(&new, Some(old)).unwrap(), old);
            }
        }
    }

    #[test]
    fn opencode_is_written_as_its_file_is() {
        let client = Client::named("opencode").unwrap();
        let old = "{\n  \"mcp\": {\n    \"servers\": {}\n  }\n}\n";
        let new = client.installed(old, "x", &args()).unwrap();
        let value: Value = serde_json::from_str(&new).unwrap();
        assert_eq!(value["mcp"]["servers"]["infiniloom"]["type"], "local");
        let new = client.installed("{}", "x", &args()).unwrap();
        let value: Value = serde_json::from_str(&new).unwrap();
        assert_eq!(
            value["mcp"]["infiniloom"]["command"],
            json!(["x", "mcp", "/srv/a b"])
        );
    }

    #[test]
    fn files_are_where_each_system_has_them() {
        let find = |name: &str, system| {
            let places = Places::under(Path::new("/u"), system);
            let client = Client::named(name).unwrap();
            let file = client.file(Scope::User, &places, Path::new("/p")).unwrap();
            file.to_string_lossy().replace('\\', "/")
        };
        use System::{Linux, MacOs, Windows};
        assert_eq!(find("claude-code", Linux), "/u/.claude.json");
        assert_eq!(
            find("claude-desktop", MacOs),
            "/u/Library/Application Support/Claude/claude_desktop_config.json"
        );
        assert_eq!(find("vscode", Linux), "/u/.config/Code/User/mcp.json");
        assert_eq!(
            find("vscode", Windows),
            "/u/AppData/Roaming/Code/User/mcp.json"
        );
        assert_eq!(find("zed", MacOs), "/u/.config/zed/settings.json");
        assert_eq!(find("zed", Windows), "/u/AppData/Roaming/Zed/settings.json");
        assert_eq!(find("codex", Windows), "/u/.codex/config.toml");
        assert_eq!(find("opencode", MacOs), "/u/.config/opencode/opencode.json");
        let cursor = Client::named("cursor").unwrap();
        let places = Places::under(Path::new("/u"), Linux);
        let file = cursor.file(Scope::Project, &places, Path::new("/p"));
        assert_eq!(file, Some(PathBuf::from("/p/.cursor/mcp.json")));
    }
}
