//! The server as a client meets it, with limits that a test chooses.

mod requests;

use std::io::{Read, Write};
use std::net::TcpStream as Stream;
use std::sync::mpsc;

use super::*;
use crate::Roots;

/// Longer than any test: what waits for it hangs.
const NEVER: Duration = Duration::from_secs(3600);

const HELLO: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;

/// Serves no directory with these limits, and returns the address.
fn serve(limits: HttpLimits) -> SocketAddr {
    let opener: crate::opener::Opener = Arc::new(|_| Err(infiniloom::Error::cancelled()));
    let server = Server::new(Arc::new(Roots::new(opener)));
    let options = HttpOptions {
        address: SocketAddr::from(([127, 0, 0, 1], 0)),
        token: None,
        name: None,
        limits,
    };
    let (tell, told) = mpsc::channel();
    // It ends with the process.
    std::thread::spawn(move || {
        serve_http(&server, &options, |at| {
            let _ = tell.send(at);
        })
    });
    told.recv().unwrap()
}

/// Opens a connection and sends `text`.
fn send(address: SocketAddr, text: &str) -> Stream {
    let mut stream = Stream::connect(address).unwrap();
    stream.write_all(text.as_bytes()).unwrap();
    stream
}

/// The first line of the answer; empty if the server closes without one.
fn status(mut stream: Stream) -> String {
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    let answer = String::from_utf8_lossy(&answer).into_owned();
    answer.lines().next().unwrap_or_default().to_owned()
}

/// A request that is answered with 404 at once.
fn ask(address: SocketAddr) -> String {
    let text = format!("GET / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    status(send(address, &text))
}

fn head(address: SocketAddr, length: usize) -> String {
    format!(
        "POST /mcp HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\nContent-Length: {length}\r\n\r\n"
    )
}

/// Begins a session and returns its name; the status if it is refused.
fn begin(address: SocketAddr) -> Result<String, String> {
    let text = head(address, HELLO.len()).replace("Accept", "Connection: close\r\nAccept");
    let mut stream = send(address, &format!("{text}{HELLO}"));
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let named = answer.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        let is_session = name.eq_ignore_ascii_case("mcp-session-id");
        is_session.then(|| value.trim().to_owned())
    });
    named.ok_or_else(|| answer.lines().next().unwrap_or_default().to_owned())
}

/// Opens the stream of events of a session.
fn listen(address: SocketAddr, session: &str) -> Stream {
    let mut events = send(
        address,
        &format!(
            "GET /mcp HTTP/1.1\r\nHost: {address}\r\nAccept: text/event-stream\r\n\
             Mcp-Session-Id: {session}\r\n\r\n"
        ),
    );
    let mut first = [0; 12];
    events.read_exact(&mut first).unwrap();
    assert_eq!(&first, b"HTTP/1.1 200");
    events
}

/// Says whether a session is there: a message without an answer is accepted.
fn is_there(address: SocketAddr, session: &str) -> bool {
    let ready = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    let text = head(address, ready.len()).replace(
        "Accept",
        &format!("Connection: close\r\nMcp-Session-Id: {session}\r\nAccept"),
    );
    status(send(address, &format!("{text}{ready}"))) == "HTTP/1.1 202 Accepted"
}

/// Before, clients that went away kept new ones out for five minutes.
#[test]
fn new_client_takes_the_place_of_the_session_that_is_idle_longest() {
    let address = serve(HttpLimits {
        sessions: 3,
        head_within: NEVER,
        body_within: NEVER,
        ..HttpLimits::default()
    });
    let first: Vec<String> = (0..3).map(|_| begin(address).unwrap()).collect();
    let events = listen(address, &first[0]);
    assert!(is_there(address, &first[1]));
    let fourth = begin(address).unwrap();
    let there = first.iter().map(|id| is_there(address, id));
    assert_eq!(there.collect::<Vec<_>>(), [true, true, false]);
    // With a stream open for each, nobody gives way.
    let streams = [listen(address, &first[1]), listen(address, &fourth)];
    assert_eq!(
        begin(address),
        Err("HTTP/1.1 503 Service Unavailable".to_owned())
    );
    drop((events, streams));
}

/// Before, they kept everybody else out until their time was over.
#[test]
fn half_open_and_idle_connections_keep_nobody_out() {
    let limits = HttpLimits {
        connections: 4,
        head_within: NEVER,
        body_within: NEVER,
        ..HttpLimits::default()
    };
    let address = serve(limits);
    let body = head(address, 100);
    let open: Vec<Stream> = ["", "GET /mcp HTT", "", &body, "", "POST", &body, ""]
        .iter()
        .map(|text| send(address, text))
        .collect();
    for _ in 0..10 {
        assert_eq!(ask(address), "HTTP/1.1 404 Not Found");
    }
    // Those that waited longest were closed for them.
    for stream in open.into_iter().take(4) {
        assert_eq!(status(stream), "");
    }
}

#[test]
fn connection_beyond_the_limit_is_answered_while_all_are_at_work() {
    let limits = HttpLimits {
        connections: 1,
        head_within: NEVER,
        body_within: NEVER,
        ..HttpLimits::default()
    };
    let address = serve(limits);
    // A stream of events is work until its client goes.
    let session = begin(address).unwrap();
    let events = listen(address, &session);
    assert_eq!(ask(address), "HTTP/1.1 503 Service Unavailable");
    drop(events);
    // The server notices at its next message to the client, or when it is asked again.
    while ask(address) == "HTTP/1.1 503 Service Unavailable" {}
    assert_eq!(ask(address), "HTTP/1.1 404 Not Found");
}

#[test]
fn slow_heads_idle_connections_and_slow_bodies_are_ended() {
    let soon = Duration::from_millis(1);
    let address = serve(HttpLimits {
        head_within: soon,
        body_within: NEVER,
        ..HttpLimits::default()
    });
    for text in ["", "GET /mcp HTTP/1.1\r\nHos"] {
        let ended = status(send(address, text));
        assert!(ended.is_empty() || ended.contains("408"), "{ended}");
    }
    let address = serve(HttpLimits {
        head_within: NEVER,
        body_within: soon,
        ..HttpLimits::default()
    });
    let ended = status(send(address, &head(address, 100)));
    assert_eq!(ended, "HTTP/1.1 408 Request Timeout");
}

#[test]
fn request_names_one_host() {
    let address = serve(HttpLimits::default());
    let ask = |line: &str, hosts: &[&str]| {
        let hosts: String = hosts
            .iter()
            .map(|host| format!("Host: {host}\r\n"))
            .collect();
        let text = format!("{line}\r\n{hosts}Connection: close\r\n\r\n");
        status(send(address, &text))
    };
    let own = address.to_string();
    for (line, hosts, expected) in [
        ("GET /mcp HTTP/1.1".to_owned(), vec![&*own, &*own], "400"),
        (
            "GET /mcp HTTP/1.1".to_owned(),
            vec![&*own, "evil.example"],
            "400",
        ),
        (
            "GET /mcp HTTP/1.1".to_owned(),
            vec!["evil.example", &*own],
            "400",
        ),
        (
            "GET http://evil.example/mcp HTTP/1.1".to_owned(),
            vec![&*own],
            "400",
        ),
        (
            format!("GET http://{own}/mcp HTTP/1.1"),
            vec!["evil.example"],
            "400",
        ),
        (format!("GET http://{own}/mcp HTTP/1.1"), vec![], "400"),
        (
            "GET http://evil.example/mcp HTTP/1.1".to_owned(),
            vec!["evil.example"],
            "403",
        ),
    ] {
        let found = ask(&line, &hosts);
        assert!(found.contains(expected), "{line} {hosts:?}: {found}");
    }
    // One host, named alike in both places, is served.
    let text = head(address, HELLO.len()).replace("Accept", "Connection: close\r\nAccept");
    let text = text.replacen("POST /mcp", &format!("POST http://{own}/mcp"), 1);
    let found = status(send(address, &format!("{text}{HELLO}")));
    assert_eq!(found, "HTTP/1.1 200 OK");
}

#[test]
fn only_addresses_and_the_users_name_are_known() {
    for host in [
        "10.0.0.7",
        "10.0.0.7:80",
        "[::1]:7",
        "[fe80::1]",
        "LOCALHOST:7",
        "box:7",
    ] {
        assert!(is_known(host, Some("Box")), "{host}");
    }
    for host in [
        "evil.example",
        "evil.example:7",
        "10.0.0.7.example",
        "",
        "boxes",
    ] {
        assert!(!is_known(host, Some("box")), "{host}");
    }
}

#[test]
fn tokens_are_compared_whole() {
    assert!(is_same(b"abc", b"abc"));
    for wrong in [&b""[..], b"ab", b"abcd", b"abd"] {
        assert!(!is_same(wrong, b"abc"));
    }
}
