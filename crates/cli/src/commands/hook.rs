//! `infiniloom hook start`: context that a coding agent gets without a tool call. A hook fails open:
//! an error, a timeout or a missing repository prints nothing and exits with 0, because the agent
//! must go on.

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::mpsc;
use std::time::Duration;

use clap::{Arg, ArgMatches, Command, value_parser};
use infiniloom::WorkingSet;
use loom_settings::Group;
use serde_json::Value;

use crate::error::CliError;
use crate::library;

const GROUPS: &[Group] = &[Group::Privacy, Group::Secrets, Group::Model];

/// Maximum input in bytes; clients send less.
const LONGEST_INPUT: u64 = 1 << 20;
/// Bytes read from the end of a transcript: the latest hours of work.
const LONGEST_TRANSCRIPT: u64 = 8 << 20;
/// Maximum output: Claude Code and Codex pass on at most 10,000 characters or bytes of it.
const LONGEST_OUTPUT: usize = 9_900;
/// Default tokens of the output.
const TOKENS: &str = "1500";
/// Default seconds after which the hook ends without output.
const SECONDS: &str = "5";

pub(super) fn command() -> Command {
    let start = Command::new("start")
        .about("Print the working files and their instructions after a compaction")
        .after_help(
            "Runs as a SessionStart hook of Claude Code or Codex and reads the hook's JSON from standard \
             input. After a compaction it lists the files that the conversation read or edited last, and \
             the instruction files that apply to them and that the client does not send again. At any \
             other start it prints nothing. Errors and timeouts print nothing, and the exit code is 0.",
        )
        .arg(
            Arg::new("budget")
                .long("budget")
                .short('b')
                .value_name("TOKENS")
                .value_parser(value_parser!(usize))
                .default_value(TOKENS)
                .help("Print at most TOKENS"),
        )
        .arg(
            Arg::new("timeout")
                .long("timeout")
                .value_name("SECONDS")
                .value_parser(value_parser!(u64))
                .default_value(SECONDS)
                .help("End without output after SECONDS"),
        );
    Command::new("hook")
        .about("Give a coding agent context without a tool call")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand(crate::flags::with_settings(start, GROUPS))
}

pub(super) fn run(matches: &ArgMatches) -> Result<ExitCode, CliError> {
    if let Some(("start", matches)) = matches.subcommand()
        && let Some(text) = within_time(matches)
    {
        super::print(&text)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the output of `start` if it finishes in time. The process does not wait for a late
/// thread, even one that reads standard input.
fn within_time(matches: &ArgMatches) -> Option<String> {
    let (sender, receiver) = mpsc::channel();
    let seconds = *matches.get_one("timeout")?;
    let matches = matches.clone();
    std::thread::spawn(move || sender.send(start(&matches)));
    let output = receiver.recv_timeout(Duration::from_secs(seconds));
    output.ok().flatten()
}

/// Returns the output; `None` if it is empty or a step fails.
fn start(matches: &ArgMatches) -> Option<String> {
    let input = input()?;
    if input["source"] != "compact" {
        return None;
    }
    let directory = PathBuf::from(input["cwd"].as_str()?);
    let transcript = transcript(input["transcript_path"].as_str()?)?;
    let query = WorkingSet::new(&transcript, &directory)
        .tokens(*matches.get_one("budget")?)
        .bytes(LONGEST_OUTPUT);
    let builder = library::builder(matches, library::options(matches, GROUPS));
    let engine = builder.offline().build_unchecked();
    let snapshot = engine.open(&directory).ok()?.snapshot().ok()?;
    let info = query.run(&snapshot).ok()?;
    (!info.text.is_empty()).then_some(info.text)
}

fn input() -> Option<Value> {
    let mut text = String::new();
    let mut input = std::io::stdin().lock().take(LONGEST_INPUT);
    input.read_to_string(&mut text).ok()?;
    serde_json::from_str(&text).ok()
}

/// Reads the end of a transcript. Its first line may be incomplete.
fn transcript(path: &str) -> Option<String> {
    let mut file = File::open(path).ok()?;
    let length = file.metadata().ok().filter(fs::Metadata::is_file)?.len();
    let start = length.saturating_sub(LONGEST_TRANSCRIPT);
    file.seek(SeekFrom::Start(start)).ok()?;
    let mut bytes = Vec::new();
    file.take(LONGEST_TRANSCRIPT).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}
