//! Directories and files with their tokens. A chain of directories without other entries is shown
//! as one.

use loom_base::RepoPath;

/// A tree of directories and files, sorted by path.
#[derive(Clone, Debug, Default)]
pub struct TokenTree {
    root: TreeNode,
}

/// A directory or a file.
#[derive(Clone, Debug, Default)]
pub struct TreeNode {
    name: Box<[u8]>,
    /// Tokens of the file, or of all files in the directory.
    pub tokens: usize,
    /// Entries of the directory; empty for a file.
    pub children: Vec<TreeNode>,
}

impl TokenTree {
    /// Adds a file. Files must be sorted by path, so that only the last branch grows.
    pub fn add(&mut self, path: &RepoPath, tokens: usize) {
        let mut node = &mut self.root;
        node.tokens += tokens;
        for part in path.components() {
            let is_new = node.children.last().is_none_or(|last| *last.name != *part);
            if is_new {
                node.children.push(TreeNode {
                    name: part.into(),
                    ..TreeNode::default()
                });
            }
            let last = node.children.len() - 1;
            node = &mut node.children[last];
            node.tokens += tokens;
        }
    }

    /// Returns the root of the tree.
    pub fn root(&self) -> &TreeNode {
        &self.root
    }

    /// Formats the tree as indented lines with name and tokens, and a slash after directories.
    pub fn to_text(&self) -> String {
        let mut out = String::new();
        for node in &self.root.children {
            node.write(0, &mut out);
        }
        out
    }
}

impl TreeNode {
    /// Returns the directory at the end of a chain of directories without other entries, and the
    /// name of the chain.
    pub fn collapsed(&self) -> (String, &Self) {
        let mut node = self;
        let mut path = node.name.to_vec();
        while let [only] = node.children.as_slice()
            && !only.children.is_empty()
        {
            path.push(b'/');
            path.extend_from_slice(&only.name);
            node = only;
        }
        let shown = RepoPath::new(&path).map(|path| path.display().into_owned());
        let mut name = shown.unwrap_or_else(|_| String::from_utf8_lossy(&path).into_owned());
        if !node.children.is_empty() {
            name.push('/');
        }
        (name, node)
    }

    fn write(&self, depth: usize, out: &mut String) {
        let (name, node) = self.collapsed();
        out.extend(std::iter::repeat_n(' ', depth));
        out.push_str(&name);
        out.push(' ');
        out.push_str(&node.tokens.to_string());
        out.push('\n');
        for child in &node.children {
            child.write(depth + 1, out);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_are_one_line() {
        let mut tree = TokenTree::default();
        for (path, tokens) in [("a/b/c.rs", 3), ("a/b/d.rs", 4), ("e", 1), ("f/g/h", 0)] {
            tree.add(&RepoPath::new(path).unwrap(), tokens);
        }
        assert_eq!(
            tree.to_text(),
            "a/b/ 7\n c.rs 3\n d.rs 4\ne 1\nf/g/ 0\n h 0\n"
        );
        assert_eq!(tree.root().tokens, 8);
    }
}
