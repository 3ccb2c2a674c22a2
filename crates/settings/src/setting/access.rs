//! How the table of settings reaches the typed field of each.

use std::ffi::OsStr;
use std::sync::Arc;

use super::Settings;
use crate::Origin;
use crate::value::{Unfit, Value};

/// A value as somebody wrote it.
#[derive(Clone, Copy)]
pub(crate) enum Written<'a> {
    /// In a variable or after a flag.
    Text(&'a OsStr),
    /// In the user's file.
    Toml(&'a toml_edit::Value),
    /// In a repository's file.
    RepositoryToml(&'a toml_edit::Value),
}

/// Puts a value into its field, or after what is there.
pub(crate) type Store = Arc<dyn Fn(&mut Settings, &Origin) + Send + Sync>;

/// A value that was read, with its type hidden so that all settings can stand in
/// one table.
#[derive(Clone)]
pub(crate) struct Parsed {
    pub(crate) store: Store,
    pub(crate) leaves_repository: bool,
    pub(crate) exceeds_default: bool,
}

/// How the table reaches the typed field of a setting.
#[derive(Clone, Copy)]
pub(crate) struct Access {
    pub(crate) read: fn(Written<'_>) -> Result<Parsed, Unfit>,
    pub(crate) reset: fn(&mut Settings),
    pub(crate) show: fn(&Settings) -> String,
    pub(crate) to_toml: fn(&Settings) -> toml_edit::Value,
    pub(crate) schema: fn() -> serde_json::Value,
}

/// Reads a value of type `T` that `store` will put into its field.
pub(crate) fn read<T: Value>(
    written: Written<'_>,
    default: &T,
    store: fn(&mut Settings, T, &Origin),
) -> Result<Parsed, Unfit> {
    let value = match written {
        Written::Text(text) => T::from_os(text)?,
        Written::Toml(value) => T::from_toml(value)?,
        Written::RepositoryToml(value) => {
            let value = T::from_toml(value)?.in_repository();
            match value.too_costly() {
                Some(unfit) => return Err(unfit),
                None => value,
            }
        }
    };
    Ok(Parsed {
        leaves_repository: value.leaves_repository(),
        exceeds_default: value.exceeds(default),
        store: Arc::new(move |settings, origin| store(settings, value.clone(), origin)),
    })
}
