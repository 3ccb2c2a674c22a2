//! Commands that show files. This is a guess about simple commands, not a parser of shells: a wrong
//! guess names a file that the caller does not find.

use super::FileUse;

/// Programs that print the files of their arguments.
const READERS: &[&str] = &["cat", "head", "tail", "sed", "nl", "less", "bat"];

/// Returns the files that a command line shows.
pub(super) fn file_uses(command: &str) -> Vec<FileUse> {
    let parts = command.split(['\n', ';', '|', '&']);
    parts.flat_map(of_simple_command).collect()
}

fn of_simple_command(command: &str) -> Vec<FileUse> {
    let words = words(command);
    let mut rest = words.iter();
    let Some(program) = rest.next() else {
        return Vec::new();
    };
    let name = program.rsplit('/').next().unwrap_or(program);
    if !READERS.contains(&name) {
        return Vec::new();
    }
    let lines = words.iter().find_map(|word| line_range(word));
    let is_file = |word: &&String| !word.starts_with('-') && looks_like_path(word);
    rest.filter(is_file)
        .map(|path| FileUse {
            lines: lines.filter(|_| name == "sed"),
            ..FileUse::read(path)
        })
        .collect()
}

/// A path has a directory or an extension, and no sign of a pattern or script.
fn looks_like_path(word: &str) -> bool {
    let is_named = word.contains('/') || word.contains('.');
    is_named && line_range(word).is_none() && !word.contains(['*', '$', '<', '>', '(', '{', '\\'])
}

/// `10,20p` of `sed -n`.
fn line_range(word: &str) -> Option<(usize, usize)> {
    let (first, last) = word.strip_suffix('p')?.split_once(',')?;
    Some((first.parse().ok()?, last.parse().ok()?))
}

/// Splits at blanks that are not between quotes.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut quote = None;
    for letter in command.chars() {
        match quote {
            Some(open) if open == letter => quote = None,
            None if matches!(letter, '"' | '\'') => quote = Some(letter),
            None if letter.is_whitespace() => words.push(std::mem::take(&mut word)),
            _ => word.push(letter),
        }
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    words
}
