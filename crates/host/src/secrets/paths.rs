//! Paths with secrets in them: where those are to be hidden, nobody meets such a file.

use loom_source::{Scan, ScanOptions};

use crate::{Packer, RepoPath};

/// What paths are called where somebody looks for secrets in them.
const PATHS: &str = "(paths)";

impl Packer {
    /// Lists the files.
    pub(crate) fn listed(&self, options: &ScanOptions) -> Scan {
        let mut scan = self.source.scan(options);
        let secrets = &self.options.secrets;
        if !secrets.hides_paths || !secrets.mode.hides() {
            return scan;
        }
        let (mut paths, mut ends) = (String::new(), Vec::with_capacity(scan.files.len()));
        for file in &scan.files {
            paths.push_str(&file.path.display());
            paths.push('\n');
            ends.push(paths.len());
        }
        let name = RepoPath::new(PATHS).unwrap_or_else(|_| RepoPath::root());
        let findings = secrets.scan(&name, &paths);
        let mut is_hidden = vec![false; ends.len()];
        for finding in findings {
            let line = |at: usize| ends.partition_point(|end| *end <= at);
            let (first, last) = (line(finding.span.start), line(finding.span.end));
            let hidden = is_hidden.iter_mut().take(last + 1).skip(first);
            hidden.for_each(|hidden| *hidden = true);
        }
        let mut hidden = is_hidden.into_iter();
        scan.files.retain(|_| !hidden.next().unwrap_or(false));
        scan
    }
}

#[cfg(test)]
mod tests {
    use loom_testkit::Sandbox;

    use crate::{PackOptions, Packer, SecretsMode, SecretsOptions};

    #[test]
    fn files_with_secrets_in_their_paths_are_passed_over() {
        let sandbox = Sandbox::new();
        // Put together so that this file holds none.
        let secret = concat!("ghp_", "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx");
        for path in ["a.py", "keys/b.py", "z.py"] {
            sandbox.write(path, "x = 1\n");
        }
        sandbox.write(format!("keys/{secret}/c.py"), "x = 1\n");
        sandbox.write(format!("{secret}.py"), "x = 1\n");
        let names = |hides_paths: bool| {
            let mut secrets = SecretsOptions::new(SecretsMode::Redact);
            secrets.hides_paths = hides_paths;
            let options = PackOptions {
                secrets,
                ..PackOptions::default()
            };
            let packer = Packer::open(&[&sandbox.work()], options).unwrap();
            let scan = packer.listed(&packer.options.scan);
            let paths = scan
                .files
                .iter()
                .map(|file| file.path.display().into_owned());
            paths.collect::<Vec<_>>()
        };
        assert_eq!(names(true), ["a.py", "keys/b.py", "z.py"]);
        assert_eq!(names(false).len(), 5);
    }
}
