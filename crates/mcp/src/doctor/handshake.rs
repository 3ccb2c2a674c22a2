//! A server asked for its tools over standard input and output, and not waited for long.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Clients give up after about as long.
const PATIENCE: Duration = Duration::from_secs(20);

/// No answer has more bytes.
const LONGEST: u64 = 8 << 20;

/// A server says no more than this before it answers.
const MOST_LINES: usize = 1000;

/// What a server is told in, which every server knows.
const PROTOCOL: &str = "2025-06-18";

/// What a server said about itself.
#[derive(Debug)]
pub(super) struct Answered {
    pub(super) name: String,
    pub(super) version: String,
    pub(super) protocol: String,
    pub(super) tools: usize,
    pub(super) took: Duration,
}

/// Starts the server, says hello, asks for its tools, and lets it go.
pub(super) fn ask(
    program: &Path,
    args: &[String],
    env: &[(String, String)],
    folder: &Path,
) -> Result<Answered, String> {
    let started = Instant::now();
    let mut child = Command::new(program)
        .args(args)
        .envs(env.iter().map(|(name, value)| (name, value)))
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("cannot be started: {error}"))?;
    let said = child.stderr.take().map(last_words);
    let answered = talk(&mut child, started);
    drop(child.stdin.take());
    end(&mut child);
    answered.map_err(|why| {
        let said = said.and_then(|said| said.recv_timeout(Duration::from_secs(1)).ok());
        match said.filter(|said| !said.is_empty()) {
            Some(said) => format!("{why}; it said: {said}"),
            None => why,
        }
    })
}

fn talk(child: &mut Child, started: Instant) -> Result<Answered, String> {
    let output = child.stdout.take().ok_or("it has no output")?;
    let lines = lines(output);
    let mut send = |message: &Value| {
        let input = child.stdin.as_mut();
        let sent = input.map(|input| writeln!(input, "{message}").and_then(|()| input.flush()));
        match sent {
            Some(Ok(())) => Ok(()),
            _ => Err("it ended at once".to_owned()),
        }
    };
    let us = json!({"name": "infiniloom-doctor", "version": env!("CARGO_PKG_VERSION")});
    let hello = json!({"protocolVersion": PROTOCOL, "capabilities": {}, "clientInfo": us});
    send(&json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}))?;
    let hello = receive(&lines, 1, started)?;
    send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
    send(&json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {}}))?;
    let tools = receive(&lines, 2, started)?;
    let tools = tools["tools"].as_array().map_or(0, Vec::len);
    if tools == 0 {
        return Err("it offers no tools".to_owned());
    }
    let text = |value: &Value| value.as_str().unwrap_or("?").to_owned();
    Ok(Answered {
        name: text(&hello["serverInfo"]["name"]),
        version: text(&hello["serverInfo"]["version"]),
        protocol: text(&hello["protocolVersion"]),
        tools,
        took: started.elapsed(),
    })
}

/// The result of the request with this number.
fn receive(lines: &Receiver<String>, id: u64, started: Instant) -> Result<Value, String> {
    for _ in 0..MOST_LINES {
        let left = PATIENCE.saturating_sub(started.elapsed());
        let line = match left.is_zero() {
            true => Err(RecvTimeoutError::Timeout),
            false => lines.recv_timeout(left),
        };
        let line = line.map_err(|why| match why {
            RecvTimeoutError::Timeout => format!("no answer in {} seconds", PATIENCE.as_secs()),
            RecvTimeoutError::Disconnected => "it ended before it answered".to_owned(),
        })?;
        let told: Value = serde_json::from_str(&line)
            .map_err(|_| "it writes something else than the protocol to its output".to_owned())?;
        if told["id"] == id {
            return match told.get("result") {
                Some(result) => Ok(result.clone()),
                None => {
                    let why = told["error"]["message"].as_str();
                    Err(format!(
                        "it refused: {}",
                        why.unwrap_or("it does not say why")
                    ))
                }
            };
        }
    }
    Err(format!("it writes without an answer: {MOST_LINES} lines"))
}

/// The lines of what it says, none longer than an answer can be. No more of them wait than
/// are soon read: who writes without end waits too.
fn lines(output: impl Read + Send + 'static) -> Receiver<String> {
    let (told, lines) = sync_channel(16);
    std::thread::spawn(move || {
        let mut output = BufReader::new(output);
        loop {
            let mut line = Vec::new();
            let read = (&mut output).take(LONGEST).read_until(b'\n', &mut line);
            let is_whole = line.ends_with(b"\n");
            let text = String::from_utf8_lossy(&line).into_owned();
            if !matches!(read, Ok(1..)) || told.send(text).is_err() || !is_whole {
                return;
            }
        }
    });
    lines
}

/// The last line of what it says to people.
fn last_words(output: impl Read + Send + 'static) -> Receiver<String> {
    let (told, words) = sync_channel(1);
    std::thread::spawn(move || {
        let (mut output, mut end, mut part) = (output, Vec::new(), [0; 4096]);
        while let Ok(read @ 1..) = output.read(&mut part) {
            end.extend_from_slice(&part[..read]);
            let old = end.len().saturating_sub(part.len());
            end.drain(..old);
        }
        let end = String::from_utf8_lossy(&end);
        let last = end.lines().rfind(|line| !line.trim().is_empty());
        let _ = told.send(last.unwrap_or_default().to_owned());
    });
    words
}

/// Lets it end by itself, but not for long.
fn end(child: &mut Child) {
    let until = Instant::now() + Duration::from_secs(2);
    while Instant::now() < until {
        if !matches!(child.try_wait(), Ok(None)) {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    let _ = child.kill();
    let _ = child.wait();
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
