//! What `module.exports` hands out.

use tree_sitter::Node;

use crate::grammar::Field;
use crate::walk::Walk;

/// The names in `module.exports = …`.
pub(super) fn handed_out<'t>(walk: &Walk<'t>, value: Node<'t>) -> Vec<&'t str> {
    match value.kind() {
        "identifier" => vec![walk.of(value)],
        "object" => {
            let mut names = Vec::new();
            for child in walk.children(value) {
                match child.kind() {
                    "shorthand_property_identifier" => names.push(walk.of(child)),
                    "pair" => {
                        let value = walk.field(child, Field::Value);
                        let value = value.filter(|value| value.kind() == "identifier");
                        names.extend(value.map(|value| walk.of(value)));
                    }
                    _ => {}
                }
            }
            names
        }
        _ => Vec::new(),
    }
}
