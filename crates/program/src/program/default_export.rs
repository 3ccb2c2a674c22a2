//! What a file of JavaScript hands out as its default, which others import under names of
//! their own.

use loom_syntax::{Structure, Symbol};

/// The symbol that is the default export, by its place in the file, where it has a name.
pub fn default_export(structure: &Structure) -> Option<usize> {
    let outermost = structure.symbols.iter().enumerate();
    let outermost = outermost.filter(|(_, one)| one.parent.is_none());
    let is_default = |one: &Symbol| one.signature.starts_with("export default");
    if let Some((at, _)) = outermost.clone().find(|(_, one)| is_default(one)) {
        return Some(at);
    }
    // Apart from it, as `export default Name`.
    let name = structure.default.as_deref()?;
    let mut named = outermost.filter(|(_, one)| one.name == name);
    named.next().map(|(at, _)| at)
}
