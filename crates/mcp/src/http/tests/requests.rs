//! Which requests are let in, and which bodies are handed on.

use hyper::header::HeaderValue;

use super::*;

#[test]
fn addresses_and_names_of_the_user_are_known_and_others_are_not() {
    for host in [
        "localhost",
        "LOCALHOST:80",
        "127.0.0.1:4000",
        "192.168.1.7",
        "[::1]:80",
        "[fe80::1]",
    ] {
        assert!(is_known(host, None), "{host}");
    }
    for host in ["evil.example", "localhost.evil.example", "build:80", ""] {
        assert!(!is_known(host, None), "{host}");
    }
    assert!(is_known("build:80", Some("build")));
    assert!(is_known("BUILD", Some("build")));
    assert!(!is_known("build:x", Some("build")));
    assert!(!is_known("other", Some("build")));
}

#[test]
fn hosts_with_a_user_are_refused() {
    for is_own in [true, false] {
        for host in [
            "evil.com@127.0.0.1:80",
            "a:b@localhost",
            "127.0.0.1@evil.com",
        ] {
            assert!(!accepts(Some(host), is_own, None), "{host}");
        }
        assert!(accepts(Some("127.0.0.1:80"), is_own, None));
    }
    assert!(accepts(None, true, None));
    assert!(!accepts(None, false, None));
}

fn request(target: &str, hosts: &[&str]) -> Request<()> {
    let mut request = Request::builder().uri(target);
    for host in hosts {
        request = request.header(HOST, *host);
    }
    request.body(()).unwrap()
}

#[test]
fn request_names_one_host() {
    assert_eq!(wrong_host(&request("/mcp", &["a"])), None);
    assert_eq!(wrong_host(&request("/mcp", &[])), None);
    assert_eq!(wrong_host(&request("http://a/mcp", &["A"])), None);
    let several = wrong_host(&request("/mcp", &["a", "a"]));
    assert!(several.unwrap().contains("several"));
    for hosts in [&["b"][..], &[]] {
        let other = wrong_host(&request("http://a/mcp", hosts));
        assert!(other.unwrap().contains("another host"), "{hosts:?}");
    }
}

#[test]
fn tokens_are_compared_whole() {
    assert!(is_same(b"", b""));
    assert!(is_same(b"secret", b"secret"));
    for other in [&b"secreT"[..], b"secre", b"secrets", b""] {
        assert!(!is_same(b"secret", other), "{other:?}");
        assert!(!is_same(other, b"secret"), "{other:?}");
    }
}

/// The status of a body that is not handed on.
fn judged(method: &str, kind: Option<&str>, body: &[u8]) -> Option<StatusCode> {
    let mut request = Request::builder().method(method);
    if let Some(kind) = kind {
        request = request.header(CONTENT_TYPE, kind);
    }
    let (head, ()) = request.body(()).unwrap().into_parts();
    not_understood(&head, body).map(|answer| answer.status())
}

#[test]
fn messages_are_handed_on() {
    let ping = br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    for kind in [JSON, "Application/JSON; charset=utf-8"] {
        assert_eq!(judged("POST", Some(kind), ping), None, "{kind}");
    }
}

#[test]
fn bodies_without_a_message_are_answered_at_once() {
    let bad = Some(StatusCode::BAD_REQUEST);
    assert_eq!(judged("POST", Some(JSON), b""), bad);
    assert_eq!(judged("POST", Some(JSON), b" \n"), bad);
    assert_eq!(judged("POST", Some(JSON), b"{"), bad);
    assert_eq!(judged("POST", Some(JSON), b"[]"), bad);
    // Nobody waits for an answer to it.
    let answer = br#"{"method":5}"#;
    let accepted = Some(StatusCode::ACCEPTED);
    assert_eq!(judged("POST", Some(JSON), answer), accepted);
}

/// The protocol itself answers requests of other kinds.
#[test]
fn bodies_of_other_requests_are_not_read() {
    assert_eq!(judged("GET", Some(JSON), b"{"), None);
    assert_eq!(judged("POST", Some("text/plain"), b"{"), None);
    assert_eq!(judged("POST", None, b"{"), None);
}

#[test]
fn refusal_of_a_body_is_json_with_the_id() {
    let request = Request::builder().method("POST");
    let request = request.header(CONTENT_TYPE, JSON).body(()).unwrap();
    let (head, ()) = request.into_parts();
    let answer = not_understood(&head, br#"{"id":5,"method":"#).unwrap();
    assert_eq!(answer.headers()[CONTENT_TYPE], JSON);
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    let body = runtime.unwrap().block_on(answer.into_body().collect());
    let body: serde_json::Value = serde_json::from_slice(&body.unwrap().to_bytes()).unwrap();
    assert_eq!(body["id"], 5);
    assert_eq!(body["error"]["code"], -32700);
}

#[test]
fn last_answer_of_a_connection_closes_it() {
    let answer = closing(plain(StatusCode::BAD_REQUEST, "why\n".to_owned()));
    assert_eq!(answer.headers()[CONNECTION], "close");
    assert_eq!(answer.status(), StatusCode::BAD_REQUEST);
}

#[test]
fn session_is_named_by_its_header() {
    let mut headers = HeaderMap::new();
    assert_eq!(session(&headers), None);
    headers.insert("Mcp-Session-Id", HeaderValue::from_static("s1"));
    assert_eq!(session(&headers), Some("s1"));
    headers.insert(SESSION, HeaderValue::from_bytes(b"\xff").unwrap());
    assert_eq!(session(&headers), None);
}

#[test]
fn address_of_other_machines_needs_a_token() {
    let opener: crate::opener::Opener = Arc::new(|_| Err(infiniloom::Error::cancelled()));
    let server = Server::new(Arc::new(Roots::new(opener)));
    let options = HttpOptions {
        address: SocketAddr::from(([0, 0, 0, 0], 0)),
        token: None,
        name: None,
        limits: HttpLimits::default(),
    };
    let never = |_| panic!("nothing is served");
    let error = serve_http(&server, &options, never).unwrap_err();
    assert!(matches!(error, HttpError::Open(address) if address == options.address));
}
