//! `cargo xtask tidy`: the house rules that no compiler checks, one file per rule. It lists every
//! problem at once and changes nothing without `--fix`.

mod banned;
mod checkout;
mod coupling;
mod edges;
mod figures;
mod functions;
mod heads;
mod layers;
mod long;
mod manifests;
mod outside;
mod packages;
mod page_paths;
mod problem;
mod pure;
mod reference;
mod registries;
mod sizes;
mod surface;
mod voice;

use std::path::Path;

use anyhow::{Result, bail};

use checkout::Checkout;
use packages::Package;
use problem::Problem;

pub(crate) fn command(root: &Path, arguments: &[String]) -> Result<()> {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let packages = packages::load(root)?;
    match arguments.as_slice() {
        [] => {}
        ["--fix"] => {
            pure::write(root, &packages)?;
            let checkout = Checkout::load(root)?;
            voice::write(&checkout)?;
            surface::write(&checkout)?;
        }
        ["--graph", name @ ..] if name.len() < 2 => {
            let checkout = Checkout::load(root)?;
            let name = name.first().copied();
            println!("{}", coupling::draw(&checkout, &packages, name)?.trim_end());
            return Ok(());
        }
        _ => bail!("usage: cargo xtask tidy [--fix | --graph [CRATE]]"),
    }
    let checkout = Checkout::load(root)?;
    if let Some(summary) = voice::summary(&checkout) {
        println!("{summary}");
    }
    report(problems(&checkout, &packages), checkout.files.len())
}

/// Returns the packages of this workspace that do no I/O.
pub(crate) fn pure_packages(root: &Path) -> Result<Vec<String>> {
    let names = packages::load(root)?
        .into_iter()
        .map(|package| package.name);
    Ok(names.filter(|name| pure::is_pure(name)).collect())
}

fn problems(checkout: &Checkout, packages: &[Package]) -> Vec<Problem> {
    let mut found = Vec::new();
    found.extend(edges::check(packages));
    found.extend(manifests::check(packages));
    found.extend(pure::check(&checkout.root, packages));
    let lifting = |file| pure::check_source(file, packages);
    found.extend(checkout.rust().flat_map(lifting));
    found.extend(checkout.rust().flat_map(heads::check));
    found.extend(checkout.rust().flat_map(banned::check));
    found.extend(sizes::check(checkout.rust()));
    found.extend(coupling::check(checkout, packages));
    found.extend(checkout.files.iter().flat_map(registries::check));
    found.extend(outside::check(checkout));
    found.extend(page_paths::check(checkout));
    found.extend(figures::check(&checkout.root));
    found.extend(reference::check(&checkout.root));
    found.extend(voice::check(checkout));
    found.extend(surface::check(checkout));
    found
}

fn report(mut problems: Vec<Problem>, files: usize) -> Result<()> {
    problems.sort();
    for problem in &problems {
        println!("{problem}");
    }
    match problems.len() {
        0 => println!("tidy: {files} files, no problems"),
        count => bail!("tidy: {count} problems in {files} files"),
    }
    Ok(())
}
