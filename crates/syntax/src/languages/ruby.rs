//! Ruby.

use tree_sitter::Node;

use crate::grammar::{Docs, Field, Rule, Spec};
use crate::walk::{Definition, Walk};
use crate::{ImportKind, ReferenceKind, Symbol, SymbolKind, Visibility};

pub(super) const RUBY: Spec = Spec {
    id: "ruby",
    grammar: || tree_sitter_ruby::LANGUAGE.into(),
    separator: "::",
    literals: &["array", "hash", "string_array", "symbol_array"],
    rules: &[&[
        ("comment", Rule::Comment),
        ("module", Rule::Custom(container)),
        ("class", Rule::Custom(container)),
        ("singleton_class", Rule::Custom(singleton_class)),
        ("method", Rule::Custom(method)),
        ("singleton_method", Rule::Custom(method)),
        ("assignment", Rule::Custom(assignment)),
        ("superclass", Rule::Custom(superclass)),
        ("call", Rule::Custom(call)),
        ("identifier", Rule::Custom(word)),
        ("constant", Rule::TypeName),
        ("lambda", Rule::Local),
        ("if", Rule::Branch),
        ("unless", Rule::Branch),
        ("elsif", Rule::Branch),
        ("while", Rule::Branch),
        ("until", Rule::Branch),
        ("for", Rule::Branch),
        ("when", Rule::Branch),
        ("in_clause", Rule::Branch),
        ("rescue", Rule::Branch),
        ("conditional", Rule::Branch),
        ("if_modifier", Rule::Branch),
        ("unless_modifier", Rule::Branch),
        ("while_modifier", Rule::Branch),
        ("until_modifier", Rule::Branch),
        ("rescue_modifier", Rule::Branch),
        ("&&", Rule::Branch),
        ("||", Rule::Branch),
    ]],
    docs: Docs::Above,
    visibility,
    is_test,
};

fn visibility(walk: &Walk<'_>, _: SymbolKind, _: &str, modifiers: &str) -> Visibility {
    match modifiers.split_whitespace().next() {
        Some("private") => Visibility::Private,
        _ => walk.access().unwrap_or(Visibility::Public),
    }
}

fn is_test(_: &Walk<'_>, symbol: &Symbol, _: &str) -> bool {
    match symbol.kind {
        SymbolKind::Method => symbol.name.starts_with("test_"),
        SymbolKind::Class => {
            symbol.signature.contains("TestCase") || symbol.signature.ends_with("Minitest::Test")
        }
        _ => false,
    }
}

fn container<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    // The keyword `class` has the same node kind as the definition.
    let Some(name) = walk.field(node, Field::Name) else {
        return;
    };
    let kind = match node.kind() {
        "module" => SymbolKind::Module,
        _ => SymbolKind::Class,
    };
    let last = walk.field(name, Field::Name).unwrap_or(name);
    let owner = walk
        .slice(name.start_byte(), last.start_byte())
        .trim_end_matches("::");
    let owner = (!owner.is_empty()).then(|| owner.to_owned());
    let body = walk.field(node, Field::Body);
    walk.define(
        Definition::new(kind, node, last)
            .owner(owner)
            .body(body)
            .visibility(Some(Visibility::Public)),
    );
}

fn singleton_class<'t>(walk: &mut Walk<'t>, _: Node<'t>) {
    walk.open_anonymous(SymbolKind::Class);
}

fn method<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(name) = walk.field(node, Field::Name) else {
        return;
    };
    let is_member = walk.is_in_type() || walk.around_kind() == Some(SymbolKind::Module);
    let kind = match walk.text_of(name) {
        "initialize" if is_member => SymbolKind::Constructor,
        _ if is_member || node.kind() == "singleton_method" => SymbolKind::Method,
        _ => SymbolKind::Function,
    };
    let body = walk.field(node, Field::Body);
    let definition = Definition::new(kind, node, name).body(body);
    // `private` does not affect methods of the class itself.
    walk.define(match node.kind() {
        "singleton_method" => definition.visibility(Some(Visibility::Public)),
        _ => definition,
    });
}

fn assignment<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(left) = walk.field(node, Field::Left) else {
        return;
    };
    if left.kind() == "constant" && !walk.is_in_function() {
        let definition = Definition::new(SymbolKind::Constant, node, left);
        walk.define(definition.visibility(Some(Visibility::Public)));
    }
}

fn superclass<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(base) = node.named_child(0)
        && matches!(base.kind(), "constant" | "scope_resolution")
    {
        walk.named_use(ReferenceKind::Inherit, base);
    }
}

/// Handles a plain word: `private` and similar words change the visibility of the following
/// members.
fn word<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if walk.is_in_function() || walk.is_not_a_use(node) {
        return;
    }
    match walk.text_of(node) {
        "private" | "private_class_method" => walk.set_access(Visibility::Private),
        "protected" => walk.set_access(Visibility::Protected),
        "public" | "module_function" => walk.set_access(Visibility::Public),
        _ => {}
    }
}

fn call<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(method) = walk.field(node, Field::Method) else {
        return;
    };
    let name = walk.text_of(method);
    let receiver = walk.field(node, Field::Receiver);
    if receiver.is_none() {
        match name {
            "require" | "require_relative" | "load" | "autoload" => {
                return import(walk, node, name);
            }
            "include" | "extend" | "prepend" => includes(walk, node),
            "attr_accessor" | "attr_reader" | "attr_writer" | "attr" => {
                return attributes(walk, node);
            }
            "describe" | "context" | "it" | "specify" | "feature" | "scenario" | "test"
            | "should" => {
                test(walk, node);
            }
            // `private def a` and `private :a` affect only the named member.
            "private"
            | "protected"
            | "public"
            | "module_function"
            | "private_class_method"
            | "private_constant" => {
                return hide(walk, node, method, name);
            }
            _ => {}
        }
    }
    let qualifier = receiver.and_then(|receiver| walk.qualifier(receiver));
    walk.reference(ReferenceKind::Call, method, qualifier);
}

fn arguments<'t>(walk: &Walk<'t>, node: Node<'t>) -> Vec<Node<'t>> {
    let arguments = walk.field(node, Field::Arguments);
    arguments
        .map(|arguments| walk.children(arguments))
        .unwrap_or_default()
}

fn import<'t>(walk: &mut Walk<'t>, node: Node<'t>, word: &str) {
    let kind = match word {
        "require_relative" => ImportKind::File,
        _ => ImportKind::Import,
    };
    let mut strings = arguments(walk, node)
        .into_iter()
        .filter(|one| one.kind() == "string");
    if let Some(string) = strings.next_back() {
        let module = walk.text_of(string).trim_matches(['"', '\'']);
        if !module.contains("#{") {
            walk.import(kind, node, module, Vec::new());
        }
    }
}

fn includes<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    for one in arguments(walk, node) {
        if matches!(one.kind(), "constant" | "scope_resolution") {
            walk.named_use(ReferenceKind::Implement, one);
        }
    }
}

fn attributes<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    for one in arguments(walk, node) {
        if one.kind() == "simple_symbol" {
            let name = walk.text_of(one).trim_start_matches(':').to_owned();
            walk.define(Definition::new(SymbolKind::Property, node, one).named(name));
        }
    }
}

fn hide<'t>(walk: &mut Walk<'t>, node: Node<'t>, method: Node<'t>, word: &str) {
    walk.not_a_use(method);
    let access = match word {
        "protected" => Visibility::Protected,
        "public" | "module_function" => Visibility::Public,
        _ => Visibility::Private,
    };
    for one in arguments(walk, node) {
        match one.kind() {
            "simple_symbol" => {
                let name = walk.text_of(one).trim_start_matches(':');
                walk.change_access(name, access);
            }
            "method" => walk.wrap(node),
            _ => {}
        }
    }
}

/// Defines `it "does something" do … end`: a test whose name is a sentence.
fn test<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let block = walk.child_of_kind(node, &["do_block", "block"]);
    let words = arguments(walk, node).into_iter().next();
    if let (Some(block), Some(words)) = (block, words) {
        let name = walk.text_of(words).trim_matches(['"', '\'']).to_owned();
        let definition = Definition::new(SymbolKind::Test, node, words);
        walk.define(definition.named(name).body(Some(block)).test());
    }
}

#[cfg(test)]
mod tests {
    use crate::languages::check::{check, check_uses};

    const SOURCE: &str = r#"
require "set"
require_relative "../lib/b"

# A shop.
module Shop
  MOST = 4
  class Till::Small < Base
    include Enumerable
    attr_accessor :name, :size

    def initialize(name)
      @name = name
    end

    # Sells.
    def sell(a, b = 1)
      return 0 if a > 1 && b
      case a when 1 then 2 else 3 end
    end

    def self.open = new("x")
    def late; end
    private :late

    private

    def hidden?; end
  end
end

def free; end

describe "a shop" do
  it "sells" do
    free
  end
end
"#;

    const FOUND: &str = "
6-30 public module Shop | module Shop | A shop.
7-7 public constant Shop::MOST | MOST = 4
8-29 public class Shop::Till::Small | class Till::Small < Base
10-10 public property Shop::Till::Small::name | attr_accessor :name, :size
10-10 public property Shop::Till::Small::size | attr_accessor :name, :size
12-14 public constructor Shop::Till::Small::initialize | def initialize(name)
17-20 public method Shop::Till::Small::sell *4 | def sell(a, b = 1) | Sells.
22-22 public method Shop::Till::Small::open | def self.open
23-23 private method Shop::Till::Small::late | def late; end
28-28 private method Shop::Till::Small::hidden? | def hidden?; end
32-32 public function free | def free; end
34-38 public test a shop test | describe \"a shop\"
35-37 public test a shop::sells test | it \"sells\"
import set []
file ../lib/b []
";

    #[test]
    fn definitions() {
        check("ruby", SOURCE, FOUND);
    }

    #[test]
    fn uses() {
        check_uses(
            "ruby",
            "class A < B::C\n  def f\n    g.h(I.new)\n    j(1)\n  end\nend\n",
            "inherit B . C < A
             type B < A
             call g . h < A::f
             call I . new < A::f
             type I < A::f
             call j < A::f",
        );
    }
}
