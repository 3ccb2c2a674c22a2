//! What a file of JavaScript hands out as its default, which others import under names of
//! their own.

use crate::{Structure, Symbol, Visibility};

/// The symbol that is the default export, by its place in the file, where it has a name.
pub fn default_export(structure: &Structure) -> Option<usize> {
    let outermost = structure.symbols.iter().enumerate();
    let outermost = outermost.filter(|(_, one)| one.parent.is_none());
    let is_default = |one: &Symbol| one.signature.starts_with("export default");
    if let Some((at, _)) = outermost.clone().find(|(_, one)| is_default(one)) {
        return Some(at);
    }
    // Behind it, as `export default Name`: others may use it, and not because of a word
    // where it stands.
    let is_handed =
        |one: &Symbol| one.visibility == Visibility::Public && !one.signature.starts_with("export");
    let mut handed = outermost.filter(|(_, one)| is_handed(one));
    let only = handed.next().map(|(at, _)| at);
    only.filter(|_| handed.next().is_none())
}
