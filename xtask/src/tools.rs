//! Programs that the suites need and cargo does not install: their packages, and how to install
//! them on a bare machine.

use std::env;
use std::ffi::OsStr;
use std::path::Path;

use anyhow::{Result, bail};

use crate::invocation::Invocation;

/// A program, or an equivalent one, and its Debian package.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Tool {
    pub(crate) programs: &'static [&'static str],
    pub(crate) debian: &'static str,
}

pub(crate) const GIT: Tool = Tool {
    programs: &["git"],
    debian: "git",
};

pub(crate) const PYTHON: Tool = Tool {
    programs: &["python3"],
    debian: "python3",
};

pub(crate) const PIP: Tool = Tool {
    programs: &["pip3", "pip"],
    debian: "python3-pip",
};

pub(crate) const SSHD: Tool = Tool {
    programs: &["sshd"],
    debian: "openssh-server",
};

pub(crate) const CHROMIUM: Tool = Tool {
    programs: &["chromium", "chromium-browser", "google-chrome", "chrome"],
    debian: "chromium",
};

/// Directory of servers, which is not in the path of most users.
const SERVERS: &str = "/usr/sbin";

/// Provides every tool: installs missing ones with sufficient rights, or prints the command that
/// installs them.
pub(crate) fn provide(root: &Path, tools: &[&Tool]) -> Result<()> {
    let absent = missing_here(tools);
    if !absent.is_empty() && may_install(root) {
        let packages: Vec<&str> = absent.iter().map(|tool| tool.debian).collect();
        install(root, &packages)?;
    }
    let absent = missing_here(tools);
    if !absent.is_empty() {
        bail!("{}", advice(&absent));
    }
    Ok(())
}

fn missing_here<'t>(tools: &[&'t Tool]) -> Vec<&'t Tool> {
    let mut path = env::var_os("PATH").unwrap_or_default();
    path.push(":");
    path.push(SERVERS);
    missing(tools, &path)
}

/// Returns true if `program` is in the path.
pub(crate) fn on_path(program: &str) -> bool {
    found_in(program, &env::var_os("PATH").unwrap_or_default())
}

fn found_in(program: &str, path: &OsStr) -> bool {
    let file = format!("{program}{}", env::consts::EXE_SUFFIX);
    env::split_paths(path).any(|folder| folder.join(&file).is_file())
}

fn missing<'t>(tools: &[&'t Tool], path: &OsStr) -> Vec<&'t Tool> {
    let is_found = |tool: &Tool| tool.programs.iter().any(|name| found_in(name, path));
    let mut absent: Vec<&Tool> = Vec::new();
    for tool in tools {
        if !is_found(tool) && !absent.contains(tool) {
            absent.push(tool);
        }
    }
    absent
}

/// Returns instructions to install the missing tools, or to do without.
fn advice(missing: &[&Tool]) -> String {
    let programs: Vec<&str> = missing.iter().map(|tool| tool.programs[0]).collect();
    let packages: Vec<&str> = missing.iter().map(|tool| tool.debian).collect();
    format!(
        "the tests need {}, which this machine does not have\n\
         install with: sudo apt-get install {} (Debian, Ubuntu; other systems have similar packages)\n\
         or run only some suites: cargo xtask test --only SUITE",
        programs.join(", "),
        packages.join(" ")
    )
}

/// Returns true if this is a Debian-based system and we are root.
pub(crate) fn may_install(root: &Path) -> bool {
    Path::new("/etc/debian_version").exists() && on_path("apt-get") && is_root(root)
}

fn is_root(root: &Path) -> bool {
    Invocation::new("id", &["-u"])
        .output(root)
        .is_ok_and(|id| id.trim_ascii() == b"0")
}

/// Installs Debian packages.
pub(crate) fn install(root: &Path, packages: &[&str]) -> Result<()> {
    let packages: Vec<String> = packages.iter().map(|&package| package.to_owned()).collect();
    Invocation::new("apt-get", &["update", "--quiet"]).run(root)?;
    Invocation::new("apt-get", &["install", "--yes", "--no-install-recommends"])
        .environment("DEBIAN_FRONTEND", "noninteractive")
        .arguments(&packages)
        .run(root)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHELL: Tool = Tool {
        programs: &["sh"],
        debian: "dash",
    };

    #[test]
    fn a_tool_is_missing_when_no_folder_of_the_path_has_it() {
        let empty = tempfile::tempdir().unwrap();
        let path = empty.path().as_os_str();
        assert_eq!(missing(&[&GIT, &SHELL], path), [&GIT, &SHELL]);
        std::fs::write(empty.path().join("git"), "").unwrap();
        assert_eq!(missing(&[&GIT, &SHELL, &SHELL], path), [&SHELL]);
        assert_eq!(missing(&[&CHROMIUM], path), [&CHROMIUM]);
        std::fs::write(empty.path().join("google-chrome"), "").unwrap();
        assert!(missing(&[&CHROMIUM], path).is_empty());
    }

    #[test]
    fn advice_names_programs_and_packages() {
        assert_eq!(
            advice(&[&GIT, &CHROMIUM]),
            "the tests need git, chromium, which this machine does not have\n\
             install with: sudo apt-get install git chromium (Debian, Ubuntu; other systems have similar packages)\n\
             or run only some suites: cargo xtask test --only SUITE"
        );
    }
}
