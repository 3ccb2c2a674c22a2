//! A program with its arguments, as it runs and as a person would type it.

use std::env;
use std::fmt;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::thread;

use anyhow::{Context, Result, bail};

/// A command line. It runs in the root of the checkout.
#[derive(Clone)]
pub(crate) struct Invocation {
    program: String,
    arguments: Vec<String>,
    environment: Vec<(String, String)>,
}

impl Invocation {
    pub(crate) fn new(program: &str, arguments: &[&str]) -> Self {
        Self {
            program: program.to_owned(),
            arguments: arguments.iter().map(|&text| text.to_owned()).collect(),
            environment: Vec::new(),
        }
    }

    pub(crate) fn cargo(arguments: &[&str]) -> Self {
        Self::new("cargo", arguments)
    }

    pub(crate) fn arguments(mut self, more: &[String]) -> Self {
        self.arguments.extend_from_slice(more);
        self
    }

    pub(crate) fn environment(mut self, name: &str, value: &str) -> Self {
        self.environment.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Runs the program with our own input and output; a failure is an error.
    pub(crate) fn run(&self, root: &Path) -> Result<()> {
        let status = self
            .command(root)
            .status()
            .with_context(|| self.not_started())?;
        self.succeeded(status)
    }

    /// Runs the program and returns its standard output.
    pub(crate) fn output(&self, root: &Path) -> Result<Vec<u8>> {
        let output = self
            .command(root)
            .stderr(Stdio::inherit())
            .output()
            .with_context(|| self.not_started())?;
        self.succeeded(output.status)?;
        Ok(output.stdout)
    }

    /// Runs the program, prints each line as it comes, and returns the lines and the status.
    pub(crate) fn echo(&self, root: &Path) -> Result<Echo> {
        self.collect(root, print, print_error)
    }

    /// Runs the program like `echo`, without printing.
    pub(crate) fn capture(&self, root: &Path) -> Result<Echo> {
        self.collect(root, |_| {}, |_| {})
    }

    fn collect(&self, root: &Path, out: fn(&str), error: fn(&str)) -> Result<Echo> {
        let mut child = self
            .command(root)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .with_context(|| self.not_started())?;
        let errors = child.stderr.take();
        let errors = thread::spawn(move || errors.map(|pipe| copy_lines(pipe, error)));
        let mut lines = child
            .stdout
            .take()
            .map(|pipe| copy_lines(pipe, out))
            .unwrap_or_default();
        lines.extend(errors.join().ok().flatten().unwrap_or_default());
        let success = child.wait().with_context(|| self.not_started())?.success();
        Ok(Echo { lines, success })
    }

    fn command(&self, root: &Path) -> Command {
        let mut command = Command::new(resolve(&self.program));
        command
            .args(&self.arguments)
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .current_dir(root);
        command
    }

    fn succeeded(&self, status: ExitStatus) -> Result<()> {
        if !status.success() {
            bail!("`{self}` failed: {status}");
        }
        Ok(())
    }

    fn not_started(&self) -> String {
        format!("cannot run `{self}`")
    }
}

/// Output and status of a program.
pub(crate) struct Echo {
    pub(crate) lines: Vec<String>,
    pub(crate) success: bool,
}

fn copy_lines(pipe: impl Read, print: fn(&str)) -> Vec<String> {
    let lines = BufReader::new(pipe).split(b'\n').map_while(Result::ok);
    lines
        .map(|line| String::from_utf8_lossy(&line).into_owned())
        .inspect(|line| print(line))
        .collect()
}

fn print(line: &str) {
    println!("{line}");
}

fn print_error(line: &str) {
    eprintln!("{line}");
}

/// Cargo passes its own path to the programs it runs, so that they use the same toolchain.
fn resolve(program: &str) -> String {
    let cargo = (program == "cargo")
        .then(|| env::var("CARGO").ok())
        .flatten();
    cargo.unwrap_or_else(|| program.to_owned())
}

impl fmt::Display for Invocation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in &self.environment {
            write!(formatter, "{name}={} ", quoted(value))?;
        }
        formatter.write_str(&self.program)?;
        self.arguments
            .iter()
            .try_for_each(|argument| write!(formatter, " {}", quoted(argument)))
    }
}

fn quoted(text: &str) -> String {
    let plain = |character: char| character.is_alphanumeric() || "-_=./:,".contains(character);
    if !text.is_empty() && text.chars().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shown_as_typed() {
        let shown = Invocation::cargo(&["doc", "--no-deps"])
            .environment("RUSTDOCFLAGS", "-D warnings")
            .arguments(&["it's".to_owned()]);
        assert_eq!(
            shown.to_string(),
            r"RUSTDOCFLAGS='-D warnings' cargo doc --no-deps 'it'\''s'"
        );
    }

    #[test]
    fn both_streams_are_given_back() {
        let script = "echo out; echo err >&2; exit 3";
        let echo = Invocation::new("sh", &["-c", script])
            .echo(Path::new("."))
            .unwrap();
        assert_eq!(echo.lines, ["out", "err"]);
        assert!(!echo.success);
    }

    #[test]
    fn failure_names_the_command() {
        let error = Invocation::new("sh", &["-c", "exit 3"])
            .run(Path::new("."))
            .unwrap_err();
        assert!(
            error.to_string().starts_with("`sh -c 'exit 3'` failed"),
            "{error}"
        );
    }
}
