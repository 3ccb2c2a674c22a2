//! The exports in `module.exports`.

use tree_sitter::Node;

use crate::grammar::Field;
use crate::walk::Walk;

/// Returns the names in `module.exports = …`.
pub(super) fn exported_names<'t>(walk: &Walk<'t>, value: Node<'t>) -> Vec<&'t str> {
    match value.kind() {
        "identifier" => vec![walk.text_of(value)],
        "object" => {
            let mut names = Vec::new();
            for child in walk.children(value) {
                match child.kind() {
                    "shorthand_property_identifier" => names.push(walk.text_of(child)),
                    "pair" => {
                        let value = walk.field(child, Field::Value);
                        let value = value.filter(|value| value.kind() == "identifier");
                        names.extend(value.map(|value| walk.text_of(value)));
                    }
                    _ => {}
                }
            }
            names
        }
        _ => Vec::new(),
    }
}
