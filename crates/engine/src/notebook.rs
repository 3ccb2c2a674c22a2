//! Notebooks as their cells: the source of each, without outputs, images and counters.

use serde_json::Value;

/// Converts the cells of a Jupyter notebook to one script, with `# %%` between cells and text cells
/// as comments. Returns `None` if `text` is not a notebook.
pub fn cells(text: &str) -> Option<String> {
    let notebook: Value = serde_json::from_str(text).ok()?;
    let cells = notebook.get("cells")?.as_array()?;
    let mut script = String::new();
    for cell in cells {
        let kind = cell.get("cell_type")?.as_str()?;
        let source = source_of(cell.get("source")?)?;
        if !script.is_empty() {
            script.push('\n');
        }
        push_cell(&mut script, kind, &source);
    }
    Some(script)
}

fn source_of(source: &Value) -> Option<String> {
    match source {
        Value::String(text) => Some(text.clone()),
        Value::Array(lines) => lines.iter().map(Value::as_str).collect(),
        _ => None,
    }
}

fn push_cell(script: &mut String, kind: &str, source: &str) {
    let comment = if kind == "code" { "" } else { "# " };
    script.push_str("# %%");
    if kind != "code" {
        script.extend([" [", kind, "]"]);
    }
    script.push('\n');
    for line in source.lines() {
        script.push_str(if line.is_empty() {
            comment.trim_end()
        } else {
            comment
        });
        script.push_str(line);
        script.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_are_removed() {
        let text = r##"{"cells": [
            {"cell_type": "markdown", "source": ["# Title\n", "\n", "text"]},
            {"cell_type": "code", "source": "x = 1\nx", "outputs": [{"data": "SECRET"}], "execution_count": 3}
        ], "metadata": {}, "nbformat": 4}"##;
        let expected = "# %% [markdown]\n# # Title\n#\n# text\n\n# %%\nx = 1\nx\n";
        assert_eq!(cells(text).unwrap(), expected);
    }

    #[test]
    fn other_json_is_not_a_notebook() {
        for text in ["", "[]", "{}", r#"{"cells": 1}"#, r#"{"cells": [{}]}"#] {
            assert_eq!(cells(text), None, "{text}");
        }
    }
}
