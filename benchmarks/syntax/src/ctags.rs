//! universal-ctags on the same files: one process, which is all that it uses, with
//! the fields that we give too.

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::corpus::Source;

/// How long ctags takes for the files, where it knows the language.
pub(crate) fn seconds(sources: &[Source], language: &str) -> Option<f64> {
    let name = name(language)?;
    let start = Instant::now();
    let mut child = Command::new("ctags")
        .args([
            "--output-format=json",
            "--fields=+neKSzl",
            "-o",
            "-",
            "-L",
            "-",
        ])
        .arg(format!("--language-force={name}"))
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let mut input = child.stdin.take()?;
    for source in sources {
        writeln!(input, "{}", source.path.display()).ok()?;
    }
    drop(input);
    let ended = child.wait().ok()?;
    ended.success().then(|| start.elapsed().as_secs_f64())
}

fn name(language: &str) -> Option<&'static str> {
    Some(match language {
        "bash" => "Sh",
        "c" => "C",
        "cpp" => "C++",
        "csharp" => "C#",
        "css" => "CSS",
        "go" => "Go",
        "html" => "HTML",
        "java" => "Java",
        "javascript" | "jsx" => "JavaScript",
        "json" => "JSON",
        "kotlin" => "Kotlin",
        "markdown" => "Markdown",
        "php" => "PHP",
        "python" => "Python",
        "ruby" => "Ruby",
        "rust" => "Rust",
        "scala" => "Scala",
        "sql" => "SQL",
        "typescript" | "tsx" => "TypeScript",
        "yaml" => "Yaml",
        _ => return None,
    })
}
