//! `infiniloom mcp`: serves repositories to agents. `install` and `doctor` edit and check the
//! configuration of clients.

mod doctor;
mod install;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Arg, ArgMatches, Command, ValueHint, value_parser};
use infiniloom::Text;
use loom_mcp::{
    HTTP_PATH, HttpError, HttpLimits, HttpOptions, Opener, Roots, Server, serve_http, serve_stdio,
};
use loom_settings::Group;

use crate::error::CliError;
use crate::ui::Ui;
use crate::{flags, library};

const GROUPS: &[Group] = &[Group::Scan, Group::Privacy, Group::Secrets, Group::Model];

/// Minimum length of a token: a shorter one can be guessed.
const LEAST_TOKEN: usize = 16;

pub(super) fn command() -> Command {
    let command = Command::new("mcp")
        .about("Serve repositories to agents over the Model Context Protocol")
        .after_help(
            "Speaks over standard input and output. Without ROOT, the folders that the client names \
             are served, or the current one. Nothing is written to a repository, nothing outside the \
             roots is read, and secrets are taken out.\n\n\
             With --http it is spoken at http://ADDRESS/mcp. Another address than this machine's own \
             needs a token, from --token-file or INFINILOOM_MCP_TOKEN, which every request bears.\n\n\
             Examples:\n  infiniloom mcp\n  infiniloom mcp ~/shop ~/lib\n  infiniloom mcp --http 127.0.0.1:7420 ~/shop\n  infiniloom mcp install --client cursor",
        )
        .arg(super::paths_arg("Folders to serve"))
        .arg(
            Arg::new("http")
                .long("http")
                .value_name("ADDRESS")
                .help("Serve over HTTP on HOST:PORT, or on PORT of this machine"),
        )
        .arg(
            Arg::new("token-file")
                .long("token-file")
                .value_name("FILE")
                .requires("http")
                .value_parser(value_parser!(PathBuf))
                .value_hint(ValueHint::FilePath)
                .help("The token that every request has to bear is in FILE"),
        );
    let command = command.arg(super::switch(
        "structured",
        "Send answers as structured content for programs, not as text for a model",
    ));
    flags::with_settings(command, GROUPS)
        .args_conflicts_with_subcommands(true)
        .subcommand(install::install_command())
        .subcommand(install::uninstall_command())
        .subcommand(doctor::command())
}

pub(super) fn run(matches: &ArgMatches) -> Result<ExitCode, CliError> {
    match matches.subcommand() {
        Some(("install", matches)) => install::install(matches),
        Some(("uninstall", matches)) => install::uninstall(matches),
        Some(("doctor", matches)) => doctor::run(matches),
        _ => serve(matches),
    }
}

fn serve(matches: &ArgMatches) -> Result<ExitCode, CliError> {
    let roots = Arc::new(Roots::new(opener(matches)));
    let named = matches.get_many::<std::path::PathBuf>("path");
    serve_all(&roots, named.into_iter().flatten().map(PathBuf::as_path))?;
    if let Some(address) = matches.get_one::<String>("http") {
        if roots.is_empty() {
            serve_all(&roots, std::iter::once(Path::new(".")))?;
        }
        return http(matches, address, roots);
    }
    serve_stdio(server(matches, roots)).map_err(|error| CliError::user(error.to_string()))?;
    Ok(ExitCode::SUCCESS)
}

/// Serves directories. A directory with invalid settings is served after they are corrected, and
/// does not stop the others.
fn serve_all<'p>(roots: &Roots, paths: impl Iterator<Item = &'p Path>) -> Result<(), CliError> {
    let served: Result<Vec<_>, String> = paths.map(|path| roots.add(path)).collect();
    let served = served.map_err(CliError::user)?;
    let wrong: Vec<String> = served.iter().flatten().cloned().collect();
    match wrong.first().filter(|_| wrong.len() == served.len()) {
        Some(first) => Err(CliError::user(first)),
        None => {
            for wrong in wrong {
                Ui::fallback().say(&format!("not served until it is mended: {wrong}"));
            }
            Ok(())
        }
    }
}

/// Returns the server that the flags describe.
fn server(matches: &ArgMatches, roots: Arc<Roots>) -> Server {
    let server = Server::new(roots);
    match matches.get_flag("structured") {
        true => server.structured(),
        false => server,
    }
}

fn http(matches: &ArgMatches, address: &str, roots: Arc<Roots>) -> Result<ExitCode, CliError> {
    let options = HttpOptions {
        address: listening(address)?,
        token: token(matches)?,
        name: name_in(address),
        limits: HttpLimits::default(),
    };
    let told = |address: std::net::SocketAddr| {
        Ui::fallback().say(&format!("listening on http://{address}{HTTP_PATH}"));
    };
    serve_http(&server(matches, roots), &options, told).map_err(|error| {
        let hint = match error {
            HttpError::Open(_) => {
                "set INFINILOOM_MCP_TOKEN or --token-file, or listen on 127.0.0.1"
            }
            _ => "--http 127.0.0.1:0 takes any port that is free",
        };
        CliError::user(error.to_string()).hint(hint)
    })?;
    Ok(ExitCode::SUCCESS)
}

/// Parses `HOST:PORT`, `:PORT` or `PORT`; without a host, the server listens on this machine only.
fn listening(address: &str) -> Result<std::net::SocketAddr, CliError> {
    use std::net::ToSocketAddrs;
    let full = match address.strip_prefix(':').unwrap_or(address) {
        port if port.parse::<u16>().is_ok() => format!("127.0.0.1:{port}"),
        full => full.to_owned(),
    };
    let found = full.to_socket_addrs().ok().and_then(|mut all| all.next());
    found.ok_or_else(|| {
        CliError::user(format!("--http {address}: no address to listen on"))
            .hint("HOST:PORT, such as 127.0.0.1:7420, or PORT")
    })
}

/// Returns the host name that the user typed, unless it is an IP address.
fn name_in(address: &str) -> Option<String> {
    let (host, _) = address.rsplit_once(':')?;
    let is_name = !host.is_empty() && host.parse::<std::net::IpAddr>().is_err();
    (is_name && !host.starts_with('[')).then(|| host.to_owned())
}

/// Reads the token of requests.
fn token(matches: &ArgMatches) -> Result<Option<String>, CliError> {
    let token = match matches.get_one::<PathBuf>("token-file") {
        Some(file) => Some(Text::read(file)?.text().to_owned()),
        None => std::env::var("INFINILOOM_MCP_TOKEN").ok(),
    };
    match token.map(|token| token.trim().to_owned()) {
        Some(token) if token.len() < LEAST_TOKEN => {
            let told = format!("the token has fewer than {LEAST_TOKEN} characters");
            Err(CliError::user(told).hint("`openssl rand -hex 32` makes a good one"))
        }
        token => Ok(token),
    }
}

/// Opens a directory with its settings. The engine is offline and reads only inside the served
/// directories.
fn opener(matches: &ArgMatches) -> Opener {
    let matches = matches.clone();
    Arc::new(move |path: &Path| {
        let builder = library::builder(&matches, library::options(&matches, GROUPS));
        let engine = builder.offline().stay_inside_roots().build_unchecked();
        let repository = engine.open(path)?;
        let settings = repository.settings();
        let ui = library::ui(&settings);
        let warnings = settings.warnings().iter();
        warnings.for_each(|warning| ui.warn(warning));
        Ok(repository)
    })
}

/// Returns the directories in arguments that start at `mcp`.
fn roots_in(args: &[String]) -> Result<Vec<PathBuf>, String> {
    let matches = command().try_get_matches_from(args);
    let matches = matches.map_err(|error| {
        let told = error.to_string();
        told.lines().next().unwrap_or_default().to_owned()
    })?;
    let roots = matches.get_many::<PathBuf>("path");
    Ok(roots.into_iter().flatten().cloned().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_are_told_from_flags() {
        let roots = |text: &str| {
            let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
            let roots = roots_in(&words)?;
            let roots = roots.iter().map(|root| root.display().to_string());
            Ok::<_, String>(roots.collect::<Vec<_>>().join(" "))
        };
        assert_eq!(roots("mcp"), Ok(String::new()));
        let told = roots("mcp /a --http 7 /b --max-file-size=3 c");
        assert_eq!(told, Ok("/a /b c".to_owned()));
        // A flag without a value, and an argument that is not a flag.
        assert_eq!(roots("mcp --no-cache /a"), Ok("/a".to_owned()));
        assert_eq!(roots("mcp -- /a -b"), Ok("/a -b".to_owned()));
        assert!(roots("mcp --nothing /a").unwrap_err().contains("--nothing"));
    }
}
