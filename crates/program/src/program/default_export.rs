//! The default export of a JavaScript file, which other files import under their own names.

use loom_syntax::{Structure, Symbol};

/// Returns the index of the symbol that is the default export, if it has a name.
pub fn default_export(structure: &Structure) -> Option<usize> {
    let outermost = structure.symbols.iter().enumerate();
    let outermost = outermost.filter(|(_, one)| one.parent.is_none());
    let is_default = |one: &Symbol| one.signature.starts_with("export default");
    if let Some((at, _)) = outermost.clone().find(|(_, one)| is_default(one)) {
        return Some(at);
    }
    // A separate statement: `export default Name`.
    let name = structure.default.as_deref()?;
    let mut named = outermost.filter(|(_, one)| one.name == name);
    named.next().map(|(at, _)| at)
}
