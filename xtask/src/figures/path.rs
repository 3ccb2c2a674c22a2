//! Paths to values in a result file: `corpora[name=django].tools[0]."ours cold"`. A leading `$`
//! starts at the file, all other paths at the current row.

use anyhow::{Context, Result, bail};
use serde_json::Value;

/// Looks up a value. Returns `None` if a key is missing.
pub(crate) fn find<'v>(path: &str, row: &'v Value, file: &'v Value) -> Result<Option<&'v Value>> {
    let mut rest = path.trim();
    let mut at = row;
    if let Some(from_file) = rest.strip_prefix('$') {
        at = file;
        rest = from_file.trim_start_matches('.');
    }
    while !rest.is_empty() {
        let (step, behind) = step(rest).with_context(|| format!("cannot read the path {path}"))?;
        rest = behind.strip_prefix('.').unwrap_or(behind);
        let next = match step {
            Step::Key(key) => at.get(key),
            Step::Number(number) => at.get(number),
            Step::Where(key, wanted) => at.as_array().and_then(|all| {
                let is_wanted = |one: &&Value| one.get(key).is_some_and(|it| text(it) == wanted);
                all.iter().find(is_wanted)
            }),
        };
        match next {
            Some(next) => at = next,
            None => return Ok(None),
        }
    }
    Ok(Some(at))
}

#[derive(Debug)]
enum Step<'p> {
    Key(&'p str),
    Number(usize),
    /// The first element whose member has this value.
    Where(&'p str, &'p str),
}

fn step(path: &str) -> Result<(Step<'_>, &str)> {
    if let Some(quoted) = path.strip_prefix('"') {
        let (key, behind) = quoted.split_once('"').context("a quote is not closed")?;
        return Ok((Step::Key(key), behind));
    }
    if let Some(inside) = path.strip_prefix('[') {
        let (inside, behind) = inside.split_once(']').context("a bracket is not closed")?;
        return match inside.split_once('=') {
            Some((key, value)) => Ok((Step::Where(key, value), behind)),
            None => Ok((Step::Number(inside.parse()?), behind)),
        };
    }
    match path.find(['.', '[']).unwrap_or(path.len()) {
        0 => bail!("a key is empty"),
        end => Ok((Step::Key(&path[..end]), &path[end..])),
    }
}

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn keys_numbers_and_members_lead_to_a_value() {
        let file = json!({"trees": [{"name": "a", "s": [1, 2]}, {"name": "b", "ours cold": 7}]});
        let row = &file["trees"][0];
        let found = |path: &str| find(path, row, &file).unwrap().cloned();
        assert_eq!(found("s[1]"), Some(json!(2)));
        assert_eq!(found("$.trees[name=b].\"ours cold\""), Some(json!(7)));
        assert_eq!(found("$.trees[name=c].s"), None);
        assert!(find("s[", row, &file).is_err());
    }
}
