//! A web page that shows the distribution of tokens in a repository: directories and files as
//! areas, languages and the largest files as lists. It is self-contained: no network, no other
//! file.

use serde_json::{Value, json};

use crate::tree::TreeNode;
use crate::{FileMeta, Overview};

const PAGE: &str = include_str!("treemap.html");
/// Placeholder of the data.
const PLACE: &str = "@DATA@";
/// Number of listed files.
const LISTED: usize = 40;

/// Builds the page for `overview` and its `files`, with their tokens for `model`.
pub fn treemap<'a>(
    overview: &Overview,
    files: impl IntoIterator<Item = &'a FileMeta>,
    model: &str,
) -> String {
    let mut files: Vec<&FileMeta> = files.into_iter().collect();
    files.sort_by_key(|file| std::cmp::Reverse(file.tokens));
    let listed = files.iter().take(LISTED);
    let listed: Vec<Value> = listed
        .map(|file| json!([file.path.to_string(), file.tokens]))
        .collect();
    let languages = overview.languages.iter();
    let languages: Vec<Value> = languages
        .map(|share| json!([share.name, share.tokens]))
        .collect();
    let data = json!({
        "name": overview.name,
        "total": overview.tokens,
        "count": overview.files,
        "model": model,
        "tokenizer": overview.tokenizer.label(),
        "sign": if overview.tokenizer.is_exact() { "" } else { "~" },
        "languages": languages,
        "files": listed,
        "tree": { "n": "", "t": overview.tree.root().tokens, "c": children(overview.tree.root()) },
    });
    // No data may close the surrounding HTML element.
    PAGE.replace(PLACE, &data.to_string().replace('<', "\\u003c"))
}

fn children(node: &TreeNode) -> Vec<Value> {
    let child = |child: &TreeNode| {
        let (name, child) = child.collapsed();
        match child.children.is_empty() {
            true => json!({ "n": name, "t": child.tokens }),
            false => json!({ "n": name, "t": child.tokens, "c": children(child) }),
        }
    };
    node.children.iter().map(child).collect()
}

#[cfg(test)]
mod tests {
    use loom_base::{ContentHash, RepoPath};
    use loom_models::Vocabulary;

    use super::*;
    use crate::describe;

    #[test]
    fn the_page_holds_all_and_cannot_be_broken_out_of() {
        let files = ["a/<script><b>.rs", "a/b.rs", "c.md"].map(|path| {
            let hash = ContentHash::from_bytes([0; 32]);
            let path = RepoPath::new(path).unwrap();
            describe(path, "some words here\n", hash, Vocabulary::O200kBase)
        });
        let overview = Overview::new("</script><i>", Vocabulary::O200kBase, &files, Vec::new());
        let page = treemap(&overview, &files, "gpt-5");
        assert_eq!(
            page.matches("</script>").count(),
            PAGE.matches("</script>").count()
        );
        assert!(!page.contains(PLACE) && !page.contains("</script><i>"));
        let data = page.split("id=\"data\">").nth(1).unwrap();
        let data: Value = serde_json::from_str(data.split("</script>").next().unwrap()).unwrap();
        assert_eq!(
            (&data["count"], &data["model"]),
            (&json!(3), &json!("gpt-5"))
        );
        assert_eq!(data["tree"]["t"], overview.tokens);
        assert_eq!(data["tree"]["c"][0]["c"][0]["n"], "<script><b>.rs");
        for outside in ["http://", "https://", "src=", "href=", "url("] {
            assert!(!PAGE.contains(outside), "{outside}");
        }
    }
}
