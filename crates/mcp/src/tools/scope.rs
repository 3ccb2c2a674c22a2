//! The files that a call names.

use infiniloom::host::{Expr, Pattern, Query};

/// The same query, of the files at any of these paths.
pub(super) fn within(query: Query, paths: &[String]) -> Query {
    let any = paths.iter().map(|path| Expr::Path(Pattern::literal(path)));
    match paths.is_empty() {
        true => query,
        false => query.within(Expr::Or(any.collect())),
    }
}
