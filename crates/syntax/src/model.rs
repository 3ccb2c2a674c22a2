//! What a file holds, as data: symbols, references, imports, comments, and what
//! could not be had. How it is found is told elsewhere in this crate.

use std::fmt;

use loom_base::{ByteSpan, LineSpan};

/// What is known about the inside of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Structure {
    /// What it defines, ordered by where the definitions start.
    pub symbols: Vec<Symbol>,
    /// What it uses, in the order of the text.
    pub references: Vec<Reference>,
    /// What it imports, in the order of the text.
    pub imports: Vec<Import>,
    /// Its comments, in the order of the text.
    pub comments: Vec<ByteSpan>,
    /// What the file says about where it belongs: the package of Go, Java or Kotlin,
    /// the namespaces of C# and PHP.
    pub packages: Vec<String>,
    /// The name of what a file of JavaScript hands out as its default, where it says so apart
    /// from the definition; empty where that has no name.
    pub default: Option<String>,
    /// How the file was read.
    pub depth: Depth,
    /// What could not be had, and why.
    pub findings: Vec<Finding>,
}

impl Structure {
    /// Of a text that was not looked at.
    pub(crate) fn refused(kind: FindingKind) -> Self {
        Self {
            findings: vec![Finding { kind, line: None }],
            ..Self::default()
        }
    }

    /// Returns whether a parse ran out of memory, so that a part was read by lines.
    pub fn is_out_of_memory(&self) -> bool {
        let is_it = |one: &Finding| one.kind == FindingKind::TooMuchMemory;
        self.findings.iter().any(is_it)
    }

    /// Estimates the bytes of memory that it holds.
    pub fn held_bytes(&self) -> usize {
        let text = |text: &Option<String>| text.as_ref().map_or(0, String::capacity);
        let symbol = |one: &Symbol| {
            let texts = [&one.name, &one.qualified, &one.signature];
            let texts: usize = texts.into_iter().map(String::capacity).sum();
            size_of::<Symbol>() + texts + text(&one.doc)
        };
        let reference =
            |one: &Reference| size_of::<Reference>() + one.name.capacity() + text(&one.qualifier);
        let import = |one: &Import| {
            let locals = one.locals.iter().flat_map(|(name, local)| [name, local]);
            let texts = one.names.iter().chain(locals);
            let texts: usize = texts.map(|one| size_of::<String>() + one.capacity()).sum();
            size_of::<Import>() + one.module.capacity() + texts
        };
        let symbols: usize = self.symbols.iter().map(symbol).sum();
        let references: usize = self.references.iter().map(reference).sum();
        let imports: usize = self.imports.iter().map(import).sum();
        symbols + references + imports + size_of_val(self.comments.as_slice())
    }
}

/// How much of a language was understood.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Depth {
    /// Nothing was read: a finding says why.
    #[default]
    Nothing,
    /// Lines that look like definitions, by their first words.
    Lines,
    /// The whole syntax.
    Grammar,
}

impl Depth {
    /// The word for programs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Lines => "lines",
            Self::Grammar => "grammar",
        }
    }
}

/// Something that a file defines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// What it is.
    pub kind: SymbolKind,
    /// Its name as written.
    pub name: String,
    /// The same with the names around it, such as `Parser::parse`.
    pub qualified: String,
    /// How it is declared, in one line, without its body.
    pub signature: String,
    /// What its documentation says, without the marks of comments.
    pub doc: Option<String>,
    /// Who may use it.
    pub visibility: Visibility,
    /// The definition, without the documentation and attributes in front of it.
    pub span: ByteSpan,
    /// The lines of `span`.
    pub lines: LineSpan,
    /// Where its documentation and attributes start, or `span.start`.
    pub lead: usize,
    /// Where the name stands.
    pub name_span: ByteSpan,
    /// The line of the name.
    pub name_line: usize,
    /// What may be left out to see the signature alone.
    pub body: Option<ByteSpan>,
    /// The symbol around it, by its place among the symbols of the file.
    pub parent: Option<usize>,
    /// The cyclomatic complexity of something that is run.
    pub complexity: Option<u32>,
    /// Whether it is a test.
    pub is_test: bool,
    /// The language of a symbol inside another language, such as a script in HTML.
    pub language: Option<&'static str>,
}

macro_rules! words {
    ($(#[$outer:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[$outer])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum $name { $($(#[$doc])* $variant,)* }

        impl $name {
            /// All of them, in the order of their declaration.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// The word for programs and people.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }

            /// What that word names.
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|one| one.name() == name)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}

words! {
    /// What a symbol is.
    SymbolKind {
        /// A module, namespace or package.
        Module = "module",
        /// A class.
        Class = "class",
        /// A struct.
        Struct = "struct",
        /// A union of C, C++ or Rust.
        Union = "union",
        /// An interface, or a protocol of Swift.
        Interface = "interface",
        /// A trait.
        Trait = "trait",
        /// An `impl` block of Rust, an extension of Swift.
        Impl = "impl",
        /// A type that is another type: an alias.
        Type = "type",
        /// An enumeration.
        Enum = "enum",
        /// One of the values of an enumeration.
        EnumMember = "enum_member",
        /// A function.
        Function = "function",
        /// A function that belongs to a type.
        Method = "method",
        /// What makes a value of a class.
        Constructor = "constructor",
        /// A macro.
        Macro = "macro",
        /// A constant.
        Constant = "constant",
        /// A variable outside functions.
        Variable = "variable",
        /// A field of a type.
        Field = "field",
        /// A field with code behind it.
        Property = "property",
        /// A test that has words in place of a name.
        Test = "test",
        /// A heading of a document.
        Section = "section",
        /// A key of a data file.
        Key = "key",
        /// A selector of a style sheet.
        Selector = "selector",
        /// An element that has an id.
        Element = "element",
        /// A table or view of a database.
        Table = "table",
        /// An index, trigger or other part of a database.
        Index = "index",
    }
}

impl SymbolKind {
    /// Whether it is run: a function in one of its forms.
    pub const fn is_function(self) -> bool {
        matches!(self, Self::Function | Self::Method | Self::Constructor)
    }

    /// Whether it holds members.
    pub const fn is_type(self) -> bool {
        matches!(
            self,
            Self::Class
                | Self::Struct
                | Self::Union
                | Self::Interface
                | Self::Trait
                | Self::Impl
                | Self::Enum
        )
    }
}

words! {
    /// Who may use a symbol.
    Visibility {
        /// Everybody.
        Public = "public",
        /// The package, crate, assembly or module.
        Internal = "internal",
        /// The type and those that inherit from it.
        Protected = "protected",
        /// The file or the type alone.
        Private = "private",
    }
}

/// The use of something by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// How it is used.
    pub kind: ReferenceKind,
    /// The name as written.
    pub name: String,
    /// What stands before the name, such as `self.parser` in `self.parser.parse()`.
    pub qualifier: Option<String>,
    /// Where the name stands.
    pub span: ByteSpan,
    /// The line of the name.
    pub line: usize,
    /// The symbol that uses it, by its place among the symbols of the file.
    pub from: Option<usize>,
}

words! {
    /// How something is used.
    ReferenceKind {
        /// It is called, or made with `new`.
        Call = "call",
        /// It is named as a type.
        Type = "type",
        /// It is inherited from.
        Inherit = "inherit",
        /// It is implemented.
        Implement = "implement",
    }
}

/// An import as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Import {
    /// How it is written.
    pub kind: ImportKind,
    /// What is imported from, as the language names it: `django.db`, `./util`,
    /// `crate::parser`, `stdio.h`.
    pub module: String,
    /// The names that are taken from it; `*` for all of them.
    pub names: Vec<String>,
    /// What they are called in this file, where that is another name: `(name, local)`.
    /// `*` is the module itself, `default` what it hands out without a name.
    pub locals: Vec<(String, String)>,
    /// How many modules are open around it in the same file: `mod tests { … }`.
    pub modules: usize,
    /// Where it stands.
    pub span: ByteSpan,
    /// Its first line.
    pub line: usize,
}

words! {
    /// How an import is written.
    ImportKind {
        /// The statement of the language.
        Import = "import",
        /// Something is handed on: `export … from`, `pub use`.
        Export = "export",
        /// A file is named: `#include "x.h"`, `require_relative`, `source`.
        File = "file",
        /// A file is looked for in the system's folders: `#include <x.h>`.
        System = "system",
        /// A module of the same program: `mod x;`.
        Module = "module",
        /// By a call: `require("x")`, `import("x")`.
        Dynamic = "dynamic",
    }
}

/// Something that a reader of the result has to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What it is.
    pub kind: FindingKind,
    /// The line it is about, where there is one.
    pub line: Option<usize>,
}

words! {
    /// Why something is missing.
    FindingKind {
        /// The language has no grammar here: lines were looked at.
        NoGrammar = "no-grammar",
        /// Some places do not follow the grammar; the rest is there.
        Broken = "broken",
        /// The file is larger than what is parsed.
        TooLarge = "too-large",
        /// A line is longer than what is parsed.
        LongLine = "long-line",
        /// The file holds NUL bytes.
        Nul = "nul",
        /// Brackets are nested deeper than what is parsed.
        TooDeep = "too-deep",
        /// Parsing took more steps than a file of this size should.
        TooManySteps = "too-many-steps",
        /// Parsing needed more memory than a file of this size should, or than there is.
        TooMuchMemory = "too-much-memory",
        /// The file is minified.
        Minified = "minified",
        /// A program wrote the file.
        Generated = "generated",
    }
}
