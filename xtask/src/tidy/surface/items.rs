//! Finds public items in the tokens of a file: types, their public methods, functions, and the
//! macro calls that write items for a type.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use crate::tidy::checkout::TextFile;

/// A public item.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Item {
    pub(super) path: String,
    pub(super) line: usize,
    pub(super) name: String,
    /// Its line in the list.
    pub(super) text: String,
    /// True for a type with a lifetime.
    pub(super) has_lifetime: bool,
    /// The crates of the workspace that its signature names.
    pub(super) crates: BTreeSet<String>,
}

/// Returns the names that a table of contents exports, as their files call them.
pub(super) fn exported(table: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for item in Items::parse(table) {
        if item.is_public && !item.is_hidden && item.keyword == "use" {
            names.extend(imports(&item.rest).into_values().map(|from| from.name));
        }
    }
    names
}

/// Returns the public items of a file; `names` are those that the library exports.
pub(super) fn items(file: &TextFile, names: &BTreeSet<String>) -> Vec<Item> {
    let all = Items::parse(&file.text);
    let mut imported = BTreeMap::new();
    for item in all.iter().filter(|item| item.keyword == "use") {
        imported.extend(imports(&item.rest));
    }
    let scope = Scope {
        path: &file.path,
        names,
        imported: &imported,
    };
    all.iter().flat_map(|item| scope.items(item)).collect()
}

/// The file that items are found in.
struct Scope<'s> {
    path: &'s str,
    names: &'s BTreeSet<String>,
    imported: &'s BTreeMap<String, Import>,
}

impl Scope<'_> {
    fn items(&self, item: &RawItem) -> Vec<Item> {
        if item.is_hidden {
            return Vec::new();
        }
        match item.keyword.as_str() {
            "struct" | "enum" | "trait" | "type" | "fn" | "const" | "static" if item.is_public => {
                let is_exported = self.names.contains(&item.name());
                is_exported
                    .then(|| self.declared(item))
                    .into_iter()
                    .collect()
            }
            "use" if item.is_public && self.path.ends_with("/lib.rs") => self.reexported(item),
            "impl" => self.methods(item),
            "!" => self.written(item),
            _ => Vec::new(),
        }
    }

    fn declared(&self, item: &RawItem) -> Item {
        let signature = signature(&item.rest, &item.keyword);
        let text = format!("{} {}", item.keyword, text(&signature));
        let is_type = matches!(item.keyword.as_str(), "struct" | "enum" | "type");
        self.item(item, item.name(), text, is_type && has_lifetime(&item.rest))
    }

    /// Returns the names of other crates that the library re-exports.
    fn reexported(&self, item: &RawItem) -> Vec<Item> {
        let foreign = imports(&item.rest).into_iter();
        let foreign = foreign.filter(|(_, from)| from.krate.starts_with("loom_"));
        let mut found = Vec::new();
        for (name, from) in foreign {
            let text = format!("use {}::{name}", from.krate);
            let one = self.item(item, name, text, false);
            found.push(Item {
                crates: BTreeSet::from([from.krate]),
                ..one
            });
        }
        found
    }

    /// Returns the public methods of an exported type, including those that a macro writes.
    fn methods(&self, item: &RawItem) -> Vec<Item> {
        let Some(TokenTree::Group(body)) = item.rest.last() else {
            return Vec::new();
        };
        let head = &item.rest[..item.rest.len() - 1];
        let is_of_trait = head.iter().any(|tree| is_word(tree, "for"));
        let Some(target) = head.iter().rev().find_map(word) else {
            return Vec::new();
        };
        let target = head
            .iter()
            .find_map(word)
            .filter(|_| !is_of_trait)
            .unwrap_or(target);
        if is_of_trait || !self.names.contains(&target) {
            return Vec::new();
        }
        let methods = Items::of(body.stream());
        let public = methods.iter().filter(|one| one.is_public && !one.is_hidden);
        public
            .map(|one| {
                let name = format!("{target}::{}", one.name());
                let signature = text(&signature(&one.rest, &one.keyword));
                let text = format!("{target}::{signature}");
                self.item(one, name, text, false)
            })
            .collect()
    }

    /// Returns the call of a macro that begins with an exported type, or that declares such types.
    fn written(&self, item: &RawItem) -> Vec<Item> {
        let Some(TokenTree::Group(arguments)) = item.rest.last() else {
            return Vec::new();
        };
        let trees: Vec<TokenTree> = arguments.stream().into_iter().collect();
        let name = item.name();
        if let Some(first) = trees.first().and_then(word)
            && self.names.contains(&first)
        {
            let text = format!("{first}: {name}!({})", text(&trees));
            return vec![self.item(item, first, text, false)];
        }
        let mut found = Vec::new();
        for (at, tree) in trees.iter().enumerate() {
            let Some(declared) = word(tree).filter(|one| self.names.contains(one)) else {
                continue;
            };
            let groups = trees[at + 1..]
                .iter()
                .take_while(|tree| matches!(tree, TokenTree::Group(_)))
                .filter_map(|tree| match tree {
                    TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                        Some(without_attributes(group.stream()))
                    }
                    _ => None,
                });
            let body: Vec<TokenTree> = groups.flatten().collect();
            if !body.is_empty() {
                let text = format!("{declared}: {name}!({})", text(&body));
                found.push(self.item(item, declared, text, false));
            }
        }
        found
    }

    fn item(&self, item: &RawItem, name: String, text: String, has_lifetime: bool) -> Item {
        let mut crates = BTreeSet::new();
        self.crates_of(&signature(&item.rest, &item.keyword), &mut crates);
        Item {
            path: self.path.to_owned(),
            line: item.line,
            name,
            text,
            has_lifetime,
            crates,
        }
    }

    fn crates_of(&self, trees: &[TokenTree], crates: &mut BTreeSet<String>) {
        for tree in trees {
            if let TokenTree::Group(group) = tree {
                let inside: Vec<TokenTree> = group.stream().into_iter().collect();
                self.crates_of(&inside, crates);
            }
            let Some(word) = word(tree) else { continue };
            if word.starts_with("loom_") {
                crates.insert(word);
            } else if let Some(from) = self.imported.get(&word)
                && from.krate.starts_with("loom_")
            {
                crates.insert(from.krate.clone());
            }
        }
    }
}

/// An item as tokens, without its attributes.
struct RawItem {
    keyword: String,
    is_public: bool,
    is_hidden: bool,
    line: usize,
    /// The tokens after the keyword, up to the body or the semicolon.
    rest: Vec<TokenTree>,
}

impl RawItem {
    fn name(&self) -> String {
        self.rest.iter().find_map(word).unwrap_or_default()
    }
}

struct Items;

impl Items {
    /// Returns the items of a file; none for text that is not Rust.
    fn parse(text: &str) -> Vec<RawItem> {
        text.parse().map(Self::of).unwrap_or_default()
    }

    fn of(tokens: TokenStream) -> Vec<RawItem> {
        let trees: Vec<TokenTree> = tokens.into_iter().collect();
        let mut found = Vec::new();
        let mut at = 0;
        while at < trees.len() {
            let end = item_end(&trees, at);
            found.extend(raw_item(&trees[at..end]));
            at = end;
        }
        found
    }
}

/// Returns the end of the item that starts at `at`: after a semicolon, or after its braces.
fn item_end(trees: &[TokenTree], at: usize) -> usize {
    let is_use = trees[at..]
        .iter()
        .find_map(word)
        .is_some_and(|one| one == "use")
        || trees[at..]
            .iter()
            .filter_map(word)
            .take(2)
            .any(|one| one == "use");
    for (offset, tree) in trees[at..].iter().enumerate() {
        let is_end = match tree {
            TokenTree::Punct(punct) => punct.as_char() == ';',
            TokenTree::Group(group) => group.delimiter() == Delimiter::Brace && !is_use,
            _ => false,
        };
        if is_end {
            return at + offset + 1;
        }
    }
    trees.len()
}

fn raw_item(trees: &[TokenTree]) -> Option<RawItem> {
    const KEYWORDS: &[&str] = &[
        "struct", "enum", "trait", "type", "fn", "const", "static", "use", "impl", "mod",
    ];
    let attributes: String = trees
        .windows(2)
        .take_while(|pair| !matches!(&pair[0], TokenTree::Ident(_)))
        .filter(|pair| is_punct(&pair[0], '#') || is_punct(&pair[0], '!'))
        .map(|pair| pair[1].to_string())
        .collect();
    let is_hidden = attributes.contains("hidden") || attributes.contains("cfg (test)");
    let bare = without_attributes(trees.iter().cloned().collect());
    let line = bare.first()?.span().start().line;
    let is_public = is_word(bare.first()?, "pub")
        && !matches!(bare.get(1), Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis);
    if matches!(bare.get(1), Some(tree) if is_punct(tree, '!')) {
        let mut rest = bare.clone();
        rest.retain(|tree| !is_punct(tree, '!') && !is_punct(tree, ';'));
        return Some(RawItem {
            keyword: "!".to_owned(),
            is_public: false,
            is_hidden,
            line,
            rest,
        });
    }
    let start = bare
        .iter()
        .position(|tree| word(tree).is_some_and(|one| KEYWORDS.contains(&one.as_str())))?;
    let keyword = match (word(&bare[start])?, bare.get(start + 1)) {
        // `const fn`.
        (one, Some(next)) if one == "const" && is_word(next, "fn") => {
            return Some(RawItem {
                keyword: "fn".to_owned(),
                is_public,
                is_hidden,
                line,
                rest: bare[start + 2..].to_vec(),
            });
        }
        (one, _) => one,
    };
    Some(RawItem {
        keyword,
        is_public,
        is_hidden,
        line,
        rest: bare[start + 1..].to_vec(),
    })
}

/// Returns the part of an item that callers see.
fn signature(rest: &[TokenTree], keyword: &str) -> Vec<TokenTree> {
    let mut seen = Vec::new();
    for tree in rest {
        match tree {
            TokenTree::Punct(punct) if punct.as_char() == ';' => break,
            // The value of a constant.
            TokenTree::Punct(punct) if punct.as_char() == '=' && keyword == "const" => break,
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => match keyword {
                "struct" => seen.extend(public_fields(group.stream())),
                "enum" | "trait" => seen.push(braces(without_attributes(group.stream()))),
                "use" => seen.push(tree.clone()),
                _ => break,
            },
            TokenTree::Group(group)
                if keyword == "struct" && group.delimiter() == Delimiter::Parenthesis =>
            {
                seen.extend(public_fields(group.stream()));
            }
            tree => seen.push(tree.clone()),
        }
    }
    seen
}

fn braces(trees: Vec<TokenTree>) -> TokenTree {
    let stream = trees.into_iter().collect();
    TokenTree::Group(proc_macro2::Group::new(Delimiter::Brace, stream))
}

/// Returns the public fields of a struct, in braces; nothing if it has none.
fn public_fields(fields: TokenStream) -> Option<TokenTree> {
    let mut public = Vec::new();
    let mut depth = 0i32;
    let mut field: Vec<TokenTree> = Vec::new();
    let mut end = |field: &mut Vec<TokenTree>| {
        let is_public = field.first().is_some_and(|tree| is_word(tree, "pub"))
            && !matches!(field.get(1), Some(TokenTree::Group(_)));
        match is_public {
            true => public.append(field),
            false => field.clear(),
        }
    };
    for tree in without_attributes(fields) {
        depth += i32::from(is_punct(&tree, '<')) - i32::from(is_punct(&tree, '>'));
        let is_comma = is_punct(&tree, ',') && depth == 0;
        field.push(tree);
        if is_comma {
            end(&mut field);
        }
    }
    end(&mut field);
    (!public.is_empty()).then(|| braces(public))
}

/// Returns true if the generics of a type declare a lifetime.
fn has_lifetime(rest: &[TokenTree]) -> bool {
    rest.get(1).is_some_and(|tree| is_punct(tree, '<'))
        && rest.get(2).is_some_and(|tree| is_punct(tree, '\''))
}

/// The origin of an imported name.
struct Import {
    krate: String,
    /// The name in the crate.
    name: String,
}

/// Returns the names that a `use` brings into scope.
fn imports(rest: &[TokenTree]) -> BTreeMap<String, Import> {
    let words: Vec<String> = rest.iter().filter_map(word).collect();
    let krate = words.first().cloned().unwrap_or_default();
    let mut found = BTreeMap::new();
    leaves(rest, &krate, &mut found);
    found
}

fn leaves(trees: &[TokenTree], krate: &str, found: &mut BTreeMap<String, Import>) {
    for part in trees.split(|tree| is_punct(tree, ',') || is_punct(tree, ';')) {
        if let Some(TokenTree::Group(group)) = part.last() {
            let inside: Vec<TokenTree> = group.stream().into_iter().collect();
            leaves(&inside, krate, found);
            continue;
        }
        let words: Vec<String> = part.iter().filter_map(word).collect();
        let (name, shown) = match words.as_slice() {
            [.., name, keyword, shown] if keyword == "as" => (name, shown),
            [.., name] => (name, name),
            [] => continue,
        };
        let import = Import {
            krate: krate.to_owned(),
            name: name.clone(),
        };
        found.insert(shown.clone(), import);
    }
}

fn without_attributes(tokens: TokenStream) -> Vec<TokenTree> {
    let mut kept: Vec<TokenTree> = Vec::new();
    for tree in tokens {
        let is_attribute = matches!(&tree, TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket)
            && kept
                .last()
                .is_some_and(|last| is_punct(last, '#') || is_punct(last, '!'));
        if is_attribute {
            while kept
                .last()
                .is_some_and(|last| is_punct(last, '#') || is_punct(last, '!'))
            {
                kept.pop();
            }
        } else {
            kept.push(tree);
        }
    }
    kept
}

fn word(tree: &TokenTree) -> Option<String> {
    match tree {
        TokenTree::Ident(ident) => Some(ident.to_string()),
        _ => None,
    }
}

fn is_word(tree: &TokenTree, text: &str) -> bool {
    matches!(tree, TokenTree::Ident(ident) if ident == text)
}

fn is_punct(tree: &TokenTree, character: char) -> bool {
    matches!(tree, TokenTree::Punct(punct) if punct.as_char() == character)
}

/// Returns tokens as one line, spaced as people write them.
fn text(trees: &[TokenTree]) -> String {
    let stream: TokenStream = trees.iter().cloned().collect();
    let mut text = stream
        .to_string()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    for (tokens, written) in [
        (" :: ", "::"),
        (":: ", "::"),
        (" ::", "::"),
        (" (", "("),
        ("( ", "("),
        (" )", ")"),
        (" <", "<"),
        ("< ", "<"),
        (" >", ">"),
        (" ,", ","),
        (" :", ":"),
        ("& ", "&"),
        ("mut self", "self"),
        (", }", " }"),
        (",)", ")"),
    ] {
        text = text.replace(tokens, written);
    }
    text.trim_end_matches([',', ' ']).to_owned()
}
