//! Name resolution in small repositories of several languages.

use loom_base::RepoPath;
use loom_base::codec::{Reader, Writer};
use loom_syntax::ReferenceKind;
use loom_syntax::{Limits, extract};
use proptest::prelude::*;

use super::*;
use crate::Resolver;

/// Builds the program of files, given as `(path, text)`.
fn program(files: &[(&str, &str)]) -> Program {
    let paths: Vec<RepoPath> = files
        .iter()
        .map(|(path, _)| RepoPath::new(path).unwrap())
        .collect();
    let mut resolver = Resolver::new(&paths);
    let mut builder = ProgramBuilder::default();
    let mut read = Vec::new();
    for (path, (_, text)) in paths.iter().zip(files) {
        if Resolver::is_manifest(path) {
            resolver.add_manifest(path, text);
            continue;
        }
        let language = Language::detect(path, text).unwrap();
        let structure = extract(language, text, &Limits::default());
        resolver.add_file(path, language, &structure);
        builder.add_file(path, language, &structure);
        read.push((path, language, structure));
    }
    for (path, language, structure) in &read {
        let imports = structure.imports.iter();
        let resolve = |import: &loom_syntax::Import| {
            let meaning = resolver.resolve(path, *language, import);
            (import.clone(), meaning)
        };
        let imports: Vec<_> = imports.map(resolve).collect();
        builder.add_imports(path, &imports);
    }
    builder.finish().unwrap()
}

/// Checks the meanings of the names in the last file, one per line, ordered by name.
fn check(files: &[(&str, &str)], expected: &str) {
    let made = program(files);
    let (mut out, mut texts) = (Writer::new(), Writer::new());
    made.write(&mut out, &mut texts);
    let (out, texts) = (out.finish(), texts.finish());
    let uses = made.use_column().clone();
    let read = Program::read(&mut Reader::new(&out), &mut Reader::new(&texts), uses);
    check_program(&made, expected);
    check_program(&read.unwrap(), expected);
}

fn check_program(program: &Program, expected: &str) {
    let last = FileId(u32::try_from(program.file_count() - 1).unwrap());
    let scope = program.scope(last);
    let mut found: Vec<String> = Vec::new();
    for one in program.uses(last) {
        let meaning = scope.meaning(one);
        let describe = |(id, share): &(DefinitionId, f32)| {
            let owner = program.owner(*id).map(|owner| format!("{owner}."));
            let path = program.path(program.definition(*id).file);
            let name = program.name(*id);
            format!(" {path}#{}{name} {share}", owner.unwrap_or_default())
        };
        let targets: Vec<String> = meaning.targets.iter().map(describe).collect();
        let name = program.used_name(one);
        found.push(format!("{name} {}{}", meaning.by.name(), targets.concat()));
    }
    found.sort();
    let expected: Vec<_> = expected.trim().lines().map(str::trim).collect();
    assert!(found == expected, "\n{}\n", found.join("\n"));
}

#[test]
fn import_decides_among_equal_names() {
    check(
        &[
            ("a.py", "def get():\n    pass\n"),
            ("b.py", "def get():\n    pass\n"),
            (
                "c.py",
                "from b import get\nimport os\nget()\nos.get()\nput()\n",
            ),
        ],
        "get import b.py#get 1
         get outside
         put unknown",
    );
}

#[test]
fn names_are_followed_through_reexports() {
    check(
        &[
            (
                "p/core.py",
                "class App:\n    def run(self):\n        pass\n",
            ),
            ("p/__init__.py", "from .core import App\n"),
            (
                "main.py",
                "import p\nfrom p import App as A\nA()\np.App()\np.App.run()\n",
            ),
        ],
        "A import p/core.py#App 1
         App import p/core.py#App 1
         run member p/core.py#App.run 1",
    );
}

/// `mod sell; pub use sell::sell;`: the module and the function have one name, and only the function
/// is called.
#[test]
fn module_does_not_hide_a_function_with_its_name() {
    let manifest = ("Cargo.toml", "[package]\nname = \"shop\"\n");
    let function = ("src/sell.rs", "pub fn sell() {}\n");
    let uses = "mod sell;\npub use sell::sell;\n";
    let calls = format!("{uses}fn main() {{ sell(); }}\n");
    check(
        &[manifest, function, ("src/lib.rs", &calls)],
        "sell import src/sell.rs#sell 1",
    );
    let nested = [
        manifest,
        ("src/pay/mod.rs", uses),
        ("src/pay/sell.rs", "pub fn sell() {}\n"),
        ("src/lib.rs", "pub mod pay;\n"),
        (
            "src/main.rs",
            "use shop::pay;\nfn main() { pay::sell(); }\n",
        ),
    ];
    check(&nested, "sell import src/pay/sell.rs#sell 1");
    let elsewhere = [
        manifest,
        ("src/sell.rs", "pub fn other() {}\n"),
        ("src/imp.rs", "pub fn sell() {}\n"),
        ("src/lib.rs", "mod sell;\nmod imp;\npub use imp::sell;\n"),
        ("src/main.rs", "use shop::sell;\nfn main() { sell(); }\n"),
    ];
    check(&elsewhere, "sell import src/imp.rs#sell 1");
    let only_module = [
        manifest,
        ("src/sell.rs", "pub fn other() {}\n"),
        ("src/lib.rs", "mod sell;\nfn main() { sell::other(); }\n"),
    ];
    check(&only_module, "other import src/sell.rs#other 1");
}

/// In Python, the package may define or import a name that one of its modules has, too.
#[test]
fn name_in_a_package_comes_before_its_module() {
    let import = ("app.py", "from shop import sell\nsell()\n");
    let orders = ("shop/orders.py", "def sell(): pass\n");
    for module in [
        "X = 1\n",
        "from .orders import sell\n",
        "def sell(): pass\n",
    ] {
        let package = ("shop/__init__.py", "from .orders import sell\n");
        check(
            &[orders, ("shop/sell.py", module), package, import],
            "sell import shop/orders.py#sell 1",
        );
    }
    check(
        &[
            ("shop/sell.py", "X = 1\n"),
            ("shop/__init__.py", "def sell(): pass\n"),
            import,
        ],
        "sell import shop/__init__.py#sell 1",
    );
    check(
        &[
            ("shop/sell.py", "def sell(): pass\n"),
            ("shop/__init__.py", ""),
            ("app.py", "from shop import sell\nsell.sell()\n"),
        ],
        "sell import shop/sell.py#sell 1",
    );
}

#[test]
fn import_that_another_statement_exports_is_followed() {
    check(
        &[
            ("sell.ts", "export function sell() { return 1; }\n"),
            (
                "index.ts",
                "import { sell } from './sell';\nexport { sell };\n",
            ),
            ("app.ts", "import { sell } from './index';\nsell();\n"),
        ],
        "sell import sell.ts#sell 1",
    );
}

#[test]
fn own_and_inherited_members_resolve() {
    check(
        &[
            (
                "base.py",
                "class Base:\n    def close(self):\n        pass\n",
            ),
            (
                "file.py",
                "from base import Base\nclass File(Base):\n    def open(self):\n        self.close()\n        self.read()\n    def read(self):\n        super().close()\n",
            ),
        ],
        "Base import base.py#Base 1
         close own base.py#Base.close 1
         close own base.py#Base.close 1
         read own file.py#File.read 1
         super unknown",
    );
}

#[test]
fn value_named_after_a_type_resolves_its_members() {
    check(
        &[
            (
                "reader.py",
                "class JsonReader:\n    def next(self):\n        pass\n",
            ),
            (
                "cursor.py",
                "class Cursor:\n    def next(self):\n        pass\n",
            ),
            (
                "main.py",
                "def f(reader, x, cursors):\n    reader.next()\n    x.next()\n",
            ),
        ],
        "next ambiguous
         next value reader.py#JsonReader.next 0.6",
    );
}

#[test]
fn go_packages_and_receivers_resolve() {
    check(
        &[
            ("go.mod", "module example.com/m\n"),
            ("log/log.go", "package log\nfunc Print() {}\n"),
            ("srv/util.go", "package srv\nfunc helper() {}\n"),
            (
                "srv/server.go",
                "package srv\nimport \"example.com/m/log\"\ntype Server struct{}\nfunc (s *Server) Run() { s.stop(); helper(); log.Print() }\nfunc (s *Server) stop() {}\n",
            ),
        ],
        "Print import log/log.go#Print 1
         Server file srv/server.go#Server 1
         Server file srv/server.go#Server 1
         helper package srv/util.go#helper 1
         stop own srv/server.go#Server.stop 1",
    );
}

#[test]
fn rust_modules_resolve() {
    check(
        &[
            ("Cargo.toml", "[package]\nname = \"demo\"\n"),
            (
                "src/parse.rs",
                "pub struct Parser;\nimpl Parser {\n    pub fn new() -> Self { Parser }\n    pub fn run(&self) { self.step() }\n    fn step(&self) {}\n}\npub fn parse() {}\n",
            ),
            (
                "src/lib.rs",
                "mod parse;\nuse parse::Parser;\nfn main() {\n    let parser = Parser::new();\n    parser.run();\n    parse::parse();\n    crate::parse::parse();\n}\n",
            ),
        ],
        "new member src/parse.rs#Parser.new 1
         parse import src/parse.rs#parse 1
         parse import src/parse.rs#parse 1
         run value src/parse.rs#Parser.run 0.9",
    );
}

#[test]
fn header_shares_with_the_definition() {
    check(
        &[
            (
                "list.c",
                "#include \"list.h\"\nint list_len(void) { return 0; }\n",
            ),
            ("list.h", "int list_len(void);\n"),
            (
                "main.c",
                "#include \"list.h\"\nint main(void) { return list_len(); }\n",
            ),
        ],
        "list_len package list.c#list_len 0.7 list.h#list_len 0.3",
    );
}

#[test]
fn java_resolves_its_package_and_its_own_members() {
    check(
        &[
            (
                "a/Util.java",
                "package a;\nclass Util { static void log() {} }\n",
            ),
            (
                "a/Main.java",
                "package a;\nclass Main extends Thing { void run() { step(); Util.log(); } void step() {} }\n",
            ),
        ],
        "Thing unknown
         log member a/Util.java#Util.log 1
         step file a/Main.java#Main.step 1",
    );
}

#[test]
fn javascript_default_exports_and_barrels_resolve() {
    check(
        &[
            (
                "src/render.ts",
                "export function render() {}\nexport default class Root {}\n",
            ),
            ("src/index.ts", "export * from './render'\n"),
            (
                "app.ts",
                "import Root from './src/render'\nimport { render } from './src'\nimport React from 'react'\nrender(); new Root(); React.render()\n",
            ),
        ],
        "Root import src/render.ts#Root 1
         render import src/render.ts#render 1
         render outside",
    );
}

/// A default export without a name never refers to another export of the file.
#[test]
fn default_exports_by_name_and_without() {
    check(
        &[
            (
                "a.js",
                "const one = () => 1\nexport { one }\nexport default wrap(2)\n",
            ),
            (
                "b.js",
                "function two() {}\nfunction three() {}\nexport { three, two as default }\n",
            ),
            ("c.js", "function four() {}\nmodule.exports = { four }\n"),
            ("d.js", "function five() {}\nmodule.exports = five\n"),
            (
                "app.js",
                "import x from './a'\nimport y from './b'\nconst z = require('./c')\nconst v = require('./d')\nx(); y(); z(); v()\n",
            ),
        ],
        "v unknown
         x unknown
         y import b.js#two 1
         z unknown",
    );
}

#[test]
fn name_with_many_definitions_is_ambiguous() {
    let files: Vec<(String, String)> = (0..12)
        .map(|at| {
            (
                format!("w{at}.py"),
                format!("class W{at}:\n    def draw_all(self): pass\n"),
            )
        })
        .collect();
    let mut files: Vec<(&str, &str)> = files.iter().map(|(a, b)| (&**a, &**b)).collect();
    files.push(("main.py", "def f(x):\n    x.draw_all()\n"));
    check(&files, "draw_all ambiguous");
}

#[test]
fn single_name_can_be_resolved() {
    let program = program(&[
        ("a.py", "class A:\n    def go(self): pass\n"),
        ("b.py", "from a import A\ndef f(): pass\n"),
    ]);
    let file = program.file(&RepoPath::new("b.py").unwrap()).unwrap();
    let scope = program.scope(file);
    let meaning = scope.meaning_of("go", Some("A"), Some(0), Some(ReferenceKind::Call));
    assert_eq!(meaning.by, ResolvedBy::Member);
    assert_eq!(program.name(meaning.targets[0].0), "go");
    let nothing = scope.meaning_of("none", None, None, Some(ReferenceKind::Call));
    assert_eq!(nothing.by, ResolvedBy::Unknown);
}

/// Resolves every use of every file.
fn ask_everything(program: &Program) {
    for file in 0..u32::try_from(program.file_count()).unwrap() {
        let scope = program.scope(FileId(file));
        for one in program.uses(FileId(file)) {
            let meaning = scope.meaning(one);
            assert!(meaning.targets.len() <= program.definitions().len());
        }
    }
    for id in program
        .definitions()
        .iter()
        .zip(0..)
        .map(|(_, id)| DefinitionId(id))
    {
        let _ = (program.name(id), program.owner(id), program.bases(id));
    }
}

proptest! {
    /// Damaged bytes are rejected, or read as some program.
    #[test]
    fn any_bytes_are_rejected_or_read(at in 0..2000_usize, with: u8, end in 0..2000_usize) {
        let made = program(&[
            ("a.py", "class A(B):\n    def f(self):\n        return g.h(1)\n"),
            ("b.py", "from a import A as C\n\nC().f()\n"),
        ]);
        let (mut out, mut texts) = (Writer::new(), Writer::new());
        made.write(&mut out, &mut texts);
        let (mut out, mut texts) = (out.finish(), texts.finish());
        let mut uses = made.use_column().clone();
        let numbers: &mut [u8] = bytemuck::cast_slice_mut(uses.to_mut());
        let place = at % (out.len() + texts.len() + numbers.len());
        if place < out.len() {
            out[place] ^= with;
        } else if place < out.len() + texts.len() {
            texts[place - out.len()] ^= with;
        } else {
            numbers[place - out.len() - texts.len()] ^= with;
        }
        let read = |out: &[u8], uses| {
            Program::read(&mut Reader::new(out), &mut Reader::new(&texts), uses)
        };
        if let Some(read) = read(&out, uses.clone()) {
            ask_everything(&read);
        }
        out.truncate(end % (out.len() + 1));
        let _ = read(&out, uses);
    }
}

/// Returns the number of uses and targets of a file, and how many uses are ambiguous.
fn targets(program: &Program, file: u32) -> (usize, usize, usize) {
    let file = FileId(file);
    let scope = program.scope(file);
    let meanings: Vec<NameResolution> = program
        .uses(file)
        .iter()
        .map(|one| scope.meaning(one))
        .collect();
    let targets = meanings.iter().map(|one| one.targets.len()).sum();
    let ambiguous = meanings
        .iter()
        .filter(|one| one.by == ResolvedBy::Ambiguous);
    (meanings.len(), targets, ambiguous.count())
}

/// A repository can define and use one name many times.
#[test]
fn uses_of_a_name_with_many_definitions_have_few_targets() {
    for count in [500, 1_000, 3_000] {
        let functions = "def f():\n    return f()\n".repeat(count);
        let methods: String = (0..count)
            .map(|at| format!("class C{at}:\n    def f(self):\n        return other.f()\n"))
            .collect();
        let same = "class C:\n    def f(self):\n        return self.f()\n".repeat(count);
        for text in [functions, methods, same] {
            let made = program(&[("a.py", &text)]);
            let (uses, targets, ambiguous) = targets(&made, 0);
            assert!(uses >= count, "{uses}");
            assert!(ambiguous >= count, "{ambiguous} of {uses}");
            assert!(targets <= uses, "{targets} targets of {uses} uses");
        }
    }
    // A hundred overloads are not ambiguous.
    let text = format!("{}f()\n", "def f(): pass\n".repeat(100));
    let (_, targets, ambiguous) = targets(&program(&[("a.py", &text)]), 0);
    assert_eq!((targets, ambiguous), (100, 0));
}
