//! Calls of tools in this process, on the folders of a sandbox.

use infiniloom::{Cache, Infiniloom, Options};
use loom_testkit::Sandbox;
use serde_json::Value;

use super::*;
use crate::opener::Opener;
use crate::resources;

/// Attempts to get a complete answer: each call waits for the index itself.
const TRIES: usize = 100;

/// Calls the tools as the server does.
pub(super) struct Client {
    roots: Roots,
    caller: Caller,
}

impl Client {
    /// Serves these folders of the sandbox.
    pub(super) fn start(sandbox: &Sandbox, folders: &[&str]) -> Self {
        Self::with_options(sandbox, folders, Options::new())
    }

    /// Serves these folders with options of the user.
    pub(super) fn with_options(sandbox: &Sandbox, folders: &[&str], options: Options) -> Self {
        // Questions are answered from the index, which is in the cache.
        let cache = Cache::Directory(sandbox.home().join("cache"));
        let opener: Opener = Arc::new(move |path| {
            let builder = Infiniloom::builder().options(options.clone());
            let builder = builder.cache(cache.clone());
            builder.offline().stay_inside_roots().build()?.open(path)
        });
        let roots = Roots::new(opener);
        for folder in folders {
            roots.add(&sandbox.path(folder)).unwrap();
        }
        Self {
            roots,
            caller: Caller::default(),
        }
    }

    /// Calls as the client of this name.
    pub(super) fn named(mut self, name: &str) -> Self {
        self.caller.limits = ClientLimits::for_client(Some(name));
        self
    }

    fn once(&self, tool: &str, arguments: &Value) -> Result<Fitted, ToolError> {
        let arguments = Arguments(arguments.as_object().unwrap().clone());
        let tool = find(tool).unwrap();
        call(tool, &self.roots, &arguments, self.caller, &Cancel::new())
    }

    /// Returns whether a call succeeds, and its text and data. Repeats it until the answer is
    /// complete.
    pub(super) fn call(&self, tool: &str, arguments: &Value) -> (bool, String, Value) {
        for _ in 0..TRIES {
            let (is_ok, text, data) = match self.once(tool, arguments) {
                Ok(fitted) => (true, fitted.text, fitted.data),
                Err(wrong) => (false, wrong.0, Value::Null),
            };
            if !can_wait(&text) {
                return (is_ok, text, data);
            }
        }
        panic!("{tool} {arguments}: partial after {TRIES} calls");
    }

    /// Returns the text of a call that must succeed.
    #[track_caller]
    pub(super) fn ok(&self, tool: &str, arguments: &Value) -> String {
        self.told(tool, arguments).0
    }

    /// Returns the content of an answer, in the form that the call names.
    pub(super) fn content(&self, tool: &str, arguments: &Value) -> String {
        self.once(tool, arguments).unwrap().content()
    }

    /// Returns the text and the data of a call that must succeed.
    #[track_caller]
    pub(super) fn told(&self, tool: &str, arguments: &Value) -> (String, Value) {
        let (is_ok, text, data) = self.call(tool, arguments);
        assert!(is_ok, "{tool} {arguments}: {text}");
        (text, data)
    }

    /// Returns the text of a call that must fail.
    #[track_caller]
    pub(super) fn refused(&self, tool: &str, arguments: &Value) -> String {
        let (is_ok, text, _) = self.call(tool, arguments);
        assert!(!is_ok, "{tool} {arguments}: {text}");
        text
    }

    /// Returns the text of a resource, or the error.
    pub(super) fn resource(&self, uri: &str) -> Result<String, String> {
        let read = resources::read(&self.roots, uri, Caller::default(), &Cancel::new());
        let read = read.map_err(|wrong| wrong.0)?;
        Ok(serde_json::to_value(read.contents).unwrap()[0]["text"]
            .as_str()
            .unwrap()
            .to_owned())
    }

    /// Returns the listed resources as JSON.
    pub(super) fn resources(&self) -> String {
        serde_json::to_string(&resources::list(&self.roots)).unwrap()
    }
}

/// The places that an answer names.
pub(super) fn sources(data: &Value) -> Vec<String> {
    let sources = data["sources"].as_array().unwrap().iter();
    sources
        .map(|one| one.as_str().unwrap().to_owned())
        .collect()
}

/// A small repository with a secret, and a file outside of it.
pub(super) fn shop() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.git(&["init", "-q"]);
    sandbox.write(
        "src/shop.py",
        "class Shop:\n    \"\"\"Sells things.\"\"\"\n\n    def sell(self, item):\n        return price_of(item)\n\n\ndef price_of(item):\n    return item.price\n",
    );
    sandbox.write(
        "src/main.py",
        "from shop import Shop\n\nShop().sell(None)\n",
    );
    sandbox.write("config.py", "PASSWORD = 'Tq8vZr2LmX4wKp'\n");
    sandbox.write("../outside.txt", "outside the root\n");
    sandbox.commit_all();
    sandbox
}
