//! `read`: a file, some of its lines, or a symbol.

use loom_host::{Level, Navigate, ShownText, SyntaxNavigator, Target};
use serde_json::{Value, json};

use super::{Call, Tool, partial, quote};
use crate::answer::{Answer, Fitted};
use crate::arguments::Wrong;
use crate::root::Live;

pub(super) const TOOL: Tool = Tool {
    name: "read",
    about: "Shows a file (`path`), some of it (`lines`: 120-180) or one definition (`symbol`), with line numbers. \
            `compress` leaves out bodies: aggressive keeps signatures and documentation, extreme one line a symbol.",
    arguments,
    required: &[],
    tokens: 4000,
    run,
};

const LEVELS: &[&str] = &["none", "minimal", "balanced", "aggressive", "extreme"];

fn arguments() -> Value {
    json!({
        "path": {"type": "string"},
        "symbol": {"type": "string", "description": "Instead of path: a name as for navigate"},
        "lines": {"type": "string", "description": "Such as 10-40 or 10-"},
        "compress": {"type": "string", "enum": LEVELS},
    })
}

fn run(call: &Call<'_>) -> Result<Fitted, Wrong> {
    let level = call.arguments.choice("compress", LEVELS)?;
    let level = Level::from_name(level).unwrap_or(Level::None);
    let lines = call.arguments.text("lines")?.map(span).transpose()?;
    let (path, symbol) = (call.arguments.text("path")?, call.arguments.text("symbol")?);
    if let Some(symbol) = symbol
        && !call.is_indexed()
    {
        return partial::lines(call, &partial::last_name(symbol));
    }
    let answer = call.root.with(call.cancel, |live| match (path, symbol) {
        (Some(path), None) => file(live, path, lines, level),
        (None, Some(symbol)) => definition(live, symbol, level),
        _ => Err(Wrong::new("say either `path` (a file below the root) or `symbol` (a name), not both and not neither")),
    })??;
    Ok(answer.fit(call.limit, &call.root.packer().options().model))
}

/// `10-40`, `10-` or `10`.
fn span(text: &str) -> Result<(usize, usize), Wrong> {
    let wrong = || Wrong(format!("`lines` must be like 10-40, not {text:?}"));
    let number = |text: &str| text.trim().parse::<usize>().map_err(|_| wrong());
    let (first, last) = match text.split_once('-') {
        Some((first, last)) if last.trim().is_empty() => (number(first)?, usize::MAX),
        Some((first, last)) => (number(first)?, number(last)?),
        None => (number(text)?, number(text)?),
    };
    match first >= 1 && first <= last {
        true => Ok((first, last)),
        false => Err(wrong()),
    }
}

fn file(
    live: &Live,
    path: &str,
    lines: Option<(usize, usize)>,
    level: Level,
) -> Result<Answer, Wrong> {
    let Some(shown) = live.searcher.shown_text(path, level) else {
        return Err(Wrong(format!(
            "there is no text at {path:?}{}",
            near(live, path)
        )));
    };
    let (first, last) = lines.unwrap_or((1, usize::MAX));
    if first > shown.total.max(1) {
        let last = shown.total;
        return Err(Wrong(format!(
            "{path} has {last} lines: ask for some of 1-{last}"
        )));
    }
    Ok(quoted(&shown, first, last, None))
}

/// Paths that somebody may have meant.
fn near(live: &Live, path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
    let same = |known: &str| {
        known
            .rsplit('/')
            .next()
            .is_some_and(|own| own.to_lowercase() == name)
    };
    let found: Vec<String> = live
        .searcher
        .paths()
        .map(|path| path.display().into_owned())
        .filter(|known| same(known))
        .take(5)
        .collect();
    match found.is_empty() {
        true => ": `search` or `map` tell what there is".to_owned(),
        false => format!("; there is {}", found.join(", ")),
    }
}

fn definition(live: &Live, symbol: &str, level: Level) -> Result<Answer, Wrong> {
    let target =
        Target::parse(symbol).ok_or_else(|| Wrong(format!("there is no name in {symbol:?}")))?;
    let found = SyntaxNavigator::new(&live.searcher).definitions(&target);
    let Some(one) = found.first() else {
        return Err(Wrong(format!(
            "no definition of {symbol:?} is known; `search` finds text"
        )));
    };
    let path = one.place.path.display();
    let shown = live.searcher.shown_text(&path, level);
    let shown = shown.ok_or_else(|| Wrong(format!("{path} cannot be read")))?;
    let others: Vec<String> = found[1..]
        .iter()
        .take(5)
        .map(|one| {
            format!(
                "{} at {}:{}",
                one.qualified,
                one.place.path.display(),
                one.place.line
            )
        })
        .collect();
    let note = (!others.is_empty()).then(|| format!("Also of this name: {}", others.join(", ")));
    Ok(quoted(&shown, one.place.line, one.end_line, note))
}

fn quoted(shown: &ShownText, first: usize, last: usize, note: Option<String>) -> Answer {
    let path = shown.path.display();
    let language = shown
        .language
        .map(|language| format!(", {language}"))
        .unwrap_or_default();
    let mut answer = Answer::new(format!("{path} ({} lines{language})", shown.total))
        .more("Ask for the other `lines`, or with `compress`.")
        .note(note);
    for (number, text) in &shown.lines {
        if (first..=last).contains(number) {
            answer.push(
                quote::line(*number, text),
                quote::source(&path, *number, *number),
            );
        }
    }
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_people_write_them() {
        assert_eq!(span("10-40"), Ok((10, 40)));
        assert_eq!(span(" 7 "), Ok((7, 7)));
        assert_eq!(span("3-"), Ok((3, usize::MAX)));
        for wrong in ["", "0", "5-3", "a-b", "-4", "1-2-3"] {
            assert!(span(wrong).is_err(), "{wrong}");
        }
    }
}
