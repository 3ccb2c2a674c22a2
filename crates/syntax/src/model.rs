//! The structure of a file as data: symbols, references, imports, comments and findings. Other
//! modules extract it.

use std::fmt;

use loom_base::{ByteSpan, LineSpan};

/// Structure of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Structure {
    /// Definitions, ordered by their starts.
    pub symbols: Vec<Symbol>,
    /// References, in the order of the text.
    pub references: Vec<Reference>,
    /// Imports, in the order of the text.
    pub imports: Vec<Import>,
    /// Comments, in the order of the text.
    pub comments: Vec<ByteSpan>,
    /// Packages that the file declares: the package of Go, Java or Kotlin, the namespaces of C# and
    /// PHP.
    pub packages: Vec<String>,
    /// Name of the default export of a JavaScript file, if a separate statement exports it; empty
    /// if it has no name.
    pub default: Option<String>,
    /// Method by which the file was parsed.
    pub depth: Depth,
    /// Missing information, with reasons.
    pub findings: Vec<Finding>,
}

impl Structure {
    /// Creates the structure of a text that was not parsed.
    pub(crate) fn refused(kind: FindingKind) -> Self {
        Self {
            findings: vec![Finding { kind, line: None }],
            ..Self::default()
        }
    }

    /// Returns whether a parse ran out of memory, so that a part was parsed by lines.
    pub fn is_out_of_memory(&self) -> bool {
        let is_it = |one: &Finding| one.kind == FindingKind::TooMuchMemory;
        self.findings.iter().any(is_it)
    }

    /// Estimates its memory in bytes.
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

/// Method by which a text was parsed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Depth {
    /// The text was not parsed; a finding has the reason.
    #[default]
    Nothing,
    /// By the first words of lines.
    Lines,
    /// With a grammar.
    Grammar,
}

impl Depth {
    /// Returns the name for programs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Lines => "lines",
            Self::Grammar => "grammar",
        }
    }
}

/// Definition in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// Kind of symbol.
    pub kind: SymbolKind,
    /// Name as written.
    pub name: String,
    /// Name with the names of the enclosing symbols, such as `Parser::parse`.
    pub qualified: String,
    /// Declaration in one line, without its body.
    pub signature: String,
    /// Documentation, without comment marks.
    pub doc: Option<String>,
    /// Visibility.
    pub visibility: Visibility,
    /// Span of the definition, without the documentation and attributes before it.
    pub span: ByteSpan,
    /// Lines of `span`.
    pub lines: LineSpan,
    /// Start of its documentation and attributes, or `span.start`.
    pub lead: usize,
    /// Span of the name.
    pub name_span: ByteSpan,
    /// Line of the name.
    pub name_line: usize,
    /// Part that is not needed to see the signature.
    pub body: Option<ByteSpan>,
    /// Enclosing symbol, by its index among the symbols of the file.
    pub parent: Option<usize>,
    /// Cyclomatic complexity of executable code.
    pub complexity: Option<u32>,
    /// True if it is a test.
    pub is_test: bool,
    /// Language of a symbol that is embedded in another language, such as a script in HTML.
    pub language: Option<&'static str>,
}

macro_rules! words {
    ($(#[$outer:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[$outer])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum $name { $($(#[$doc])* $variant,)* }

        impl $name {
            /// All variants, in the order of their declaration.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// Returns the name for programs and people.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }

            /// Returns the variant with that name.
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
    /// Kind of symbol.
    SymbolKind {
        /// A module, namespace or package.
        Module = "module",
        /// A class.
        Class = "class",
        /// A struct.
        Struct = "struct",
        /// A union in C, C++ or Rust.
        Union = "union",
        /// An interface, or a protocol in Swift.
        Interface = "interface",
        /// A trait.
        Trait = "trait",
        /// An `impl` block in Rust, or an extension in Swift.
        Impl = "impl",
        /// An alias of a type.
        Type = "type",
        /// An enumeration.
        Enum = "enum",
        /// A value of an enumeration.
        EnumMember = "enum_member",
        /// A function.
        Function = "function",
        /// A function of a type.
        Method = "method",
        /// A constructor of a class.
        Constructor = "constructor",
        /// A macro.
        Macro = "macro",
        /// A constant.
        Constant = "constant",
        /// A variable outside of functions.
        Variable = "variable",
        /// A field of a type.
        Field = "field",
        /// A property with accessor code.
        Property = "property",
        /// A test whose name is a sentence.
        Test = "test",
        /// A heading of a document.
        Section = "section",
        /// A key of a data file.
        Key = "key",
        /// A selector of a style sheet.
        Selector = "selector",
        /// An element with an id.
        Element = "element",
        /// A table or view of a database.
        Table = "table",
        /// An index, trigger or other part of a database.
        Index = "index",
    }
}

impl SymbolKind {
    /// Returns whether it is a function of any kind.
    pub const fn is_function(self) -> bool {
        matches!(self, Self::Function | Self::Method | Self::Constructor)
    }

    /// Returns whether it can have members.
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
    /// Visibility of a symbol.
    Visibility {
        /// Visible everywhere.
        Public = "public",
        /// Visible in the package, crate, assembly or module.
        Internal = "internal",
        /// Visible in the type and in types that inherit from it.
        Protected = "protected",
        /// Visible only in the file or the type.
        Private = "private",
    }
}

/// Reference to a symbol by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// Kind of reference.
    pub kind: ReferenceKind,
    /// Name as written.
    pub name: String,
    /// Text before the name, such as `self.parser` in `self.parser.parse()`.
    pub qualifier: Option<String>,
    /// Span of the name.
    pub span: ByteSpan,
    /// Line of the name.
    pub line: usize,
    /// Symbol that contains it, by its index among the symbols of the file.
    pub from: Option<usize>,
}

words! {
    /// Kind of reference.
    ReferenceKind {
        /// A call, or a construction with `new`.
        Call = "call",
        /// A type.
        Type = "type",
        /// A base class.
        Inherit = "inherit",
        /// An implemented interface.
        Implement = "implement",
    }
}

/// Import, as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Import {
    /// Kind of import.
    pub kind: ImportKind,
    /// Imported module in the syntax of the language: `django.db`, `./util`, `crate::parser`,
    /// `stdio.h`.
    pub module: String,
    /// Imported names; `*` for all names.
    pub names: Vec<String>,
    /// Local names that differ: `(name, local)`. `*` is the module itself, `default` its default
    /// export.
    pub locals: Vec<(String, String)>,
    /// Number of modules around it in the same file: `mod tests { … }`.
    pub modules: usize,
    /// Span of the import.
    pub span: ByteSpan,
    /// First line.
    pub line: usize,
}

words! {
    /// Kind of import.
    ImportKind {
        /// An import statement.
        Import = "import",
        /// A re-export: `export … from`, `pub use`.
        Export = "export",
        /// A file by its path: `#include "x.h"`, `require_relative`, `source`.
        File = "file",
        /// A file in the system's directories: `#include <x.h>`.
        System = "system",
        /// A module of the same program: `mod x;`.
        Module = "module",
        /// A call: `require("x")`, `import("x")`.
        Dynamic = "dynamic",
    }
}

/// Missing information about a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Kind of finding.
    pub kind: FindingKind,
    /// Line that it is about, if there is one.
    pub line: Option<usize>,
}

words! {
    /// Reason why information is missing.
    FindingKind {
        /// The language has no grammar; the text was parsed by lines.
        NoGrammar = "no-grammar",
        /// Some parts do not follow the grammar; the other parts were parsed.
        Broken = "broken",
        /// The file exceeds the maximum size.
        TooLarge = "too-large",
        /// A line exceeds the maximum length.
        LongLine = "long-line",
        /// The file contains NUL bytes.
        Nul = "nul",
        /// The nesting of brackets exceeds the maximum.
        TooDeep = "too-deep",
        /// Parsing took more steps than the budget for this size.
        TooManySteps = "too-many-steps",
        /// Parsing needed more memory than the budget for this size, or than is available.
        TooMuchMemory = "too-much-memory",
        /// The file is minified.
        Minified = "minified",
        /// A program generated the file.
        Generated = "generated",
    }
}
