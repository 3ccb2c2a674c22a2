//! A local ssh server with its own keys, for the user who runs the tests.

#![expect(clippy::panic, reason = "a fixture that cannot be made fails its test")]

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::{Sandbox, until};

/// A server that runs until it is dropped.
#[derive(Debug)]
pub struct SshServer {
    child: Child,
    port: u16,
    folder: PathBuf,
}

impl SshServer {
    /// Starts a server that keeps its files next to the working directory of `sandbox`.
    ///
    /// # Panics
    /// If `sshd` is not installed: then reading over ssh cannot be tested.
    pub fn start(sandbox: &Sandbox) -> Self {
        let program = find().unwrap_or_else(|| {
            panic!("sshd is missing, without which fetching over ssh cannot be tested; on Debian: apt-get install openssh-server")
        });
        let folder = sandbox.path("../ssh");
        must(fs::create_dir_all(&folder));
        for name in ["host", "user", "stranger"] {
            let key = folder.join(name);
            let args = ["-q", "-t", "ed25519", "-N", "", "-f"];
            let made = Command::new("ssh-keygen").args(args).arg(&key).status();
            assert!(must(made).success(), "ssh-keygen failed");
        }
        must(fs::copy(folder.join("user.pub"), folder.join("authorized")));
        // A server that root starts needs this directory; other users can neither create it nor
        // need it.
        let _ = fs::create_dir_all("/run/sshd");
        // Another program may take the port first.
        for _ in 0..5 {
            let mut server = Self::start_in(&folder, &program);
            if server.is_up() {
                return server;
            }
        }
        let log = fs::read_to_string(folder.join("log")).unwrap_or_default();
        panic!("sshd does not start: {log}")
    }

    fn start_in(folder: &Path, program: &Path) -> Self {
        let port = must(TcpListener::bind("127.0.0.1:0").and_then(|it| it.local_addr())).port();
        must(fs::write(folder.join("config"), config(folder, port)));
        let log = must(fs::File::create(folder.join("log")));
        let child = Command::new(program)
            .args(["-D", "-e", "-f"])
            .arg(folder.join("config"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn();
        Self {
            child: must(child),
            port,
            folder: folder.to_owned(),
        }
    }

    /// Returns the URL of the repository in a directory.
    pub fn url(&self, folder: &Path) -> String {
        let user = must(Command::new("id").arg("-un").output()).stdout;
        let user = String::from_utf8_lossy(&user).trim().to_owned();
        format!("ssh://{user}@127.0.0.1:{}{}", self.port, folder.display())
    }

    /// Returns the ssh command for git with the key `user` or `stranger`. It trusts the server.
    pub fn command(&self, key: &str) -> String {
        let host = must(fs::read_to_string(self.folder.join("host.pub")));
        let known = format!("[127.0.0.1]:{} {host}", self.port);
        must(fs::write(self.folder.join("known"), known));
        self.command_knowing(key, "known")
    }

    /// Returns the ssh command with no known servers.
    pub fn command_without_hosts(&self, key: &str) -> String {
        self.command_knowing(key, "unknown")
    }

    fn command_knowing(&self, key: &str, known: &str) -> String {
        let folder = self.folder.display();
        format!(
            "ssh -F /dev/null -o IdentitiesOnly=yes -o IdentityFile={folder}/{key} -o UserKnownHostsFile={folder}/{known} -o GlobalKnownHostsFile=/dev/null"
        )
    }

    /// Waits until the server accepts a connection; returns false if it exited instead.
    fn is_up(&mut self) -> bool {
        let mut is_up = false;
        until(|| {
            is_up = TcpStream::connect(("127.0.0.1", self.port)).is_ok();
            is_up || !matches!(self.child.try_wait(), Ok(None))
        });
        is_up
    }
}

impl Drop for SshServer {
    fn drop(&mut self) {
        // The server may have exited already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn find() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let usual = ["/usr/sbin", "/usr/local/sbin"].map(PathBuf::from);
    let folders = std::env::split_paths(&path).chain(usual);
    folders
        .map(|folder| folder.join("sshd"))
        .find(|file| file.is_file())
}

fn config(folder: &Path, port: u16) -> String {
    let folder = folder.display();
    format!(
        "Port {port}\nListenAddress 127.0.0.1\nHostKey {folder}/host\nPidFile none\n\
         AuthorizedKeysFile {folder}/authorized\nStrictModes no\nUsePAM no\n\
         PasswordAuthentication no\nKbdInteractiveAuthentication no\nPermitRootLogin yes\n"
    )
}

#[track_caller]
fn must<T>(result: std::io::Result<T>) -> T {
    result.unwrap_or_else(|error| panic!("{error}"))
}
