//! A page in a real browser, driven by the DevTools protocol over a pipe, without a port or a
//! server.

#![expect(clippy::panic, reason = "a fixture that cannot be made fails its test")]

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::Sandbox;

/// Names of Chromium on different systems.
const PROGRAMS: &[&str] = &["chromium", "chromium-browser", "google-chrome", "chrome"];

/// A loaded machine is slow to start the browser.
const PATIENCE: Duration = Duration::from_secs(90);

/// Chromium sometimes exits at start if many programs start at once.
const STARTS: usize = 3;

/// The browser speaks the protocol on descriptors 3 and 4; its other output is noise.
const ON_THE_PIPE: &str = r#"exec "$@" 3<&0 4>&1 </dev/null >/dev/null 2>&1"#;

/// A browser with one page, until it is dropped.
#[derive(Debug)]
pub struct Browser {
    child: Child,
    pipe: Option<ChildStdin>,
    messages: Receiver<Value>,
    session: Option<String>,
    last: u64,
    events: Vec<Value>,
}

impl Browser {
    /// Starts a browser that keeps its files next to the working directory of `sandbox`.
    ///
    /// # Panics
    /// If Chromium is not installed: then no page can be tested.
    pub fn start(sandbox: &Sandbox) -> Self {
        let program = PROGRAMS.iter().find(|program| is_there(program));
        let program = program.unwrap_or_else(|| {
            panic!("chromium is missing, without which pages cannot be tested; on Debian: apt-get install chromium")
        });
        let started = (0..STARTS).find_map(|number| {
            let mut browser = Self::spawn(sandbox, program, number);
            browser.is_up().then_some(browser)
        });
        let mut browser = started.unwrap_or_else(|| panic!("{program} ends at its start"));
        browser.attach();
        browser
    }

    fn spawn(sandbox: &Sandbox, program: &str, number: usize) -> Self {
        let mut command = sandbox.command("sh");
        command.args(["-c", ON_THE_PIPE, "sh", program]);
        let profile = sandbox.path(format!("../browser{number}"));
        command.arg(format!("--user-data-dir={}", profile.display()));
        command.args([
            "--headless=new",
            "--remote-debugging-pipe",
            // Root and containers need it; the browser opens only our own page.
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--disable-background-networking",
            "--disable-component-update",
            "--no-first-run",
            "--no-default-browser-check",
        ]);
        let started = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = started.unwrap_or_else(|error| panic!("{program}: {error}"));
        let (sender, messages) = channel();
        if let Some(out) = child.stdout.take() {
            thread::spawn(move || {
                for message in BufReader::new(out).split(0).map_while(Result::ok) {
                    let Ok(message) = serde_json::from_slice(&message) else {
                        continue;
                    };
                    if sender.send(message).is_err() {
                        return;
                    }
                }
            });
        }
        Self {
            pipe: child.stdin.take(),
            child,
            messages,
            session: None,
            last: 0,
            events: Vec::new(),
        }
    }

    /// Returns true if the browser answers, false if it exited at start.
    fn is_up(&mut self) -> bool {
        let Some(pipe) = &mut self.pipe else {
            return false;
        };
        let asked = pipe.write_all(b"{\"id\":0,\"method\":\"Browser.getVersion\"}\0");
        asked.and_then(|()| pipe.flush()).is_ok() && self.messages.recv_timeout(PATIENCE).is_ok()
    }

    fn attach(&mut self) {
        let target = self.call("Target.createTarget", &json!({"url": "about:blank"}));
        let target = json!({"targetId": target["targetId"], "flatten": true});
        let session = self.call("Target.attachToTarget", &target);
        self.session = session["sessionId"].as_str().map(str::to_owned);
        for part in ["Page", "Network", "Runtime", "Log"] {
            self.call(&format!("{part}.enable"), &json!({}));
        }
    }

    /// Opens a file and waits until it is loaded.
    pub fn open(&mut self, file: &Path) {
        let url = format!("file://{}", file.display());
        self.call("Page.navigate", &json!({"url": url}));
        while !self.has("Page.loadEventFired") {
            self.receive();
        }
    }

    /// Resizes the page, in pixels.
    pub fn resize(&mut self, width: u32, height: u32) {
        let size =
            json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        self.call("Emulation.setDeviceMetricsOverride", &size);
    }

    /// Evaluates an expression in the page.
    #[track_caller]
    pub fn evaluate(&mut self, expression: &str) -> Value {
        // Waits for two frames, so that a new size is drawn.
        let settled = format!(
            "new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go))).then(() => ({expression}))"
        );
        let asked = json!({"expression": settled, "returnByValue": true, "awaitPromise": true});
        let answer = self.call("Runtime.evaluate", &asked);
        assert!(
            answer["exceptionDetails"].is_null(),
            "{expression}: {answer}"
        );
        answer["result"]["value"].clone()
    }

    /// Clicks at a position of the page.
    pub fn click(&mut self, x: f64, y: f64) {
        for kind in ["mousePressed", "mouseReleased"] {
            let event = json!({"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1});
            self.call("Input.dispatchMouseEvent", &event);
        }
    }

    /// Presses a key: `Tab`, `Enter`, `Escape`.
    pub fn press(&mut self, key: &str) {
        let (code, text) = match key {
            "Tab" => (9, ""),
            "Enter" => (13, "\r"),
            "Escape" => (27, ""),
            other => panic!("the key {other} is not known here"),
        };
        for kind in ["keyDown", "keyUp"] {
            let mut event =
                json!({"type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code});
            if kind == "keyDown" && !text.is_empty() {
                event["text"] = json!(text);
            }
            self.call("Input.dispatchKeyEvent", &event);
        }
    }

    /// Returns the URLs that the page requested so far.
    pub fn requests(&self) -> Vec<String> {
        let asked = self.events_of("Network.requestWillBeSent");
        let urls = asked.filter_map(|event| event["request"]["url"].as_str());
        urls.map(str::to_owned).collect()
    }

    /// Returns the problems of the page so far: exceptions and log entries of the browser.
    pub fn problems(&self) -> Vec<String> {
        let thrown = self.events_of("Runtime.exceptionThrown");
        let logged = self.events_of("Log.entryAdded");
        thrown.chain(logged).map(ToString::to_string).collect()
    }

    fn events_of(&self, method: &str) -> impl Iterator<Item = &Value> {
        let events = self
            .events
            .iter()
            .filter(move |event| event["method"] == method);
        events.map(|event| &event["params"])
    }

    fn has(&self, method: &str) -> bool {
        self.events_of(method).next().is_some()
    }

    #[track_caller]
    fn call(&mut self, method: &str, params: &Value) -> Value {
        self.last += 1;
        let mut message = json!({"id": self.last, "method": method, "params": params});
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        if let Some(pipe) = &mut self.pipe {
            let sent = pipe.write_all(format!("{message}\0").as_bytes());
            sent.and_then(|()| pipe.flush())
                .unwrap_or_else(|error| panic!("{method}: {error}"));
        }
        loop {
            if let Some(answer) = self.receive() {
                assert!(answer["error"].is_null(), "{method}: {answer}");
                return answer["result"].clone();
            }
        }
    }

    /// Reads a message. Returns it if it answers the last call; stores an event.
    #[track_caller]
    fn receive(&mut self) -> Option<Value> {
        let received = self.messages.recv_timeout(PATIENCE);
        let message = received.unwrap_or_else(|error| panic!("the browser says nothing: {error}"));
        if message["id"] == self.last {
            return Some(message);
        }
        self.events.push(message);
        None
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        self.pipe = None;
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn is_there(program: &str) -> bool {
    let mut command = Command::new(program);
    command
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}
