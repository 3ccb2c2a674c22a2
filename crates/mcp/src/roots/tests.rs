//! Which folders are served, under which names, and which of them a call means.

use infiniloom::Infiniloom;
use loom_testkit::Sandbox;

use super::*;

impl Roots {
    /// Serves an opened directory of which nothing is built yet.
    pub(crate) fn with_root(self, root: Arc<Root>) -> Self {
        let served = Served {
            path: root.path().to_owned(),
            also: None,
            name: root.name.clone(),
            root: Ok(root),
            served_by: ServedBy::User,
        };
        self.served.write().unwrap().push(served);
        self
    }
}

fn empty() -> Roots {
    Roots::new(Arc::new(|path| Infiniloom::new().open(path)))
}

/// Serves these folders, each with one file.
fn serving(sandbox: &Sandbox, folders: &[&str]) -> Roots {
    let roots = empty();
    for folder in folders {
        sandbox.write(format!("{folder}/a.py"), "one = 1\n");
        assert_eq!(roots.add(&sandbox.path(folder)), Ok(None));
    }
    roots
}

fn names(roots: &Roots) -> Vec<String> {
    roots.list().iter().map(|root| root.name.clone()).collect()
}

fn picked(roots: &Roots, name: Option<&str>, paths: &[&Path]) -> Result<String, String> {
    let picked = roots.pick(name, paths, &Control::new());
    picked
        .map(|root| root.name.clone())
        .map_err(|wrong| wrong.0)
}

fn full(sandbox: &Sandbox, path: &str) -> PathBuf {
    sandbox.path(path).canonicalize().unwrap()
}

#[test]
fn folders_of_equal_names_get_numbers() {
    let sandbox = Sandbox::new();
    let roots = serving(&sandbox, &["a/app", "b/app", "c/app", "lib"]);
    assert_eq!(names(&roots), ["app", "app-2", "app-3", "lib"]);
    assert_eq!(picked(&roots, Some("app-2"), &[]), Ok("app-2".to_owned()));
}

#[test]
fn folder_that_is_served_already_is_not_served_twice() {
    let sandbox = Sandbox::new();
    let roots = serving(&sandbox, &["app"]);
    assert_eq!(roots.add(&sandbox.path("app/../app")), Ok(None));
    assert_eq!(names(&roots), ["app"]);
}

#[test]
fn missing_folder_is_an_error_that_names_it() {
    let sandbox = Sandbox::new();
    let roots = empty();
    let error = roots.add(&sandbox.path("nowhere")).unwrap_err();
    assert!(error.contains("nowhere"), "{error}");
    assert!(roots.is_empty());
}

#[test]
fn number_of_folders_is_limited() {
    let sandbox = Sandbox::new();
    let all: Vec<String> = (0..MOST).map(|number| format!("r{number}")).collect();
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    let roots = serving(&sandbox, &all);
    sandbox.write("more/a.py", "one = 1\n");
    let error = roots.add(&sandbox.path("more")).unwrap_err();
    assert!(error.contains("32"), "{error}");
    assert_eq!(names(&roots).len(), MOST);
}

#[test]
fn call_without_a_folder_says_how_to_serve_one() {
    let error = picked(&empty(), None, &[]).unwrap_err();
    assert!(error.contains("no folder is served"), "{error}");
    assert!(error.contains("infiniloom mcp install --root"), "{error}");
}

#[test]
fn only_folder_is_meant_whatever_the_paths() {
    let sandbox = Sandbox::new();
    let roots = serving(&sandbox, &["app"]);
    let outside = [Path::new("/etc/passwd")];
    assert_eq!(picked(&roots, None, &[]), Ok("app".to_owned()));
    assert_eq!(picked(&roots, None, &outside), Ok("app".to_owned()));
}

#[test]
fn paths_of_a_call_choose_among_several_folders() {
    let sandbox = Sandbox::new();
    let roots = serving(&sandbox, &["one", "two"]);
    let (one, two) = (full(&sandbox, "one/a.py"), full(&sandbox, "two/a.py"));
    assert_eq!(picked(&roots, None, &[&one]), Ok("one".to_owned()));
    assert_eq!(picked(&roots, None, &[&two]), Ok("two".to_owned()));
    // No folder has both, and a call without paths means none.
    for paths in [&[one.as_path(), two.as_path()][..], &[]] {
        let error = picked(&roots, None, paths).unwrap_err();
        assert!(error.ends_with("is meant: one, two"), "{error}");
    }
}

#[test]
fn inner_of_two_folders_is_meant_by_paths_in_it() {
    let sandbox = Sandbox::new();
    let roots = serving(&sandbox, &["app", "app/inner"]);
    let (inner, outer) = (full(&sandbox, "app/inner/a.py"), full(&sandbox, "app/a.py"));
    assert_eq!(picked(&roots, None, &[&inner]), Ok("inner".to_owned()));
    assert_eq!(picked(&roots, None, &[&outer]), Ok("app".to_owned()));
    assert_eq!(
        picked(&roots, None, &[&inner, &outer]),
        Ok("app".to_owned())
    );
}

#[test]
fn folder_is_known_by_its_name_and_its_path() {
    let sandbox = Sandbox::new();
    let roots = serving(&sandbox, &["one", "two"]);
    let path = full(&sandbox, "two").display().to_string();
    assert_eq!(picked(&roots, Some(&path), &[]), Ok("two".to_owned()));
    let error = picked(&roots, Some("three"), &[]).unwrap_err();
    assert_eq!(error, "there is no root `three`; there are one, two");
}

/// The name wins over the paths: a call may compare files of other folders.
#[test]
fn named_folder_is_meant_even_with_paths_of_another() {
    let sandbox = Sandbox::new();
    let roots = serving(&sandbox, &["one", "two"]);
    let one = full(&sandbox, "one/a.py");
    assert_eq!(picked(&roots, Some("two"), &[&one]), Ok("two".to_owned()));
}

#[cfg(unix)]
#[test]
fn folder_behind_a_link_is_known_by_the_link_too() {
    let sandbox = Sandbox::new();
    sandbox.write("real/a.py", "one = 1\n");
    std::os::unix::fs::symlink(sandbox.path("real"), sandbox.path("link")).unwrap();
    let roots = serving(&sandbox, &["other"]);
    assert_eq!(roots.add(&sandbox.path("link")), Ok(None));
    let linked = sandbox.path("link");
    let linked_file = linked.join("a.py");
    for name in ["link", "real", linked.to_str().unwrap()] {
        let found = picked(&roots, Some(name), &[]);
        assert_eq!(found, Ok("real".to_owned()), "{name}");
    }
    assert_eq!(picked(&roots, None, &[&linked_file]), Ok("real".to_owned()));
}

#[test]
fn folder_with_invalid_settings_is_served_once_they_are_valid() {
    let sandbox = Sandbox::new();
    let roots = serving(&sandbox, &["good"]);
    sandbox.write("bad/a.py", "one = 1\n");
    sandbox.write("bad/infiniloom.toml", "[context]\ntop = \"all\"\n");
    let wrong = roots.add(&sandbox.path("bad")).unwrap().unwrap();
    assert!(wrong.contains("infiniloom.toml:2"), "{wrong}");
    assert_eq!(names(&roots), ["good"], "it cannot be read yet");
    let error = picked(&roots, Some("bad"), &[]).unwrap_err();
    assert!(error.contains("infiniloom.toml:2"), "{error}");
    assert!(error.contains("bad"), "{error}");
    assert_eq!(picked(&roots, Some("good"), &[]), Ok("good".to_owned()));
    sandbox.write("bad/infiniloom.toml", "[context]\ntop = 3\n");
    assert_eq!(picked(&roots, Some("bad"), &[]), Ok("bad".to_owned()));
    assert_eq!(names(&roots), ["good", "bad"]);
}

#[test]
fn list_of_the_client_replaces_its_earlier_folders_and_no_other() {
    let sandbox = Sandbox::new();
    let roots = serving(&sandbox, &["mine"]);
    for folder in ["a", "b"] {
        sandbox.write(format!("{folder}/a.py"), "one = 1\n");
    }
    let (a, b) = (sandbox.path("a"), sandbox.path("b"));
    assert!(roots.follow(std::slice::from_ref(&a)).is_empty());
    assert_eq!(names(&roots), ["mine", "a"]);
    assert!(roots.follow(std::slice::from_ref(&b)).is_empty());
    assert_eq!(names(&roots), ["mine", "b"]);
    // A folder of the user stays when the client lists it, and when it no longer does.
    assert!(roots.follow(&[sandbox.path("mine")]).is_empty());
    assert!(roots.follow(&[]).is_empty());
    assert_eq!(names(&roots), ["mine"]);
}

#[test]
fn wrong_folders_of_a_list_are_returned_and_the_others_served() {
    let sandbox = Sandbox::new();
    let roots = serving(&sandbox, &["mine"]);
    sandbox.write("good/a.py", "one = 1\n");
    let listed = [sandbox.path("nowhere"), "/".into(), sandbox.path("good")];
    let wrong = roots.follow(&listed);
    assert_eq!(wrong.len(), 2, "{wrong:?}");
    assert!(wrong[0].contains("nowhere"), "{wrong:?}");
    assert!(wrong[1].contains("neither the whole disk"), "{wrong:?}");
    assert_eq!(names(&roots), ["mine", "good"]);
}

#[test]
fn name_of_a_folder_has_no_secret_and_no_line_break() {
    let sandbox = Sandbox::new();
    // Assembled here, so that this file contains no secret.
    let token = concat!("ghp_", "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx");
    let roots = serving(&sandbox, &[&format!("root {token}")]);
    assert!(!names(&roots)[0].contains(token), "{roots:?}");
    let error = picked(&serving(&sandbox, &["a", &format!("b {token}")]), None, &[]);
    assert!(!error.unwrap_err().contains(token));
    #[cfg(unix)]
    {
        let roots = serving(&sandbox, &["two\nlines"]);
        assert_eq!(names(&roots), ["two\\nlines"]);
    }
}
