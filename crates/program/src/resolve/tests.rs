//! Small repositories, and the files that their imports refer to.

use loom_syntax::{Limits, extract};

use super::*;

/// Checks a repository, given as paths and texts; each import of `from` is `module -> files`.
fn check(repository: &[(&str, &str)], from: &str, expected: &[&str]) {
    let paths: Vec<_> = repository
        .iter()
        .map(|(path, _)| RepoPath::new(*path).unwrap())
        .collect();
    let mut resolver = Resolver::new(&paths);
    for (path, (_, text)) in paths.iter().zip(repository) {
        if Resolver::is_manifest(path) {
            resolver.add_manifest(path, text);
        } else if let Some(language) = Language::detect(path, text) {
            resolver.add_file(path, language, &extract(language, text, &Limits::default()));
        }
    }
    let (_, text) = repository.iter().find(|(path, _)| *path == from).unwrap();
    let path = RepoPath::new(from).unwrap();
    let language = Language::detect(&path, text).unwrap();
    let structure = extract(language, text, &Limits::default());
    let actual = structure.imports.iter().map(|import| {
        let meaning = match resolver.resolve(&path, language, import) {
            Resolution::Files(files) => files
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
                .join(" "),
            Resolution::Unresolved(reason) => format!("({})", reason.name()),
        };
        format!("{} {} -> {meaning}", import.module, import.names.join(","))
    });
    let actual: Vec<String> = actual.collect();
    assert_eq!(actual, expected);
}

#[test]
fn python_imports_resolve() {
    check(
        &[
            ("pkg/__init__.py", ""),
            (
                "pkg/a.py",
                "from . import b\nfrom .sub import c, D\nfrom ..x import y\nimport pkg.sub.c\nimport os\nfrom pkg import b, thing\nimport pkg.gone\n",
            ),
            ("pkg/b.py", ""),
            ("pkg/sub/__init__.py", ""),
            ("pkg/sub/c.py", ""),
        ],
        "pkg/a.py",
        &[
            ". b -> pkg/b.py",
            ".sub c,D -> pkg/sub/c.py pkg/sub/__init__.py",
            "..x y -> (missing)",
            "pkg.sub.c  -> pkg/sub/c.py",
            "os  -> (outside)",
            "pkg b,thing -> pkg/b.py pkg/__init__.py",
            "pkg.gone  -> (missing)",
        ],
    );
}

#[test]
fn typescript_imports_resolve() {
    check(
        &[
            (
                "tsconfig.json",
                "{ // paths\n \"compilerOptions\": { \"baseUrl\": \".\", \"paths\": { \"@app/*\": [\"src/*\"], } } }",
            ),
            (
                "packages/util/package.json",
                "{ \"name\": \"@x/util\", \"main\": \"lib/index.js\" }",
            ),
            ("packages/util/src/index.ts", ""),
            ("packages/util/src/deep.ts", ""),
            (
                "src/a.ts",
                "import './b';\nimport '@app/c/d';\nimport '@x/util';\nimport '@x/util/lib/deep';\nimport 'react';\nimport 'node:fs';\nimport './e.js';\nimport './gone';\nimport '../../out';\n",
            ),
            ("src/b/index.tsx", ""),
            ("src/c/d.ts", ""),
            ("src/e.ts", ""),
        ],
        "src/a.ts",
        &[
            "./b  -> src/b/index.tsx",
            "@app/c/d  -> src/c/d.ts",
            "@x/util  -> packages/util/src/index.ts",
            "@x/util/lib/deep  -> packages/util/src/deep.ts",
            "react  -> (outside)",
            "node:fs  -> (system)",
            "./e.js  -> src/e.ts",
            "./gone  -> (missing)",
            "../../out  -> (missing)",
        ],
    );
}

#[test]
fn rust_imports_resolve() {
    check(
        &[
            ("crates/a/Cargo.toml", "[package]\nname = \"my-a\"\n"),
            ("crates/a/src/lib.rs", ""),
            ("crates/a/src/deep/mod.rs", ""),
            ("crates/b/Cargo.toml", "[package]\nname = \"b\"\n"),
            ("crates/b/src/lib.rs", ""),
            (
                "crates/b/src/one.rs",
                "mod two;\nuse my_a::deep::Thing;\nuse crate::other::{x, Y};\nuse super::Z;\nuse self::two::W;\nuse std::fmt;\nuse serde::Serialize;\nuse two::V;\n",
            ),
            ("crates/b/src/one/two.rs", ""),
            ("crates/b/src/other.rs", ""),
            ("crates/b/src/other/x.rs", ""),
        ],
        "crates/b/src/one.rs",
        &[
            "two  -> crates/b/src/one/two.rs",
            "my_a::deep Thing -> crates/a/src/deep/mod.rs",
            "crate::other x,Y -> crates/b/src/other/x.rs crates/b/src/other.rs",
            "super Z -> crates/b/src/lib.rs",
            "self::two W -> crates/b/src/one/two.rs",
            "std fmt -> (system)",
            "serde Serialize -> (outside)",
            "two V -> crates/b/src/one/two.rs",
        ],
    );
}

/// A fixture may have the name of a real package.
#[test]
fn nearest_package_of_a_name_wins() {
    let rust = [
        ("Cargo.toml", "[package]\nname = \"shop\"\n"),
        ("src/lib.rs", ""),
        ("tests/all.rs", "use shop::sell;\n"),
        ("tests/data/Cargo.toml", "[package]\nname = \"shop\"\n"),
        ("tests/data/src/lib.rs", ""),
        ("tests/data/tests/all.rs", "use shop::sell;\n"),
        ("tests/other/src/lib.rs", "use shop::sell;\n"),
    ];
    check(&rust, "tests/all.rs", &["shop sell -> src/lib.rs"]);
    let inner = "tests/data/tests/all.rs";
    check(&rust, inner, &["shop sell -> tests/data/src/lib.rs"]);
    check(
        &rust,
        "tests/other/src/lib.rs",
        &["shop sell -> src/lib.rs"],
    );
    let script = [
        (
            "packages/a/package.json",
            "{\"name\": \"a\", \"main\": \"index.js\"}",
        ),
        ("packages/a/index.js", ""),
        (
            "old/a/package.json",
            "{\"name\": \"a\", \"main\": \"index.js\"}",
        ),
        ("old/a/index.js", ""),
        ("packages/b/index.js", "import 'a';\n"),
        ("old/b/index.js", "import 'a';\n"),
    ];
    check(
        &script,
        "packages/b/index.js",
        &["a  -> packages/a/index.js"],
    );
    check(&script, "old/b/index.js", &["a  -> old/a/index.js"]);
}

#[test]
fn rust_inline_modules_and_aliases_resolve() {
    check(
        &[
            ("a/Cargo.toml", "[package]\nname = \"a\"\n"),
            ("a/src/lib.rs", "pub extern crate b_c as c;\n"),
            ("b/Cargo.toml", "[package]\nname = \"b-c\"\n"),
            ("b/src/lib.rs", ""),
            ("b/src/deep.rs", ""),
            ("d/Cargo.toml", "[package]\nname = \"d\"\n"),
            ("d/src/lib.rs", ""),
            ("d/src/other.rs", ""),
            (
                "d/src/one.rs",
                "use a::c::deep::X;\n#[path = \"other.rs\"]\nmod imp;\nmod tests {\n  use super::*;\n  use super::super::Y;\n  mod more {\n    use super::z;\n  }\n}\n",
            ),
        ],
        "d/src/one.rs",
        &[
            "a::c::deep X -> b/src/deep.rs",
            "other.rs  -> d/src/other.rs",
            "super * -> d/src/one.rs",
            "super::super Y -> d/src/lib.rs",
            "super z -> d/src/one.rs",
        ],
    );
}

#[test]
fn rust_targets_of_a_manifest_are_roots() {
    check(
        &[
            (
                "Cargo.toml",
                "[package]\nname = \"x\"\n[[test]]\npath = \"tests/all.rs\"\n",
            ),
            ("src/lib.rs", ""),
            ("tests/all.rs", ""),
            ("tests/util.rs", ""),
            ("tests/part/one.rs", "use crate::util::Dir;\nuse x::Y;\n"),
        ],
        "tests/part/one.rs",
        &["crate::util Dir -> tests/util.rs", "x Y -> src/lib.rs"],
    );
}

#[test]
fn nearest_rust_package_of_a_name_wins() {
    check(
        &[
            (
                "app/Cargo.toml",
                "[package]\nname = \"app\"\n[dependencies]\ncore-kit = { path = \"../far/away/kit\", version = \"1\" }\n[dev-dependencies.other]\nversion = \"1\"\npath = '../far/other'\n",
            ),
            ("app/kit/Cargo.toml", "[package]\nname = \"core-kit\"\n"),
            ("app/kit/src/lib.rs", ""),
            (
                "far/away/kit/Cargo.toml",
                "[package]\nname = \"core-kit\"\n",
            ),
            ("far/away/kit/src/lib.rs", ""),
            ("app/other/Cargo.toml", "[package]\nname = \"other\"\n"),
            ("app/other/src/lib.rs", ""),
            ("far/other/Cargo.toml", "[package]\nname = \"other\"\n"),
            ("far/other/src/lib.rs", ""),
            (
                "Cargo.toml",
                "[workspace.dependencies]\nshared = { path = \"far/shared\" }\n",
            ),
            ("app/shared/Cargo.toml", "[package]\nname = \"shared\"\n"),
            ("app/shared/src/lib.rs", ""),
            ("far/shared/Cargo.toml", "[package]\nname = \"shared\"\n"),
            ("far/shared/src/lib.rs", ""),
            (
                "app/src/lib.rs",
                "use core_kit::A;\nuse other::B;\nuse shared::C;\n",
            ),
        ],
        "app/src/lib.rs",
        &[
            "core_kit A -> far/away/kit/src/lib.rs",
            "other B -> far/other/src/lib.rs",
            "shared C -> far/shared/src/lib.rs",
        ],
    );
}

#[test]
fn go_imports_resolve() {
    check(
        &[
            ("go.mod", "module k8s.io/kube\n"),
            ("staging/api/go.mod", "module k8s.io/api\n"),
            ("staging/api/core/v1/types.go", ""),
            ("staging/api/core/v1/types_test.go", ""),
            ("pkg/a/a.go", ""),
            (
                "main.go",
                "package main\nimport (\n\"fmt\"\n\"k8s.io/kube/pkg/a\"\nv1 \"k8s.io/api/core/v1\"\n\"github.com/x/y\"\n\"k8s.io/kube/gone\"\n)\n",
            ),
        ],
        "main.go",
        &[
            "fmt  -> (system)",
            "k8s.io/kube/pkg/a  -> pkg/a/a.go",
            "k8s.io/api/core/v1  -> staging/api/core/v1/types.go",
            "github.com/x/y  -> (outside)",
            "k8s.io/kube/gone  -> (missing)",
        ],
    );
}

#[test]
fn java_and_kotlin_imports_resolve() {
    check(
        &[
            (
                "src/main/java/a/b/One.java",
                "package a.b;\npublic class One { static class In {} }\n",
            ),
            ("src/main/kotlin/util.kt", "package a.c\nfun helper() {}\n"),
            (
                "src/X.kt",
                "package x\nimport a.b.One\nimport a.b.One.In\nimport a.c.helper\nimport a.c.*\nimport java.util.List\nimport a.b.Gone\nimport org.y.Z\n",
            ),
        ],
        "src/X.kt",
        &[
            "a.b One -> src/main/java/a/b/One.java",
            "a.b.One In -> src/main/java/a/b/One.java",
            "a.c helper -> src/main/kotlin/util.kt",
            "a.c * -> src/main/kotlin/util.kt",
            "java.util List -> (system)",
            "a.b Gone -> (missing)",
            "org.y Z -> (outside)",
        ],
    );
}

#[test]
fn includes_resolve() {
    check(
        &[
            (
                "src/a.c",
                "#include \"b.h\"\n#include <lib/c.h>\n#include <stdio.h>\n#include \"gone.h\"\n",
            ),
            ("src/b.h", ""),
            ("include/lib/c.h", ""),
            ("other/b.h", ""),
        ],
        "src/a.c",
        &[
            "b.h  -> src/b.h",
            "lib/c.h  -> include/lib/c.h",
            "stdio.h  -> (system)",
            "gone.h  -> (missing)",
        ],
    );
}

#[test]
fn php_ruby_and_csharp_imports_resolve() {
    check(
        &[
            (
                "composer.json",
                "{\"autoload\": {\"psr-4\": {\"App\\\\\": \"src/\"}}}",
            ),
            (
                "src/Shop/Till.php",
                "<?php namespace App\\Shop; class Till {}",
            ),
            (
                "a.php",
                "<?php\nuse App\\Shop\\Till;\nuse Other\\Thing;\nuse App\\Gone;\nrequire 'src/Shop/Till.php';\n",
            ),
        ],
        "a.php",
        &[
            "App\\Shop\\Till  -> src/Shop/Till.php",
            "Other\\Thing  -> (outside)",
            "App\\Gone  -> (missing)",
            "src/Shop/Till.php  -> src/Shop/Till.php",
        ],
    );
    check(
        &[
            (
                "lib/shop.rb",
                "require 'shop/till'\nrequire_relative 'shop/till'\nrequire 'json'\n",
            ),
            ("lib/shop/till.rb", ""),
        ],
        "lib/shop.rb",
        &[
            "shop/till  -> lib/shop/till.rb",
            "shop/till  -> lib/shop/till.rb",
            "json  -> (outside)",
        ],
    );
    check(
        &[
            ("A.cs", "namespace X.Y { class A {} }"),
            ("B.cs", "namespace X.Y { class B {} }"),
            (
                "C.cs",
                "using X.Y;\nusing System.IO;\nusing static X.Y.A;\nusing Other;\n",
            ),
        ],
        "C.cs",
        &[
            "X.Y  -> A.cs B.cs",
            "System.IO  -> (system)",
            "X.Y.A  -> A.cs",
            "Other  -> (outside)",
        ],
    );
}
