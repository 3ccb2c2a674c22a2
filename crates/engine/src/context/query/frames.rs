//! Stack frames in the formats of many languages: a path, usually a line, and the function if
//! present.

use super::lines::Line;
use super::paths::{PathCue, cue, words};

/// A location in a stack trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Path as written.
    pub path: PathCue,
    /// Function without its type.
    pub function: Option<String>,
    /// Line number.
    pub line: Option<usize>,
}

/// A longer trace is a recursion.
const MOST: usize = 64;

/// Frames of a text, and a flag per line: true if it belongs to a trace.
pub(super) struct Trace {
    pub(super) frames: Vec<Frame>,
    pub(super) lines: Vec<bool>,
}

pub(super) fn read(lines: &[Line<'_>]) -> Trace {
    let mut in_trace = vec![false; lines.len()];
    let mut blocks: Vec<(bool, Vec<Frame>)> = Vec::new();
    let mut last: Option<usize> = None;
    for (at, line) in lines.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| lines.get(at));
        let Some((frame, is_innermost_last)) = frame(line.text, before.map(|line| line.text))
        else {
            continue;
        };
        in_trace[at] = true;
        let is_near = last.is_some_and(|last| at - last <= 12);
        last = Some(at);
        match blocks.last_mut() {
            Some((order, frames)) if is_near && *order == is_innermost_last => frames.push(frame),
            _ => blocks.push((is_innermost_last, vec![frame])),
        }
    }
    let mut frames = Vec::new();
    // If there are several traces, the first one is the origin.
    for (is_innermost_last, mut block) in blocks {
        if is_innermost_last {
            block.reverse();
        }
        frames.append(&mut block);
    }
    let mut known: Vec<Frame> = Vec::new();
    for frame in frames {
        if known.len() < MOST && !known.contains(&frame) {
            known.push(frame);
        }
    }
    Trace {
        frames: known,
        lines: in_trace,
    }
}

/// Parses a frame. Returns true with it if its language prints the innermost frame last.
fn frame(line: &str, before: Option<&str>) -> Option<(Frame, bool)> {
    let line = line.trim();
    python(line)
        .or_else(|| notebook(line))
        .map(|frame| (frame, true))
        .or_else(|| at_frame(line).map(|frame| (frame, false)))
        .or_else(|| numbered(line, before).map(|frame| (frame, false)))
}

/// `File "a/b.py", line 12, in name`
fn python(line: &str) -> Option<Frame> {
    let rest = &line[line.find("File \"")? + 6..];
    let (path, rest) = rest.split_once('"')?;
    let rest = rest.trim_start_matches([',', ' ']).strip_prefix("line ")?;
    let function = rest.split_once(" in ").map(|(_, name)| name);
    Some(Frame {
        path: cue(path)?,
        function: function.and_then(name),
        line: number(rest),
    })
}

/// `~/x/b.py in name(self, value)` in notebooks.
fn notebook(line: &str) -> Option<Frame> {
    let (path, rest) = line.split_once(" in ")?;
    let is_one = !path.contains(' ') && path.contains('/');
    is_one.then_some(())?;
    let open = rest.find('(');
    Some(Frame {
        path: cue(path)?,
        function: name(&rest[..open?]),
        line: None,
    })
}

/// `at a.b.Type.method(File.java:12)`, `at name (path/a.js:1:2)`, `at src/main.rs:4:5`,
/// `at A.B.C(String s) in /x/a.cs:line 12`
fn at_frame(line: &str) -> Option<Frame> {
    let rest = line.strip_prefix("at ")?;
    let path = words(rest).filter_map(cue).last()?;
    let function = rest
        .split(['(', ' '])
        .next()
        .filter(|word| cue(word).is_none());
    let line = path.line.or_else(|| number(rest.rsplit_once(":line ")?.1));
    Some(Frame {
        function: function.and_then(name),
        line,
        path,
    })
}

/// `path:12:in 'name'`, `#0 /x/a.php(12): Type->name()`, `\t/x/a.go:12 +0x1d`,
/// `#1 0x… in name (…) at a.c:12`, `--> src/a.rs:4:5`
fn numbered(line: &str, before: Option<&str>) -> Option<Frame> {
    let is_list = line.starts_with('#') && line[1..].starts_with(|c: char| c.is_ascii_digit());
    let mut path = words(line).find_map(cue)?;
    if is_list && path.line.is_none() {
        let name = path.parts.last()?;
        path.line = line
            .split_once(&format!("{name}("))
            .and_then(|(_, rest)| number(rest));
    }
    path.line?;
    let quoted = line
        .split_once(":in ")
        .map(|(_, rest)| rest.trim_matches(['`', '\'', '"']));
    let called = || {
        line.rsplit_once("): ")
            .and_then(|(_, rest)| rest.split('(').next())
    };
    let native = || {
        line.split_once(" in ")
            .and_then(|(_, rest)| rest.split([' ', '(']).next())
    };
    let is_go = path.parts.last().is_some_and(|name| name.ends_with(".go"));
    let above = || {
        before
            .filter(|_| is_go)
            .and_then(|line| line.trim().rsplit_once('('))
    };
    let function = quoted
        .or_else(called)
        .or_else(|| native().filter(|_| is_list))
        .or_else(|| above().map(|(name, _)| name));
    let is_frame =
        is_list || function.is_some() || line.contains("-->") || (is_go && line.contains(" +0x"));
    is_frame.then(|| Frame {
        function: function.and_then(name),
        line: path.line,
        path,
    })
}

/// Returns the last component of a qualified name.
fn name(text: &str) -> Option<String> {
    let text = text.trim().trim_end_matches(['\'', '`', '"', ')']);
    let last = text
        .rsplit(|c: char| !(c.is_alphanumeric() || c == '_'))
        .next()?;
    (last.len() > 1).then(|| last.to_owned())
}

fn number(text: &str) -> Option<usize> {
    let digits: String = text.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::query::lines;

    fn check(text: &str, expected: &str) {
        let found: Vec<String> = read(&lines::read(text))
            .frames
            .iter()
            .map(|frame| {
                let name = frame.path.parts.last().unwrap();
                let function = frame.function.as_deref().unwrap_or("-");
                format!("{name}:{}:{function}", frame.line.unwrap_or(0))
            })
            .collect();
        assert_eq!(found.join(" "), expected, "{text}");
    }

    #[test]
    fn frames_of_many_languages() {
        check(
            "x\n  File \"/a/b.py\", line 1, in run\n    go()\n  File \"/a/c.py\", line 22, in go",
            "c.py:22:go b.py:1:run",
        );
        check(
            "x\n~/p/charset.py in convert(self)\n",
            "charset.py:0:convert",
        );
        check(
            "x\n\tat org.x.Type.method(Type.java:44)",
            "Type.java:44:method",
        );
        check("x\n  at load (/w/src/a.js:10:3)", "a.js:10:load");
        check("x\nlib/a.rb:3:in `call'", "a.rb:3:call");
        check("x\n#0 /w/src/A.php(12): B->run()", "A.php:12:run");
        check("x\nmain.(*T).Run(0x1)\n\t/w/a.go:9 +0x1d", "a.go:9:Run");
        check("x\n#1 0x00 in parse (a=1) at src/a.c:7", "a.c:7:parse");
        check("x\n   at A.B.Go(String s) in /w/a.cs:line 12", "a.cs:12:Go");
        check("x\nsee src/a.py:12 for more", "");
    }
}
