//! Structures, imports and relations of the files of a source.

use std::ops::ControlFlow;

use loom_host::{
    Cancel, Depth, FileStructure, ImportFollower, Language, PackError, PackOptions, Packer,
    Resolution, Run, SecretsMode, SecretsOptions, StructureOptions, StructureRun,
};
use loom_testkit::Sandbox;

use crate::fixture::{cached, packer, password};

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox
        .write("src/price.py", "def price():\n    \"\"\"Costs.\"\"\"\n    return 1\n")
        .write("src/shop.py", "from src.price import price\nimport os\n\n\nclass Shop:\n    def sell(self):\n        return price()\n")
        .write("tests/test_shop.py", "from src.shop import Shop\n\n\ndef test_sell():\n    assert Shop().sell() == 1\n")
        .write("a.rs", "pub fn a() {}\n")
        .write("notes.txt", "words\n")
        .write("data.bin", "\0");
    sandbox
}

fn structures(packer: &Packer, options: &StructureOptions) -> Vec<FileStructure> {
    let mut found = Vec::new();
    let emit = |file: FileStructure| {
        found.push(file);
        ControlFlow::Continue(())
    };
    StructureRun::new(packer, options, &Run::new(), &Cancel::new())
        .each(emit)
        .unwrap();
    found
}

fn symbols(files: &[FileStructure]) -> Vec<String> {
    let of = |file: &FileStructure| {
        let path = file.path.display().into_owned();
        let symbols = file.structure.symbols.iter();
        symbols
            .map(move |one| format!("{path} {}", one.qualified))
            .collect::<Vec<_>>()
    };
    files.iter().flat_map(of).collect()
}

#[test]
fn structures_are_in_order_and_the_same_from_the_cache() {
    let sandbox = sandbox();
    let expected = [
        "a.rs a",
        "src/price.py price",
        "src/shop.py Shop",
        "src/shop.py Shop.sell",
        "tests/test_shop.py test_sell",
    ];
    for options in [PackOptions::default(), cached(&sandbox), cached(&sandbox)] {
        let found = structures(&packer(&sandbox, options), &StructureOptions::default());
        assert_eq!(symbols(&found), expected);
        let price = found
            .iter()
            .find(|file| file.path.display() == "src/price.py")
            .unwrap();
        assert_eq!((price.lines, price.structure.depth), (3, Depth::Grammar));
        assert_eq!(price.language.map(Language::id), Some("python"));
    }
}

#[test]
fn languages_select_the_files() {
    let sandbox = sandbox();
    let options = StructureOptions {
        languages: vec![Language::from_id("rust").unwrap()],
        ..StructureOptions::default()
    };
    assert_eq!(
        symbols(&structures(
            &packer(&sandbox, PackOptions::default()),
            &options
        )),
        ["a.rs a"]
    );
}

#[test]
fn secrets_in_names_signatures_and_documentation_are_redacted() {
    let sandbox = Sandbox::new();
    let password = password();
    sandbox
        .write(".env", format!("PASSWORD={password}\n"))
        .write(
            "a.rs",
            format!("/// Use {password} here.\npub const TEXT: &str = \"{password}\";\n"),
        )
        .write("b.py", format!("def f(given=\"{password}\"):\n    pass\n"));
    let redacting = StructureOptions {
        redacts: true,
        ..StructureOptions::default()
    };
    for options in [PackOptions::default(), cached(&sandbox), cached(&sandbox)] {
        let packer = packer(&sandbox, options);
        let told = format!("{:?}", structures(&packer, &redacting));
        assert!(!told.contains(&password), "{told}");
        assert!(told.contains("[REDACTED:password:1]"), "{told}");
        // Without redaction, a caller inside the program gets the names as they are.
        let raw = format!("{:?}", structures(&packer, &StructureOptions::default()));
        assert!(raw.contains(&password));
    }
    let off = PackOptions {
        secrets: SecretsOptions::new(SecretsMode::Off),
        ..PackOptions::default()
    };
    let told = format!("{:?}", structures(&packer(&sandbox, off), &redacting));
    assert!(told.contains(&password));
}

#[test]
fn consumer_and_cancellation_end_the_pass() {
    let sandbox = sandbox();
    let packer = packer(&sandbox, PackOptions::default());
    let mut seen = 0;
    let emit = |_: FileStructure| {
        seen += 1;
        ControlFlow::Break(())
    };
    StructureRun::new(
        &packer,
        &StructureOptions::default(),
        &Run::new(),
        &Cancel::new(),
    )
    .each(emit)
    .unwrap();
    assert_eq!(seen, 1);
    let cancel = Cancel::new();
    cancel.cancel();
    let options = StructureOptions::default();
    let result = StructureRun::new(&packer, &options, &Run::new(), &cancel)
        .each(|_| ControlFlow::Continue(()));
    assert!(matches!(result, Err(PackError::Cancelled)));
    assert!(matches!(
        ImportFollower::new(&packer, &options, &Run::new(), &cancel).imports(),
        Err(PackError::Cancelled)
    ));
}

#[test]
fn imports_are_resolved_across_files() {
    let sandbox = sandbox();
    let packer = packer(&sandbox, PackOptions::default());
    let imports = ImportFollower::new(
        &packer,
        &StructureOptions::default(),
        &Run::new(),
        &Cancel::new(),
    )
    .imports()
    .unwrap();
    let told: Vec<String> = imports
        .iter()
        .flat_map(|file| {
            file.imports.iter().map(|(import, resolution)| {
                let to = match resolution {
                    Resolution::Files(files) => files[0].display().into_owned(),
                    _ => "-".to_owned(),
                };
                format!("{} {} {to}", file.path.display(), import.module)
            })
        })
        .collect();
    assert_eq!(
        told,
        [
            "src/shop.py src.price src/price.py",
            "src/shop.py os -",
            "tests/test_shop.py src.shop src/shop.py",
        ]
    );
}

#[test]
fn tests_are_linked_to_the_tested_code() {
    let sandbox = sandbox();
    let packer = packer(&sandbox, PackOptions::default());
    let options = StructureOptions::default();
    let relations = ImportFollower::new(&packer, &options, &Run::new(), &Cancel::new())
        .relations()
        .unwrap();
    let files = structures(&packer, &options);
    let of = |path: &str| {
        let file = files
            .iter()
            .find(|file| file.path.display() == path)
            .unwrap();
        format!("{:?}", relations.tested(&file.path, &file.structure))
    };
    assert!(
        of("tests/test_shop.py").contains("src/shop.py"),
        "{}",
        of("tests/test_shop.py")
    );
    assert!(!of("src/shop.py").contains("tests/"));
}
