//! Checks a setup from the client's file to the server's answer, and says for each step
//! that it is well or what to do. Changes nothing.

mod handshake;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use infiniloom::Index;

use crate::clients::{CLIENTS, Client, Places, Scope};
use crate::opener::Opener;
use crate::tool_error::in_words;
use handshake::Answered;

/// How a step went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// As it should be.
    Well,
    /// It works, and could be better.
    Note,
    /// It does not work.
    Wrong,
}

/// One step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// The client whose setup it is; none for the server itself.
    pub client: Option<&'static str>,
    /// What was looked at.
    pub subject: &'static str,
    /// How it went.
    pub outcome: Outcome,
    /// What was found.
    pub found: String,
    /// What to do about it.
    pub advice: Option<String>,
}

/// What a diagnosis needs to know.
#[derive(Clone)]
pub struct Doctor {
    /// Where clients keep their files.
    pub places: Places,
    /// The project.
    pub folder: PathBuf,
    /// Opens folders as the server would.
    pub opener: Opener,
    /// The program that runs, and its version.
    pub program: PathBuf,
    /// See above.
    pub version: String,
    /// The folders that arguments of the command name, read as the command reads them.
    pub roots_in: RootsIn,
}

/// Reads the arguments of a command, from `mcp` on.
pub type RootsIn = Arc<dyn Fn(&[String]) -> Result<Vec<PathBuf>, String> + Send + Sync>;

/// How a file says that the server is started.
struct Started {
    scope: Scope,
    words: Vec<String>,
    env: Vec<(String, String)>,
}

impl std::fmt::Debug for Doctor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Doctor")
            .field("folder", &self.folder)
            .finish_non_exhaustive()
    }
}

impl Doctor {
    /// Looks at these clients; where none is named, at all that know the server.
    pub fn examine(&self, named: &[&'static Client]) -> Vec<Check> {
        let mut checks = Vec::new();
        match named.is_empty() {
            true => CLIENTS.iter().for_each(|client| {
                self.client(client, &mut checks);
            }),
            false => named.iter().for_each(|client| {
                if !self.client(client, &mut checks) {
                    checks.push(self.missing(client));
                }
            }),
        }
        if checks.is_empty() {
            let advice = "infiniloom mcp install --client NAME".to_owned();
            let found = "no client's configuration names infiniloom".to_owned();
            checks.push(wrong(None, "configuration", found, Some(advice)));
        }
        checks
    }

    /// The steps of one client; says whether its files told anything.
    fn client(&self, client: &'static Client, checks: &mut Vec<Check>) -> bool {
        let before = checks.len();
        for scope in client.scopes() {
            let Some(path) = client.file(*scope, &self.places, &self.folder) else {
                continue;
            };
            let Ok(bytes) = std::fs::read(&path) else {
                continue;
            };
            let text = String::from_utf8_lossy(&bytes);
            let file = path.display();
            let started = client.command_in(&text).and_then(|words| {
                let env = client.env_in(&text)?;
                Ok(words.map(|words| (words, env)))
            });
            match started {
                Err(error) => {
                    let advice = format!("mend the file; {} may not read it either", client.title);
                    let found = format!("{file}: {error}");
                    checks.push(wrong(Some(client), "configuration", found, Some(advice)));
                }
                Ok(None) => {}
                Ok(Some((words, env))) => {
                    let found = format!("{file} ({})", scope.name());
                    checks.push(well(Some(client), "configuration", found));
                    let scope = *scope;
                    let started = Started { scope, words, env };
                    self.server(client, &started, checks);
                }
            }
        }
        checks.len() > before
    }

    fn missing(&self, client: &'static Client) -> Check {
        let files = client.scopes().iter();
        let files = files.filter_map(|scope| client.file(*scope, &self.places, &self.folder));
        let files: Vec<String> = files.map(|path| path.display().to_string()).collect();
        let found = format!("no infiniloom in {}", files.join(" or "));
        let advice = format!("infiniloom mcp install --client {}", client.name);
        wrong(Some(client), "configuration", found, Some(advice))
    }

    /// The command that a file names: there, started, answering.
    fn server(&self, client: &'static Client, started: &Started, checks: &mut Vec<Check>) {
        let words = &started.words;
        let again = Some(format!("infiniloom mcp install --client {}", client.name));
        let Some((command, args)) = words.split_first() else {
            let found = "the entry names no command".to_owned();
            checks.push(wrong(Some(client), "command", found, again));
            return;
        };
        let Some(program) = on_path(command, &started.env) else {
            let found = format!("{command} is not there or cannot be run");
            checks.push(wrong(Some(client), "command", found, again));
            return;
        };
        checks.push(well(Some(client), "command", words.join(" ")));
        let is_own = is_same(&program, &self.program);
        let Some(roots) = self.roots(client, args, is_own, checks) else {
            return;
        };
        // What a repository names is not run, neither another program nor another command,
        // nor with another environment.
        let is_plain = is_own && is_server(args) && started.env.is_empty();
        if started.scope == Scope::Project && !is_plain {
            let found = format!("not started: the project's file names {}", words.join(" "));
            let advice = Some("look at it, then start it by hand".to_owned());
            checks.push(note(client, "answer", found, advice));
            return;
        }
        checks.push(self.answer(client, &program, args, &started.env));
        let served = match roots.is_empty() {
            true => vec![self.folder.clone()],
            false => roots.iter().map(|root| self.folder.join(root)).collect(),
        };
        let served = served.iter().filter(|root| root.is_dir());
        checks.extend(served.map(|root| self.index(client, root)));
    }

    /// The folders that the arguments name; `None` where the server would not start with
    /// them.
    fn roots(
        &self,
        client: &'static Client,
        args: &[String],
        is_own: bool,
        checks: &mut Vec<Check>,
    ) -> Option<Vec<PathBuf>> {
        let start = args.iter().position(|word| word == "mcp");
        let read = start.map_or(Ok(Vec::new()), |start| (self.roots_in)(&args[start..]));
        let roots = match read {
            Ok(roots) => roots,
            Err(error) if is_own => {
                let again = Some(format!("infiniloom mcp install --client {}", client.name));
                checks.push(wrong(Some(client), "command", error, again));
                return None;
            }
            // Another program has other arguments.
            Err(_) => Vec::new(),
        };
        for root in &roots {
            checks.push(self.root(client, root));
        }
        if client.needs_root && roots.is_empty() {
            let found = format!("{} starts servers in no folder of use", client.title);
            let advice = format!(
                "infiniloom mcp install --client {} --root FOLDER",
                client.name
            );
            checks.push(wrong(Some(client), "roots", found, Some(advice)));
        }
        Some(roots)
    }

    fn root(&self, client: &'static Client, root: &Path) -> Check {
        let name = root.display();
        match std::fs::read_dir(self.folder.join(root)) {
            Ok(_) => well(Some(client), "root", name.to_string()),
            Err(error) => {
                let found = format!("{name}: {error}");
                let advice = format!(
                    "infiniloom mcp install --client {} --root FOLDER with the right one",
                    client.name
                );
                wrong(Some(client), "root", found, Some(advice))
            }
        }
    }

    fn answer(
        &self,
        client: &'static Client,
        program: &Path,
        args: &[String],
        env: &[(String, String)],
    ) -> Check {
        match handshake::ask(program, args, env, &self.folder) {
            Err(found) => {
                let advice = format!("start it by hand to see why: {}", program.display());
                wrong(Some(client), "answer", found, Some(advice))
            }
            Ok(Answered {
                name,
                version,
                protocol,
                tools,
                took,
            }) => {
                let found = format!(
                    "{name} {version}, protocol {protocol}, {tools} tools, {} ms",
                    took.as_millis()
                );
                match version == self.version {
                    true => well(Some(client), "answer", found),
                    false => {
                        let advice = format!(
                            "this command is {}: install again with the one you want",
                            self.version
                        );
                        note(client, "answer", found, Some(advice))
                    }
                }
            }
        }
    }

    fn index(&self, client: &'static Client, root: &Path) -> Check {
        let failed = |found: String| {
            let advice = Some("answers are slower without an index".to_owned());
            note(
                client,
                "index",
                format!("{}: {found}", root.display()),
                advice,
            )
        };
        let repository = match (self.opener)(root) {
            Ok(repository) => repository,
            Err(error) => return failed(in_words(&error)),
        };
        let snapshot = repository.unlisted_snapshot();
        let status = Index::status().totals(false);
        match snapshot.and_then(|snapshot| status.run(&snapshot)) {
            Err(error) if error.code() == "no_cache" => {
                failed("nothing is remembered (cache.enabled, or no cache folder)".to_owned())
            }
            Err(error) => failed(error.to_string()),
            Ok(report) => {
                let stale = report.added + report.changed;
                let files = report.files;
                let found = format!("{}: {files} files, {stale} to index", root.display());
                let advice = "the server does that when it starts; `infiniloom index` does it now";
                match stale {
                    0 => well(Some(client), "index", found),
                    _ => note(client, "index", found, Some(advice.to_owned())),
                }
            }
        }
    }
}

/// Whether arguments start the server in folders, and say nothing else: a flag could have it
/// write somewhere.
fn is_server(args: &[String]) -> bool {
    let folders = args.strip_prefix(&["mcp".to_owned()][..]);
    folders.is_some_and(|folders| folders.iter().all(|word| !word.starts_with('-')))
}

/// The program that a command means, where it can be run.
fn on_path(command: &str, env: &[(String, String)]) -> Option<PathBuf> {
    if Path::new(command).components().count() > 1 {
        return Some(PathBuf::from(command)).filter(|path| is_program(path));
    }
    let file = format!("{command}{}", std::env::consts::EXE_SUFFIX);
    let own = env.iter().find(|(name, _)| name == "PATH");
    let own = own.map(|(_, path)| path.into());
    let path = own.or_else(|| std::env::var_os("PATH")).unwrap_or_default();
    let mut all = std::env::split_paths(&path).map(|folder| folder.join(&file));
    all.find(|path| is_program(path))
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    let meta = std::fs::metadata(path);
    meta.is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.is_file()
}

fn is_same(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

fn well(client: Option<&'static Client>, subject: &'static str, found: String) -> Check {
    Check {
        client: client.map(|client| client.name),
        subject,
        outcome: Outcome::Well,
        found,
        advice: None,
    }
}

fn note(
    client: &'static Client,
    subject: &'static str,
    found: String,
    advice: Option<String>,
) -> Check {
    Check {
        outcome: Outcome::Note,
        advice,
        ..well(Some(client), subject, found)
    }
}

fn wrong(
    client: Option<&'static Client>,
    subject: &'static str,
    found: String,
    advice: Option<String>,
) -> Check {
    Check {
        outcome: Outcome::Wrong,
        advice,
        ..well(client, subject, found)
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
