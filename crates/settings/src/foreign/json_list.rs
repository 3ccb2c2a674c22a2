//! Adds and removes items of a list in a JSON text, as edits of its bytes.

use serde_json::{Value, json};

use super::json::{Node, NodeKind, read};
use super::json_edit::{self, own_indent};
use super::{Edit, ForeignError, ForeignSyntax, apply, newline};

const SYNTAX: ForeignSyntax = ForeignSyntax::Json;

/// Appends an item to the list at `path`. Returns the same text if an item of the list is equal.
pub(super) fn add(text: &str, path: &[&str], item: &Value) -> Result<String, ForeignError> {
    let Some((name, tables)) = path.split_last() else {
        return Ok(text.to_owned());
    };
    let root = read(text, SYNTAX)?;
    let items = match &root {
        Some(root) => items(text, root, path)?,
        None => None,
    };
    let Some((list, items)) = items else {
        return json_edit::set(text, SYNTAX, tables, &[(name, json!([item]))]);
    };
    if items.iter().any(|one| one.value() == *item) {
        return Ok(text.to_owned());
    }
    let edit = match items.last() {
        None => Edit::insert(list.range.start + 1, item.to_string()),
        Some(last) => match own_indent(text, last.range.start) {
            Some(indent) => {
                let with = format!(",{}{indent}{item}", newline(text));
                Edit::insert(last.range.end, with)
            }
            None => Edit::insert(last.range.end, format!(", {item}")),
        },
    };
    Ok(apply(text, &[edit]))
}

/// Removes the items that `is_ours` accepts. The list itself is removed too if nothing else is in
/// it, unless it is in `before`.
pub(super) fn take(
    text: &str,
    path: &[&str],
    is_ours: &dyn Fn(&Value) -> bool,
    before: Option<&str>,
) -> Result<String, ForeignError> {
    let mut text = text.to_owned();
    loop {
        let Some(root) = read(&text, SYNTAX)? else {
            return Ok(text);
        };
        let Some((_, items)) = items(&text, &root, path)? else {
            return Ok(text);
        };
        let Some(at) = items.iter().position(|item| is_ours(&item.value())) else {
            return Ok(text);
        };
        let had_list = before.is_some_and(|before| has_list(before, path));
        if items.len() == 1 && !had_list {
            return json_edit::take_value(&text, SYNTAX, path, before);
        }
        let range = match (at.checked_sub(1), items.get(1)) {
            (Some(above), _) => items[above].range.end..items[at].range.end,
            (None, Some(next)) => items[0].range.start..next.range.start,
            (None, None) => items[0].range.clone(),
        };
        text = apply(&text, &[Edit::remove(range)]);
    }
}

/// Returns the items of the list at `path`; none if there is no list.
pub(super) fn get(text: &str, path: &[&str]) -> Result<Vec<Value>, ForeignError> {
    let Some(root) = read(text, SYNTAX)? else {
        return Ok(Vec::new());
    };
    let items = items(text, &root, path)?;
    let items = items.map_or(&[][..], |(_, items)| items);
    Ok(items.iter().map(Node::value).collect())
}

fn has_list(text: &str, path: &[&str]) -> bool {
    let root = read(text, SYNTAX).ok().flatten();
    root.is_some_and(|root| matches!(items(text, &root, path), Ok(Some(_))))
}

/// Returns the list at `path` with its items.
fn items<'n>(
    text: &str,
    root: &'n Node,
    path: &[&str],
) -> Result<Option<(&'n Node, &'n [Node])>, ForeignError> {
    let Some(list) = json_edit::value_at(text, root, path)? else {
        return Ok(None);
    };
    match &list.kind {
        NodeKind::Array(items) => Ok(Some((list, items))),
        _ => {
            let problem = format!("expected a list `[…]` for `{}`", path.join("."));
            Err(ForeignError::at(text, list.range.start, problem))
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::ForeignList;
    use super::*;

    const LIST: ForeignList<'_> = ForeignList {
        path: &["hooks", "Stop"],
    };

    fn ours() -> Value {
        json!({"hooks": [{"command": "loom"}]})
    }

    fn is_ours(value: &Value) -> bool {
        *value == ours()
    }

    #[track_caller]
    fn check(old: &str, expected: &str) {
        let new = LIST.add(old, &ours()).unwrap();
        assert_eq!(new, expected);
        assert_eq!(LIST.add(&new, &ours()).unwrap(), new, "twice is once");
        assert_eq!(LIST.take(&new, &is_ours, Some(old)).unwrap(), old);
    }

    #[test]
    fn item_follows_the_layout_of_the_list() {
        let item = r#"{"hooks":[{"command":"loom"}]}"#;
        let whole = format!("{{\n  \"hooks\": {{\n    \"Stop\": [{item}]\n  }}\n}}\n");
        check("", &whole);
        check("{}", whole.trim_end());
        check(
            r#"{"hooks": {"Stop": [ ]}}"#,
            &format!(r#"{{"hooks": {{"Stop": [{item} ]}}}}"#),
        );
        check(
            r#"{"hooks": {"Stop": [1, 2], "Start": []}}"#,
            &format!(r#"{{"hooks": {{"Stop": [1, 2, {item}], "Start": []}}}}"#),
        );
        check(
            "{\r\n\t\"hooks\": {\r\n\t\t\"Stop\": [\r\n\t\t\t1\r\n\t\t]\r\n\t}\r\n}\r\n",
            &format!(
                "{{\r\n\t\"hooks\": {{\r\n\t\t\"Stop\": [\r\n\t\t\t1,\r\n\t\t\t{item}\r\n\t\t]\r\n\t}}\r\n}}\r\n"
            ),
        );
    }

    #[test]
    fn items_of_others_stay() {
        let old = "{\"a\": 1}";
        let new = LIST.add(old, &ours()).unwrap();
        let other = LIST.add(&new, &json!("other")).unwrap();
        let left = LIST.take(&other, &is_ours, Some(old)).unwrap();
        assert_eq!(LIST.get(&left).unwrap(), [json!("other")]);
        let nobody = |_: &Value| false;
        assert_eq!(LIST.take(&left, &nobody, Some(old)).unwrap(), left);
        assert_eq!(LIST.take(old, &is_ours, None).unwrap(), old);
    }

    #[test]
    fn another_value_in_the_place_of_the_list_is_an_error() {
        let error = LIST.add("{\"hooks\": {\"Stop\": 1}}", &ours()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "line 1, column 20: expected a list `[…]` for `hooks.Stop`"
        );
        assert!(LIST.add("{\"hooks\": []}", &ours()).is_err());
        assert!(LIST.add("[", &ours()).is_err());
    }

    proptest! {
        #[test]
        fn a_list_comes_back_byte_for_byte(
            before in prop::collection::vec("[ \n\t]{0,3}[1-9][0-9]?[ \n\t]{0,3}", 0..4),
            gap in "[ \n\t]{0,3}",
        ) {
            let old = format!("{{\"hooks\":{gap}{{\"Stop\": [{gap}{}]}}}}", before.join(","));
            let new = LIST.add(&old, &ours()).unwrap();
            let parsed: Value = serde_json::from_str(&new).unwrap();
            prop_assert_eq!(parsed["hooks"]["Stop"].as_array().unwrap().len(), before.len() + 1);
            prop_assert_eq!(LIST.take(&new, &is_ours, Some(&old)).unwrap(), old);
        }
    }
}
