//! TypeScript and TSX, in addition to JavaScript.

use tree_sitter::Node;

use super::javascript::{COMMON, JSX_NODES, field, is_test, unquoted, visibility};
use crate::grammar::{Docs, Field, Rule, Spec, Table};
use crate::walk::{Definition, Walk, type_parameter};
use crate::{ReferenceKind, SymbolKind};

pub(super) const TYPESCRIPT: Spec = Spec {
    id: "typescript",
    grammar: || tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
    separator: ".",
    literals: &["array", "object"],
    rules: &[COMMON, OWN],
    docs: Docs::Above,
    visibility,
    is_test,
};

pub(super) const TSX: Spec = Spec {
    id: "tsx",
    grammar: || tree_sitter_typescript::LANGUAGE_TSX.into(),
    rules: &[COMMON, JSX_NODES, OWN],
    ..TYPESCRIPT
};

const OWN: Table = &[
    ("ambient_declaration", Rule::Wrapper),
    (
        "abstract_class_declaration",
        Rule::Symbol(SymbolKind::Class),
    ),
    ("interface_declaration", Rule::Symbol(SymbolKind::Interface)),
    ("type_alias_declaration", Rule::Symbol(SymbolKind::Type)),
    ("enum_declaration", Rule::Symbol(SymbolKind::Enum)),
    ("enum_body", Rule::Custom(enum_body)),
    ("module", Rule::Custom(namespace)),
    ("internal_module", Rule::Custom(namespace)),
    ("function_signature", Rule::Symbol(SymbolKind::Function)),
    ("method_signature", Rule::Custom(member)),
    ("abstract_method_signature", Rule::Custom(member)),
    ("property_signature", Rule::Custom(member)),
    ("public_field_definition", Rule::Custom(field)),
    ("required_parameter", Rule::Custom(parameter_property)),
    ("extends_clause", Rule::Custom(extends)),
    ("extends_type_clause", Rule::Custom(extends_types)),
    ("implements_clause", Rule::Custom(implements)),
    ("type_identifier", Rule::TypeName),
    ("nested_type_identifier", Rule::Custom(nested_type)),
    ("type_parameter", Rule::Custom(type_parameter)),
];

fn enum_body<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    for child in walk.children(node) {
        let name = match child.kind() {
            "enum_assignment" => walk.field(child, Field::Name),
            "property_identifier" | "string" => Some(child),
            _ => None,
        };
        if let Some(name) = name {
            let text = unquoted(walk.text_of(name)).to_owned();
            walk.define(Definition::new(SymbolKind::EnumMember, child, name).named(text));
        }
    }
}

fn namespace<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(name) = walk.field(node, Field::Name) else {
        return;
    };
    let text = unquoted(walk.text_of(name)).to_owned();
    let body = walk.field(node, Field::Body);
    walk.define(
        Definition::new(SymbolKind::Module, node, name)
            .named(text)
            .body(body),
    );
}

/// Defines a member of a named type; members of an anonymous type define nothing.
fn member<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let is_member = walk.is_in_type() || walk.around_kind() == Some(SymbolKind::Type);
    let Some(name) = walk.field(node, Field::Name) else {
        return;
    };
    if !is_member || name.kind() == "computed_property_name" {
        return;
    }
    let kind = match node.kind() {
        "property_signature" => SymbolKind::Field,
        _ => SymbolKind::Method,
    };
    let text = unquoted(walk.text_of(name)).to_owned();
    walk.define(Definition::new(kind, node, name).named(text));
}

/// Defines the field in `constructor(private readonly store: Store)`.
fn parameter_property<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let is_property = walk
        .child_of_kind(node, &["accessibility_modifier", "readonly"])
        .is_some();
    let name = walk.child_of_kind(node, &["identifier"]);
    if let Some(name) =
        name.filter(|_| is_property && walk.around_kind() == Some(SymbolKind::Constructor))
    {
        walk.define(Definition::new(SymbolKind::Field, node, name).of_type());
    }
}

fn extends<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(base) = walk.field(node, Field::Value)
        && matches!(base.kind(), "identifier" | "member_expression")
    {
        walk.named_use(ReferenceKind::Inherit, base);
    }
}

fn extends_types<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    for base in walk.children(node) {
        walk.named_use(ReferenceKind::Inherit, base);
    }
}

fn implements<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    for base in walk.children(node) {
        walk.named_use(ReferenceKind::Implement, base);
    }
}

fn nested_type<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    walk.named_use(ReferenceKind::Type, node);
}

#[cfg(test)]
mod tests {
    use crate::languages::check::{check, check_uses};

    const SOURCE: &str = r#"
export interface Shape extends Base, other.Thing<T> {
  readonly area: number;
  scale(by: number): void;
}

export type Options = {
  depth?: number;
};

export enum Kind { One, Two = 2, 'three' }

@Injectable()
export abstract class Store<T> implements OnInit {
  private items: T[] = [];
  constructor(private readonly http: Http, plain: string) {}
  abstract load(id: string): Promise<T>;
  protected save = async (item: T): Promise<void> => {};
}

export function over(a: string): void;
export function over(a: number): void;
export function over(a: any) {}

declare module "x" {
  export function inner(): void;
}
namespace Deep { export const x = 1; const y = 2; }
declare const VERSION: string;
export const [first] = [1];
"#;

    const FOUND: &str = "
2-5 public interface Shape | export interface Shape extends Base, other.Thing<T>
3-3 public field Shape.area | readonly area: number
4-4 public method Shape.scale | scale(by: number): void
7-9 public type Options | export type Options = { depth?: number; }
8-8 public field Options.depth | depth?: number
11-11 public enum Kind | export enum Kind
11-11 public enum_member Kind.One | One
11-11 public enum_member Kind.Two | Two = 2
11-11 public enum_member Kind.three | 'three'
14-19 public class Store | abstract class Store<T> implements OnInit
15-15 private field Store.items | private items: T[] = []
16-16 public constructor Store.constructor | constructor(private readonly http: Http, plain: string)
16-16 private field Store.http | private readonly http: Http
17-17 public method Store.load | abstract load(id: string): Promise<T>
18-18 protected method Store.save | protected save = async (item: T): Promise<void>
21-21 public function over | export function over(a: string): void
22-22 public function over | export function over(a: number): void
23-23 public function over | export function over(a: any)
25-27 private module x | declare module \"x\"
26-26 public function x.inner | export function inner(): void
28-28 private module Deep | namespace Deep
28-28 public constant Deep.x | export const x = 1
28-28 private constant Deep.y | const y = 2
29-29 private constant VERSION | declare const VERSION: string
";

    #[test]
    fn definitions() {
        check("typescript", SOURCE, FOUND);
    }

    #[test]
    fn uses() {
        check_uses(
            "tsx",
            "class A<T> extends B<C> implements D, e.F { g: H[]; m(x: i.J): K { return <L<M> n={o}/>; } }",
            "inherit B < A
             type C < A
             implement D < A
             implement e . F < A
             type H < A.g
             type i . J < A.m
             type K < A.m
             call L < A.m
             type M < A.m",
        );
    }
}
