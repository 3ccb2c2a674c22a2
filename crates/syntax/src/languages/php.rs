//! PHP.

use tree_sitter::Node;

use crate::grammar::{Docs, Field, Rule, Spec};
use crate::walk::{Definition, Walk};
use crate::{ImportKind, ReferenceKind, Symbol, SymbolKind, Visibility};

pub(super) const PHP: Spec = Spec {
    id: "php",
    grammar: || tree_sitter_php::LANGUAGE_PHP.into(),
    separator: "::",
    literals: &["array_creation_expression"],
    rules: &[&[
        ("comment", Rule::Comment),
        ("namespace_definition", Rule::Custom(namespace)),
        ("namespace_use_declaration", Rule::Custom(imports)),
        ("class_declaration", Rule::Symbol(SymbolKind::Class)),
        ("interface_declaration", Rule::Symbol(SymbolKind::Interface)),
        ("trait_declaration", Rule::Symbol(SymbolKind::Trait)),
        ("enum_declaration", Rule::Symbol(SymbolKind::Enum)),
        ("enum_case", Rule::Symbol(SymbolKind::EnumMember)),
        ("function_definition", Rule::Symbol(SymbolKind::Function)),
        ("method_declaration", Rule::Custom(method)),
        ("const_element", Rule::Custom(constant)),
        ("property_element", Rule::Custom(property)),
        ("property_promotion_parameter", Rule::Custom(promoted)),
        ("const_declaration", Rule::Wrapper),
        ("property_declaration", Rule::Wrapper),
        ("anonymous_class", Rule::Custom(anonymous_class)),
        ("base_clause", Rule::Custom(bases)),
        ("class_interface_clause", Rule::Custom(interfaces)),
        ("use_declaration", Rule::Custom(traits)),
        ("function_call_expression", Rule::Custom(call)),
        ("member_call_expression", Rule::Custom(member_call)),
        ("nullsafe_member_call_expression", Rule::Custom(member_call)),
        ("scoped_call_expression", Rule::Custom(member_call)),
        ("object_creation_expression", Rule::Custom(creation)),
        ("named_type", Rule::Custom(named_type)),
        ("require_expression", Rule::Custom(include)),
        ("require_once_expression", Rule::Custom(include)),
        ("include_expression", Rule::Custom(include)),
        ("include_once_expression", Rule::Custom(include)),
        ("anonymous_function", Rule::Local),
        ("arrow_function", Rule::Local),
        ("if_statement", Rule::Branch),
        ("else_if_clause", Rule::Branch),
        ("for_statement", Rule::Branch),
        ("foreach_statement", Rule::Branch),
        ("while_statement", Rule::Branch),
        ("do_statement", Rule::Branch),
        ("case_statement", Rule::Branch),
        ("catch_clause", Rule::Branch),
        ("conditional_expression", Rule::Branch),
        ("match_conditional_expression", Rule::Branch),
        ("&&", Rule::Branch),
        ("||", Rule::Branch),
        ("??", Rule::Branch),
    ]],
    docs: Docs::Marked(&["/**", "//", "#"]),
    visibility,
    is_test,
};

fn visibility(_: &Walk<'_>, _: SymbolKind, _: &str, modifiers: &str) -> Visibility {
    let has = |word: &str| modifiers.split_whitespace().any(|one| one == word);
    if has("private") {
        Visibility::Private
    } else if has("protected") {
        Visibility::Protected
    } else {
        Visibility::Public
    }
}

fn is_test(_: &Walk<'_>, symbol: &Symbol, head: &str) -> bool {
    match symbol.kind {
        SymbolKind::Method => {
            let says = |doc: &String| doc.contains("@test");
            symbol.name.starts_with("test")
                || head.contains("#[Test]")
                || symbol.doc.as_ref().is_some_and(says)
        }
        SymbolKind::Class => symbol.name.ends_with("Test"),
        _ => false,
    }
}

/// Defines a namespace. Without braces it extends to the next one, and the definitions after it are
/// siblings.
fn namespace<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(name) = walk.field(node, Field::Name) else {
        return;
    };
    walk.found.packages.push(walk.text_of(name).to_owned());
    let body = walk.field(node, Field::Body);
    walk.define(Definition::new(SymbolKind::Module, node, name).body(body));
}

fn imports<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    walk.skip();
    let prefix = walk
        .child_of_kind(node, &["namespace_name"])
        .map_or("", |name| walk.text_of(name));
    let group = walk
        .child_of_kind(node, &["namespace_use_group"])
        .unwrap_or(node);
    for clause in walk.children(group) {
        if clause.kind() != "namespace_use_clause" {
            continue;
        }
        let Some(name) = walk.child_of_kind(clause, &["qualified_name", "name"]) else {
            continue;
        };
        let name = walk.text_of(name).trim_start_matches('\\');
        let full = if prefix.is_empty() {
            name.to_owned()
        } else {
            format!("{prefix}\\{name}")
        };
        walk.import(ImportKind::Import, node, full, Vec::new());
    }
}

fn method<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(name) = walk.field(node, Field::Name) else {
        return;
    };
    let kind = match walk.text_of(name) {
        "__construct" => SymbolKind::Constructor,
        _ => SymbolKind::Method,
    };
    let body = walk.field(node, Field::Body);
    walk.define(Definition::new(kind, node, name).body(body));
}

fn constant<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(name) = walk.child_of_kind(node, &["name"]) {
        walk.define(Definition::new(SymbolKind::Constant, node, name));
    }
}

fn property<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(name) = walk.field(node, Field::Name) {
        let text = walk.text_of(name).trim_start_matches(['&', '$']).to_owned();
        walk.define(Definition::new(SymbolKind::Field, node, name).named(text));
    }
}

/// Defines the field of the class in `__construct(private A $a)`.
fn promoted<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(name) = walk.field(node, Field::Name) {
        let text = walk.text_of(name).trim_start_matches(['&', '$']).to_owned();
        let definition = Definition::new(SymbolKind::Field, node, name).named(text);
        walk.define(definition.of_type());
    }
}

fn anonymous_class<'t>(walk: &mut Walk<'t>, _: Node<'t>) {
    walk.open_anonymous(SymbolKind::Class);
}

fn bases<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    uses(walk, node, ReferenceKind::Inherit);
}

fn interfaces<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    uses(walk, node, ReferenceKind::Implement);
}

fn traits<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    uses(walk, node, ReferenceKind::Implement);
}

fn uses<'t>(walk: &mut Walk<'t>, node: Node<'t>, kind: ReferenceKind) {
    for child in walk.children(node) {
        name_use(walk, child, kind);
    }
}

fn name_use<'t>(walk: &mut Walk<'t>, node: Node<'t>, kind: ReferenceKind) {
    match node.kind() {
        "name" => walk.reference(kind, node, None),
        "qualified_name" | "relative_name" => {
            if let Some(name) = walk.child_of_kind(node, &["name"]) {
                let qualifier = walk.qualifier_between(node, name);
                walk.reference(kind, name, qualifier);
            }
        }
        _ => {}
    }
}

fn call<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(callee) = walk.field(node, Field::Function) else {
        return;
    };
    name_use(walk, callee, ReferenceKind::Call);
    if walk.text_of(callee) == "define"
        && let Some(arguments) = walk.field(node, Field::Arguments)
        && let Some(first) = arguments.named_child(0)
        && let Some(string) = first
            .named_child(0)
            .filter(|string| string.kind() == "string")
    {
        let name = walk.text_of(string).trim_matches(['\'', '"']).to_owned();
        walk.define(Definition::new(SymbolKind::Constant, node, string).named(name));
    }
}

fn member_call<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(name) = walk
        .field(node, Field::Name)
        .filter(|name| name.kind() == "name")
    {
        let qualifier = walk.qualifier_between(node, name);
        walk.reference(ReferenceKind::Call, name, qualifier);
    }
}

fn creation<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(made) = node.named_child(0) {
        name_use(walk, made, ReferenceKind::Call);
    }
}

fn named_type<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    uses(walk, node, ReferenceKind::Type);
}

/// Adds an include, if its path is a literal.
fn include<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let strings: Vec<_> = walk.leaves(node, "string_content");
    if let [only] = strings.as_slice() {
        walk.import(ImportKind::File, node, walk.text_of(*only), Vec::new());
    }
}

#[cfg(test)]
mod tests {
    use crate::languages::check::{check, check_uses};

    const SOURCE: &str = r#"<?php
namespace App\Shop;

use Lib\Base;
use Lib\{One, Two as Three};

const LIMIT = 4;

/**
 * A shop.
 */
abstract class Shop extends Base implements Sells, \Countable
{
    use Logs;
    public const A = 1, B = 2;
    protected ?int $count = 0;

    public function __construct(private readonly Store $store) {}

    /** Sells. */
    #[Pure]
    private static function sell(Item $item, int $n = 1): ?Item
    {
        if ($n > 1 && $item) { return null; }
        return match ($n) { 1 => $item, default => null };
    }
    abstract function open();
}
interface Sells { public function sold(): bool; }
trait Logs { public $log; }
enum Kind: string { case One = 'a'; }
function free(array $a) { $f = fn ($x) => $x; }
define('LATE', 1);
"#;

    const FOUND: &str = "
2-2 public module App\\Shop | namespace App\\Shop
7-7 public constant LIMIT | const LIMIT = 4
12-28 public class Shop | abstract class Shop extends Base implements Sells, \\Countable | A shop.
15-15 public constant Shop::A | public const A = 1, B = 2
15-15 public constant Shop::B | public const A = 1, B = 2
16-16 protected field Shop::count | protected ?int $count = 0
18-18 public constructor Shop::__construct | public function __construct(private readonly Store $store)
18-18 private field Shop::store | private readonly Store $store
22-26 private method Shop::sell *4 | private static function sell(Item $item, int $n = 1): ?Item | Sells.
27-27 public method Shop::open | abstract function open()
29-29 public interface Sells | interface Sells
29-29 public method Sells::sold | public function sold(): bool
30-30 public trait Logs | trait Logs
30-30 public field Logs::log | public $log
31-31 public enum Kind | enum Kind: string
31-31 public enum_member Kind::One | case One = 'a'
32-32 public function free | function free(array $a)
33-33 public constant LATE | define('LATE', 1)
import Lib\\Base []
import Lib\\One []
import Lib\\Two []
";

    #[test]
    fn definitions() {
        check("php", SOURCE, FOUND);
    }

    #[test]
    fn uses() {
        check_uses(
            "php",
            "<?php class A extends B implements \\C\\D { function f(E $e) { g(); $this->h->i(); J::k(); new L(); } }",
            "inherit B < A
             implement \\C . D < A
             type E < A::f
             call g < A::f
             call $this->h . i < A::f
             call J . k < A::f
             call L < A::f",
        );
    }
}
