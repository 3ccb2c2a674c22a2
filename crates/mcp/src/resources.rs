//! Resources: the map, files and symbols under addresses of their own. The tools give
//! the same in their text, since some clients ignore resources.

use infiniloom::Cancel;
use rmcp::model::{ReadResourceResult, Resource, ResourceContents, ResourceTemplate};
use serde_json::{Map, Value};

use crate::address::{decoded, encoded};
use crate::arguments::Arguments;
use crate::roots::current_name;
use crate::tool_error::ToolError;
use crate::tools::Caller;
use crate::{Roots, tools};

const SCHEME: &str = "infiniloom://";

pub(crate) fn list(roots: &Roots) -> Vec<Resource> {
    roots.list().iter().map(|root| map(&root.name)).collect()
}

/// Lists the resources of the current directory, which is served if the client names none.
pub(crate) fn expected() -> Vec<Resource> {
    current_name().iter().map(|name| map(name)).collect()
}

fn map(name: &str) -> Resource {
    let address = encoded(name);
    Resource::new(format!("{SCHEME}{address}/map"), format!("{name}: map"))
}

pub(crate) fn templates() -> Vec<ResourceTemplate> {
    let template = |uri: &str, name: &str| ResourceTemplate::new(format!("{SCHEME}{uri}"), name);
    vec![
        template("{root}/file/{+path}", "A file"),
        template("{root}/symbol/{name}", "A definition"),
    ]
}

/// What stands at an address.
pub(crate) fn read(
    roots: &Roots,
    uri: &str,
    caller: Caller,
    cancel: &Cancel,
) -> Result<ReadResourceResult, ToolError> {
    let wrong = || ToolError(format!("{uri} is no address of a map, file or symbol"));
    let rest = uri.strip_prefix(SCHEME).ok_or_else(wrong)?;
    let (root, rest) = rest.split_once('/').ok_or_else(wrong)?;
    let (tool, name, value) = match rest.split_once('/') {
        None if rest == "map" => ("map", None, ""),
        Some(("file", path)) => ("read", Some("paths"), path),
        Some(("symbol", name)) => ("read", Some("symbol"), name),
        _ => return Err(wrong()),
    };
    let mut arguments = Map::new();
    arguments.insert("root".to_owned(), Value::from(decoded(root)));
    if let Some(name) = name {
        arguments.insert(name.to_owned(), Value::from(decoded(value)));
    }
    let tool = tools::find(tool).ok_or_else(wrong)?;
    let fitted = tools::call(
        tool,
        roots,
        &Arguments(arguments),
        caller.for_text(),
        cancel,
    )?;
    Ok(ReadResourceResult::new(vec![ResourceContents::text(
        fitted.text,
        uri,
    )]))
}
