//! A local git server over HTTP: the smallest server that git's client accepts, which runs `git
//! http-backend`. It serves everything below a directory; paths below `private` require a name and
//! a password.

#![expect(clippy::panic, reason = "a fixture that cannot be made fails its test")]

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

/// Credentials of private repositories.
pub const USER_AND_PASSWORD: &str = "loom:s3cret-word";

/// The credentials as a header value.
const AUTHORIZATION: &str = "Basic bG9vbTpzM2NyZXQtd29yZA==";

/// A server that runs until the test ends.
#[derive(Debug)]
pub struct HttpServer {
    address: SocketAddr,
}

impl HttpServer {
    /// Serves the repositories below a directory.
    pub fn start(folder: &Path) -> Self {
        let folder = folder.to_owned();
        Self::answer_with(move |stream| {
            // A client that disconnects is not a failure of the server.
            let _ = serve(stream, &folder);
        })
    }

    /// Starts a server that accepts connections and never answers.
    pub fn silent() -> Self {
        Self::answer_with(|mut stream| {
            let _ = io::copy(&mut stream, &mut io::sink());
        })
    }

    /// Returns the URL of a repository.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}/{path}", self.address)
    }

    /// Returns the URL of a repository with credentials before the host.
    pub fn url_as(&self, user: &str, path: &str) -> String {
        format!("http://{user}@{}/{path}", self.address)
    }

    pub(crate) fn answer_with(answer: impl Fn(TcpStream) + Clone + Send + 'static) -> Self {
        let listener = must(TcpListener::bind("127.0.0.1:0"));
        let address = must(listener.local_addr());
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let answer = answer.clone();
                thread::spawn(move || answer(stream));
            }
        });
        Self { address }
    }
}

pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) path: String,
    query: String,
    headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Request {
    pub(crate) fn header(&self, name: &str) -> &str {
        let found = self.headers.iter().find(|(header, _)| header == name);
        found.map_or("", |(_, value)| value)
    }
}

fn serve(stream: TcpStream, folder: &Path) -> io::Result<()> {
    let mut reader = BufReader::new(stream);
    let request = read_request(&mut reader)?;
    let mut stream = reader.into_inner();
    let is_private = request.path.starts_with("/private/");
    if is_private && request.header("authorization") != AUTHORIZATION {
        let refusal = "HTTP/1.0 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"git\"\r\nContent-Length: 0\r\n\r\n";
        return stream.write_all(refusal.as_bytes());
    }
    let answer = backend(&request, folder)?;
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n");
    let head = String::from_utf8_lossy(&answer[..end.unwrap_or(0)]).into_owned();
    let status = head.lines().find_map(|line| line.strip_prefix("Status: "));
    let status = status.unwrap_or("200 OK");
    stream.write_all(format!("HTTP/1.0 {status}\r\n").as_bytes())?;
    stream.write_all(&answer)
}

/// Sends JSON. An error response asks the client to retry at once.
pub(crate) fn write_json(
    mut stream: TcpStream,
    status: u16,
    answer: &serde_json::Value,
) -> io::Result<()> {
    let answer = answer.to_string();
    let head = format!(
        "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\nretry-after: 0\r\n\
         content-length: {}\r\nconnection: close\r\n\r\n",
        answer.len()
    );
    stream.write_all(head.as_bytes())?;
    stream.write_all(answer.as_bytes())
}

pub(crate) fn read_request(reader: &mut BufReader<TcpStream>) -> io::Result<Request> {
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let mut words = line.split_whitespace();
    let method = words.next().unwrap_or_default().to_owned();
    let target = words.next().unwrap_or_default();
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let (path, query) = (path.to_owned(), query.to_owned());
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(": ") else {
            break;
        };
        headers.push((name.to_ascii_lowercase(), value.to_owned()));
    }
    let mut request = Request {
        method,
        path,
        query,
        headers,
        body: Vec::new(),
    };
    let length = request.header("content-length").parse().unwrap_or(0);
    request.body.resize(length, 0);
    reader.read_exact(&mut request.body)?;
    Ok(request)
}

fn backend(request: &Request, folder: &Path) -> io::Result<Vec<u8>> {
    let mut child = Command::new("git")
        .arg("http-backend")
        .env("GIT_PROJECT_ROOT", folder)
        .env("GIT_HTTP_EXPORT_ALL", "1")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", PathBuf::from("/dev/null"))
        .env("PATH_INFO", &request.path)
        .env("QUERY_STRING", &request.query)
        .env("REQUEST_METHOD", &request.method)
        .env("CONTENT_TYPE", request.header("content-type"))
        .env("CONTENT_LENGTH", request.body.len().to_string())
        .env("HTTP_CONTENT_ENCODING", request.header("content-encoding"))
        .env("GIT_PROTOCOL", request.header("git-protocol"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(&request.body)?;
    }
    Ok(child.wait_with_output()?.stdout)
}

#[track_caller]
fn must<T>(result: io::Result<T>) -> T {
    result.unwrap_or_else(|error| panic!("{error}"))
}
