//! A store answers like plain maps after any sequence of writes.

use std::collections::BTreeMap;

use loom_base::{ContentHash, RepoPath, Stamp};
use loom_store::{
    Batch, Compression, Digest, HashChoice, Options, Seal, Store, ValueKind, Version,
};
use proptest::prelude::*;

const KINDS: [ValueKind; 3] = [kind("words", 1), kind("words", 2), kind("lines", 1)];
const ROOTS: [&[u8]; 2] = [b"/one", b"/two"];
const PATHS: [&str; 4] = ["a", "a/b", "a.rs", "z"];
const CONTENTS: usize = 5;
const VARIANTS: i64 = 2;

const fn kind(name: &'static str, version: u32) -> ValueKind {
    ValueKind { name, version }
}

#[derive(Clone, Debug)]
enum Step {
    Put {
        address: ValueAddress,
        form: Form,
        value: Vec<u8>,
    },
    File {
        place: FilePlace,
        entry: Entry,
    },
    Gone(FilePlace),
    Write,
    Reopen,
}

/// Content, kind and variant.
type ValueAddress = (usize, usize, i64);
/// Root and path.
type FilePlace = (usize, usize);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Form {
    Plain,
    Sealed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    stamp: Stamp,
    /// `None` for a binary file.
    content: Option<usize>,
    mark: i64,
}

/// Expected contents of a store.
#[derive(Clone, Debug, Default)]
struct Model {
    values: BTreeMap<(Form, ValueAddress), Vec<u8>>,
    files: BTreeMap<FilePlace, Entry>,
}

impl Model {
    fn apply(&mut self, step: &Step) {
        match step {
            Step::Put {
                address,
                form,
                value,
            } => {
                self.values.insert((*form, *address), value.clone());
            }
            Step::File { place, entry } => {
                let mark = match self.files.get(place) {
                    Some(old) if entry.mark == 0 && old.content == entry.content => old.mark,
                    // An index read the earlier contents.
                    Some(old) if entry.mark == 0 => -old.mark.abs(),
                    _ => entry.mark,
                };
                self.files.insert(*place, Entry { mark, ..*entry });
            }
            Step::Gone(place) => {
                self.files.remove(place);
            }
            Step::Write | Step::Reopen => {}
        }
    }
}

fn contents(number: usize) -> Vec<u8> {
    format!("contents {number}").into_bytes()
}

fn digest(number: usize) -> Digest {
    Digest::of(HashChoice::Blake3, &contents(number))
}

fn hash(number: usize) -> ContentHash {
    ContentHash::from_bytes([number as u8; 32])
}

fn add(batch: &mut Batch, step: &Step) {
    match step {
        Step::Put {
            address: (content, kind, variant),
            form,
            value,
        } => {
            let (digest, kind) = (digest(*content), KINDS[*kind]);
            match form {
                Form::Plain => batch.put(&digest, kind, *variant, value),
                Form::Sealed => {
                    let seal = Seal::of(&contents(*content));
                    batch.put_sealed(&digest, kind, *variant, value, &seal);
                }
            }
        }
        Step::File {
            place: (root, path),
            entry,
        } => {
            let path = RepoPath::new(PATHS[*path]).unwrap();
            let content = entry.content.map(|number| (digest(number), hash(number)));
            batch.marked_file(ROOTS[*root], &path, entry.stamp, entry.mark, content);
        }
        Step::Gone((root, path)) => {
            batch.gone(ROOTS[*root], &RepoPath::new(PATHS[*path]).unwrap());
        }
        Step::Write | Step::Reopen => {}
    }
}

fn place() -> impl Strategy<Value = FilePlace> {
    (0..ROOTS.len(), 0..PATHS.len())
}

fn step() -> impl Strategy<Value = Step> {
    let stamp =
        any::<(u64, i64, i64, u64, u64)>().prop_map(|(size, modified, changed, file, device)| {
            Stamp {
                size,
                modified,
                changed,
                file,
                device,
            }
        });
    let entry =
        (stamp, prop::option::of(0..CONTENTS), 0..3_i64).prop_map(|(stamp, content, mark)| Entry {
            stamp,
            content,
            mark,
        });
    let value = prop::collection::vec(0..3_u8, 0..300);
    let form = prop::sample::select(vec![Form::Plain, Form::Sealed]);
    let put = ((0..CONTENTS, 0..KINDS.len(), 0..VARIANTS), form, value).prop_map(
        |(address, form, value)| Step::Put {
            address,
            form,
            value,
        },
    );
    prop_oneof![
        4 => put,
        4 => (place(), entry).prop_map(|(place, entry)| Step::File { place, entry }),
        1 => place().prop_map(Step::Gone),
        2 => Just(Step::Write),
        1 => Just(Step::Reopen),
    ]
}

/// Compares every lookup of the store with the model.
fn check(store: &Store, model: &Model) -> Result<(), TestCaseError> {
    for content in 0..CONTENTS {
        let found = store.find(&digest(content));
        for (kind, variant) in (0..KINDS.len()).flat_map(|kind| [(kind, 0), (kind, 1)]) {
            let address = (content, kind, variant);
            let expected = |form| model.values.get(&(form, address));
            let [plain, sealed] = [Form::Plain, Form::Sealed].map(expected);
            let Some(found) = &found else {
                prop_assert!(plain.is_none() && sealed.is_none());
                continue;
            };
            let kind = KINDS[kind];
            let answered = store.get(found, kind, variant);
            prop_assert_eq!(answered.as_ref(), plain);
            let seal = Seal::of(&contents(content));
            let opened = store.get_sealed(found, kind, variant, &seal);
            prop_assert_eq!(opened.as_ref(), sealed);
            let other = Seal::of(b"other contents");
            prop_assert_eq!(store.get_sealed(found, kind, variant, &other), None);
            let is_there = plain.is_some() || sealed.is_some();
            prop_assert_eq!(store.has(found, kind, variant), is_there);
        }
    }
    for root in 0..ROOTS.len() {
        check_root(store, model, root)?;
    }
    Ok(())
}

fn check_root(store: &Store, model: &Model, root: usize) -> Result<(), TestCaseError> {
    let files = model.files.iter().filter(|((of, _), _)| *of == root);
    let mut expected: Vec<(&str, Entry)> = files
        .map(|((_, path), entry)| (PATHS[*path], *entry))
        .collect();
    expected.sort_by_key(|(path, _)| path.as_bytes());
    let known = store.snapshot(ROOTS[root]);
    let answered: Vec<(&str, Entry)> = known
        .iter()
        .map(|known| {
            let content = match &known.version {
                Version::Binary => None,
                Version::Content(_, found) => (0..CONTENTS).find(|one| hash(*one) == *found),
            };
            let entry = Entry {
                stamp: known.stamp,
                content,
                mark: known.mark,
            };
            (known.path.as_str().unwrap(), entry)
        })
        .collect();
    prop_assert_eq!(&answered, &expected);
    for (number, kind) in KINDS.iter().enumerate() {
        let values = store.values(ROOTS[root], *kind);
        for content in 0..CONTENTS {
            let Some(found) = store.find(&digest(content)) else {
                continue;
            };
            let is_listed = expected.iter().any(|(_, one)| one.content == Some(content));
            for variant in 0..VARIANTS {
                let value = model.values.get(&(Form::Plain, (content, number, variant)));
                let value = value.filter(|_| is_listed);
                let answered = values.get(&found, variant);
                prop_assert_eq!(answered.as_ref(), value);
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_store_answers_as_maps_do(
        steps in prop::collection::vec(step(), 1..40),
        compression in prop::sample::select(Compression::ALL.as_slice()),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let options = Options { compression, ..Options::default() };
        let open = || Store::open(folder.path(), options).unwrap();
        let (mut store, mut model) = (open(), Model::default());
        let (mut batch, mut waiting) = (store.batch(), Vec::new());
        for step in steps.iter().chain([&Step::Write]) {
            add(&mut batch, step);
            waiting.push(step);
            if matches!(step, Step::Write | Step::Reopen) {
                store.write(&std::mem::replace(&mut batch, store.batch()));
                // A batch removes files after it added others.
                let (gone, rest): (Vec<_>, Vec<_>) = waiting
                    .drain(..)
                    .partition(|step| matches!(step, Step::Gone(_)));
                rest.into_iter().chain(gone).for_each(|step| model.apply(step));
                if matches!(step, Step::Reopen) {
                    store = open();
                }
                check(&store, &model)?;
            }
        }
        prop_assert_eq!(store.trouble(), None);
        let verified = store.verify().unwrap();
        prop_assert_eq!((verified.values, verified.wrong), (model.values.len(), 0));
    }
}
