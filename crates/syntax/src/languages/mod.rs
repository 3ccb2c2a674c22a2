//! The languages with a grammar, one file each. To add one, add a file here, a line in the list
//! below, and the crate of its grammar in `Cargo.toml`.

use crate::grammar::Spec;

mod bash;
mod c;
mod cpp;
mod csharp;
mod css;
mod data;
mod go;
mod html;
mod java;
mod javascript;
mod kotlin;
mod lua;
mod markdown;
mod php;
mod python;
mod ruby;
mod rust;
mod scala;
mod sql;
mod swift;
mod typescript;
mod zig;

#[cfg(test)]
mod check;

/// Every language, ordered by identifier.
pub(crate) const SPECS: &[&Spec] = &[
    &bash::BASH,
    &c::C,
    &cpp::CPP,
    &csharp::CSHARP,
    &css::CSS,
    &go::GO,
    &html::HTML,
    &java::JAVA,
    &javascript::JAVASCRIPT,
    &data::JSON,
    &javascript::JSX,
    &kotlin::KOTLIN,
    &lua::LUA,
    &markdown::MARKDOWN,
    &php::PHP,
    &python::PYTHON,
    &ruby::RUBY,
    &rust::RUST,
    &scala::SCALA,
    &sql::SQL,
    &html::SVELTE,
    &swift::SWIFT,
    &data::TOML,
    &typescript::TSX,
    &typescript::TYPESCRIPT,
    &html::VUE,
    &data::YAML,
    &zig::ZIG,
];
