//! Lua.

use tree_sitter::Node;

use crate::grammar::{Docs, Field, Rule, Spec};
use crate::walk::{Definition, Walk};
use crate::{ImportKind, Symbol, SymbolKind, Visibility};

pub(super) const LUA: Spec = Spec {
    id: "lua",
    grammar: || tree_sitter_lua::LANGUAGE.into(),
    separator: ".",
    literals: &["table_constructor"],
    rules: &[&[
        ("comment", Rule::Comment),
        ("function_declaration", Rule::Custom(function)),
        ("function_definition", Rule::Local),
        ("variable_declaration", Rule::Wrapper),
        ("assignment_statement", Rule::Custom(assignment)),
        ("function_call", Rule::Custom(call)),
        ("if_statement", Rule::Branch),
        ("elseif_statement", Rule::Branch),
        ("while_statement", Rule::Branch),
        ("repeat_statement", Rule::Branch),
        ("for_statement", Rule::Branch),
        ("binary_expression", Rule::Custom(operator)),
    ]],
    docs: Docs::Above,
    visibility,
    is_test,
};

fn visibility(_: &Walk<'_>, _: SymbolKind, _: &str, modifiers: &str) -> Visibility {
    match modifiers.trim_start().starts_with("local") {
        true => Visibility::Private,
        false => Visibility::Public,
    }
}

fn is_test(_: &Walk<'_>, symbol: &Symbol, _: &str) -> bool {
    let name = symbol.name.to_lowercase();
    symbol.kind.is_function() && name.starts_with("test")
}

fn operator<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if walk.child_of_kind(node, &["and", "or"]).is_some() {
        walk.branch();
    }
}

fn function<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(name) = walk.field(node, Field::Name) {
        let body = walk.field(node, Field::Body);
        named(walk, SymbolKind::Function, node, name, body);
    }
}

/// Defines a plain name, or `Table.name` and `Table:name`, which belong to the table.
fn named<'t>(
    walk: &mut Walk<'t>,
    kind: SymbolKind,
    node: Node<'t>,
    path: Node<'t>,
    body: Option<Node<'t>>,
) {
    let last = [Field::Member, Field::Method]
        .into_iter()
        .find_map(|field| walk.field(path, field));
    let Some(name) = last else {
        return walk.define(Definition::new(kind, node, path).body(body));
    };
    let kind = match kind {
        SymbolKind::Function => SymbolKind::Method,
        _ => SymbolKind::Field,
    };
    let owner = walk.slice(path.start_byte(), name.start_byte());
    let owner = owner.trim_end_matches(['.', ':']).to_owned();
    let definition = Definition::new(kind, node, name).owner(Some(owner));
    walk.define(definition.body(body));
}

/// Handles `a, b.c = 1, function() … end` outside of functions.
fn assignment<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let list = |kind: &str| {
        let list = walk.child_of_kind(node, &[kind]);
        list.map(|list| walk.children(list)).unwrap_or_default()
    };
    let values = list("expression_list");
    let is_local = walk.is_in_function() || is_of_block(walk);
    for (at, path) in list("variable_list").into_iter().enumerate() {
        let value = values.get(at).copied();
        let function = value.filter(|value| value.kind() == "function_definition");
        let is_import = value.is_some_and(|value| walk.text_of(value).starts_with("require"));
        let is_named = matches!(path.kind(), "identifier" | "dot_index_expression");
        // Variables of a function are local, and so are its assignments to tables.
        if !is_named || is_import || is_local || !walk.binds(walk.text_of(path)) {
            continue;
        }
        match function {
            Some(function) => {
                let body = walk.field(function, Field::Body);
                named(walk, SymbolKind::Function, node, path, body);
            }
            None if path.kind() == "identifier" => {
                walk.define(Definition::new(SymbolKind::Variable, node, path).leaf());
            }
            None => named(walk, SymbolKind::Variable, node, path, None),
        }
    }
}

/// Returns whether the scope of a `local` is a loop or condition.
fn is_of_block(walk: &Walk<'_>) -> bool {
    let mut around = walk.ancestors().map(|around| around.kind());
    around.next() == Some("variable_declaration") && around.next() == Some("block")
}

/// Handles a call; `require "a.b"` is an import.
fn call<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(name) = walk.field(node, Field::Name) else {
        return;
    };
    if walk.text_of(name) == "require"
        && let Some(module) = walk.leaves(node, "string_content").first()
    {
        return walk.import(ImportKind::Import, node, walk.text_of(*module), Vec::new());
    }
    walk.call(name);
}

#[cfg(test)]
mod tests {
    use crate::languages::check::{check, check_uses};

    #[test]
    fn definitions() {
        check(
            "lua",
            r#"
local util = require "a.util"
local Queue = {}
local LIMIT, name = 10, "x"

-- Adds.
local function add(a, b)
  local inner = 1
  if a and b then return b elseif b then return a end
end

--- Makes one.
function Queue.new() return setmetatable({}, Queue) end
function Queue:push(x) self.last = x end
Queue.pop = function(self) for i = 1, 2 do end end
Queue.size = 3
function test_all() add(1, 2) end
while name do local _, own = name() end
return Queue
"#,
            "3-3 private variable Queue | local Queue = {}
             4-4 private variable LIMIT | local LIMIT, name = 10, \"x\"
             4-4 private variable name | local LIMIT, name = 10, \"x\"
             7-10 private function add *4 | local function add(a, b) | Adds.
             13-13 public method Queue.new | function Queue.new() | Makes one.
             14-14 public method Queue.push | function Queue:push(x)
             15-15 public method Queue.pop *2 | Queue.pop = function(self)
             16-16 public field Queue.size | Queue.size = 3
             17-17 public function test_all test | function test_all()
             import a.util []",
        );
    }

    #[test]
    fn uses() {
        check_uses(
            "lua",
            "function f() g() end\nlocal function h() a.b.c(d:e()) end\n",
            "call g < f
             call a.b . c < h
             call d . e < h",
        );
    }
}
