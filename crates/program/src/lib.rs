//! Relations between the files of a repository: the files that an import refers to, the definitions
//! that a name may refer to, and the code that a test tests. It works on the structures that
//! `loom-syntax` extracts; it parses, reads and ranks nothing.
//!
//! ```
//! use loom_base::RepoPath;
//! use loom_program::{Resolution, Resolver};
//! use loom_syntax::{Language, Limits, extract};
//!
//! let path = |text: &str| RepoPath::new(text).unwrap();
//! let files = [path("app/main.py"), path("app/parse.py")];
//! let resolver = Resolver::new(&files);
//! let python = Language::from_id("python").unwrap();
//! let structure = extract(python, "import app.parse\n", &Limits::default());
//! let meaning = resolver.resolve(&files[0], python, &structure.imports[0]);
//! assert_eq!(meaning, Resolution::Files(vec![files[1].clone()]));
//! ```

mod program;
mod resolve;
mod subjects;

pub use program::{
    Definition, DefinitionId, FileId, NameResolution, Program, ProgramBuilder, ResolvedBy, Scope,
    Use, default_export,
};
pub use resolve::{Resolution, Resolver, Unresolved};
pub use subjects::{Evidence, Subject, Subjects, Tested};
