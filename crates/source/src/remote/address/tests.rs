//! URLs as people write and copy them.

use super::*;

fn parsed(text: &str) -> String {
    match Address::parse(text) {
        Ok(Some(address)) => {
            let place = match &address.place {
                RepoLocation::Whole => String::new(),
                RepoLocation::Named(parts) => format!(" named {}", parts.join("/")),
                RepoLocation::Commit(hash, path) => {
                    format!(" commit {} {}", &hash[..4], path.join("/"))
                }
            };
            format!("{} [{}]{place}", address.url, address.label.display())
        }
        Ok(None) => "a path".to_owned(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn forms_that_git_takes() {
    for (text, expected) in [
        (
            "https://h.org/g/sub/r.git",
            "https://h.org/g/sub/r.git [h.org/g/sub/r]",
        ),
        (
            "https://h.org:8443/g/r",
            "https://h.org:8443/g/r [h.org/g/r]",
        ),
        (
            "ssh://git@h.org:2222/g/r.git",
            "ssh://git@h.org:2222/g/r.git [h.org/g/r]",
        ),
        ("git@h.org:g/r.git", "git@h.org:g/r.git [h.org/g/r]"),
        ("h.org:g/r", "h.org:g/r [h.org/g/r]"),
        ("alias:g/r.git", "alias:g/r.git [alias/g/r]"),
        ("git://h.org/r", "git://h.org/r [h.org/r]"),
        ("file:///srv/git/r.git", "file:///srv/git/r.git [srv/git/r]"),
        ("git+https://h.org/g/r", "https://h.org/g/r [h.org/g/r]"),
        ("HTTPS://h.org/g/r", "https://h.org/g/r [h.org/g/r]"),
    ] {
        assert_eq!(parsed(text), expected, "{text}");
    }
}

const HASH: &str = "0123456789012345678901234567890123456789";

/// Each line: the URL without its transport, the repository, and the location in it.
const PAGES: &str = "
github.com/o/r/ -> github.com/o/r
github.com/o/r?tab=readme-ov-file#readme -> github.com/o/r
github.com/o/r/tree/main/src/a -> github.com/o/r named main/src/a
github.com/o/r/blob/main/a%20b.rs#L10 -> github.com/o/r named main/a b.rs
github.com/o/r/releases/tag/v1.0 -> github.com/o/r named v1.0
github.com/o/r/issues/7 -> github.com/o/r
github.com/o/r/commit/HASH -> github.com/o/r commit 0123
github.com/o/r/tree/HASH/src -> github.com/o/r commit 0123 src
gitlab.com/g/s/t/r -> gitlab.com/g/s/t/r
gitlab.com/g/s/r/-/tree/feature/x/docs?ref_type=heads -> gitlab.com/g/s/r named feature/x/docs
git.h.org/g/s/r/-/blob/main/a.rs -> git.h.org/g/s/r named main/a.rs
git.h.org/g/s/r/-/issues -> git.h.org/g/s/r
codeberg.org/o/r/src/branch/main/docs -> codeberg.org/o/r named main/docs
git.h.org/o/r/src/commit/HASH/docs -> git.h.org/o/r commit 0123 docs
bitbucket.org/o/r/src/main/lib/ -> bitbucket.org/o/r named main/lib
bitbucket.org/o/r/branch/feature/x -> bitbucket.org/o/r named feature/x
h.org/g/s/t/r -> h.org/g/s/t/r
h.org/g/tree -> h.org/g/tree";

#[test]
fn pages_of_hosts() {
    for line in PAGES.lines().filter(|line| !line.is_empty()) {
        let (page, expected) = line.split_once(" -> ").unwrap();
        let (repository, place) = expected.split_once(' ').unwrap_or((expected, ""));
        let found = parsed(&format!("https://{}", page.replace("HASH", HASH)));
        let expected = format!("https://{repository} [{repository}] {place}");
        assert_eq!(found.trim_end(), expected.trim_end(), "{page}");
    }
}

#[test]
fn short_forms_only_where_no_path_is() {
    for (text, expected) in [
        (
            "rust-lang/rust",
            "https://github.com/rust-lang/rust [github.com/rust-lang/rust]",
        ),
        (
            "github.com/o/r/tree/main",
            "https://github.com/o/r [github.com/o/r] named main",
        ),
        ("src/remote", "a path"),
        // A directory with the first name exists, so this is a mistyped path.
        ("src/nothing", "a path"),
        ("a/b/c", "a path"),
        ("./o/r", "a path"),
        ("../o", "a path"),
        ("o/", "a path"),
        ("file.rs", "a path"),
        ("/abs/path", "a path"),
        ("C:\\x", "a path"),
    ] {
        assert_eq!(parsed(text), expected, "{text}");
    }
}

#[test]
fn invalid_urls_are_rejected() {
    for text in [
        "ext::sh -c touch% x",
        "fd::17",
        "s3://bucket/r",
        "ftp://h/r",
        "ssh://-oProxyCommand=x/r",
        "ssh://-u@h/r",
        "git@-h.org:r.git",
        "h.org:-r.git",
        "-u@h.org:r.git",
        "https:///r",
        "https://h.org/",
        "https://h.org/a\nb",
    ] {
        assert!(Address::parse(text).is_err(), "{text}");
    }
}

#[test]
fn credentials_are_not_shown() {
    for (text, shown) in [
        ("https://me:s3cret@h.org/g/r", "https://h.org/g/r"),
        ("https://s3cret@h.org/g/r", "https://h.org/g/r"),
        ("ssh://git:s3cret@h.org/g/r", "ssh://git@h.org/g/r"),
    ] {
        let address = Address::parse(text).unwrap().unwrap();
        assert_eq!(address.to_string(), shown);
        assert!(!format!("{address:?}").contains("s3cret"));
        let words = format!("fatal: unable to access '{text}/': s3cret");
        let tame = address.without_credentials_in(&words);
        assert!(!tame.contains("s3cret"), "{tame}");
        assert_eq!(address.url(), text);
    }
    let error = Address::parse("ftp://me:s3cret@h/r").unwrap_err();
    assert!(!error.to_string().contains("s3cret"), "{error}");
}
