//! The protocol over HTTP, at `/mcp`. By default only this machine may connect; other machines need
//! a token. Pages of other sites are refused.

mod connections;
mod sessions;

use std::convert::Infallible;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use http_body_util::{BodyExt, Full, LengthLimitError, Limited, combinators::BoxBody};
use hyper::body::{Bytes, Incoming};
use hyper::header::{AUTHORIZATION, CONNECTION, CONTENT_TYPE, HOST, WWW_AUTHENTICATE};
use hyper::http::request::Parts;
use hyper::service::service_fn;
use hyper::{HeaderMap, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use rmcp::model::ServerJsonRpcMessage;
use rmcp::transport::streamable_http_server::session::SessionManager;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

use self::connections::{Connection, Connections, WorkingBody};
use self::sessions::Sessions;
use crate::Server;
use crate::stdio::{LONGEST, message};

/// Path of the protocol.
pub const HTTP_PATH: &str = "/mcp";

/// Connections beyond the limit that get an answer at the same time. Further ones are closed
/// without an answer.
const REFUSALS: usize = 32;

/// Answer to a connection beyond the limit.
const TOO_MANY: &str = "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\n\
                        Connection: close\r\nContent-Type: text/plain; charset=utf-8\r\n\
                        Content-Length: 42\r\n\r\ntoo many requests at once; try again later";

/// Bytes of a refused request that are read, so that the client gets the answer before the
/// connection ends.
const DRAINED: u64 = 1 << 16;

/// The header that names a session.
const SESSION: &str = "mcp-session-id";

/// Maximum number of clients. A silent one is removed after five minutes, or when a new one needs
/// its place.
const SESSIONS: usize = 256;

/// Limits that keep one client from shutting out the others.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct HttpLimits {
    /// Connections at a time. If there are more, the one that has waited longest for its
    /// client is closed; if all are at work, the new one gets status 503.
    pub connections: usize,
    /// Sessions at a time. If there are more, the one that has been idle longest ends; if
    /// all have calls in flight or open streams, the new client gets status 503.
    pub sessions: usize,
    /// The time for the head of a request, and between two requests.
    pub head_within: Duration,
    /// The time for the body of a request.
    pub body_within: Duration,
}

impl Default for HttpLimits {
    /// Twice as many connections as clients: each may keep one open for events.
    fn default() -> Self {
        Self {
            connections: 2 * SESSIONS,
            sessions: SESSIONS,
            head_within: Duration::from_secs(5),
            body_within: Duration::from_secs(10),
        }
    }
}

/// Origins of pages of this machine, without the port.
const OWN_ORIGINS: &[&str] = &[
    "http://localhost",
    "http://127.0.0.1",
    "http://[::1]",
    "https://localhost",
];

/// Scheme before a token, in any case.
const BEARER: &[u8] = b"Bearer ";

/// Media type of messages.
const JSON: &str = "application/json";

/// Options of the server.
#[derive(Clone, Debug)]
pub struct HttpOptions {
    /// Address to listen on.
    pub address: SocketAddr,
    /// Token that every request needs. Required unless only this machine can connect.
    pub token: Option<String>,
    /// Host name from the user, if clients do not use an address.
    pub name: Option<String>,
    /// Limits for each client.
    pub limits: HttpLimits,
}

/// Reasons why the server cannot start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HttpError {
    /// Other machines could connect without a token.
    #[error("refusing to listen on {0} without a token: other machines can reach it")]
    Open(SocketAddr),
    /// The address is not available.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The cause.
        source: std::io::Error,
    },
    /// The runtime cannot be created.
    #[error("cannot serve: {0}")]
    Runtime(std::io::Error),
}

type Service = StreamableHttpService<Server, LocalSessionManager>;
type Answer = Response<BoxBody<Bytes, Infallible>>;

/// Checks a request and passes it on.
#[derive(Clone)]
struct HttpHandler {
    service: Service,
    sessions: Arc<LocalSessionManager>,
    used: Sessions,
    token: Option<Arc<str>>,
    name: Option<Arc<str>>,
    is_own: bool,
    limits: HttpLimits,
}

/// Serves clients over HTTP until the process ends. Calls `on_listening` with the address.
///
/// # Errors
/// If the address is not available, or other machines could connect without a token.
pub fn serve_http(
    server: &Server,
    options: &HttpOptions,
    on_listening: impl FnOnce(SocketAddr),
) -> Result<(), HttpError> {
    let is_own = options.address.ip().is_loopback();
    if !is_own && options.token.is_none() {
        return Err(HttpError::Open(options.address));
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(HttpError::Runtime)?;
    runtime.block_on(async {
        let failed = |source| HttpError::Listen {
            address: options.address,
            source,
        };
        let listener = TcpListener::bind(options.address).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        on_listening(address);
        let handler = HttpHandler::new(server.clone(), options, address.port());
        let connections = Connections::new(options.limits.connections);
        let refusals = Arc::new(Semaphore::new(REFUSALS));
        loop {
            let Ok((stream, _)) = listener.accept().await else {
                // Out of handles: those that are served will give some back.
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            };
            match connections.admit() {
                Some(connection) => drop(tokio::spawn(serve(handler.clone(), stream, connection))),
                None => refuse(stream, &refusals, options.limits.head_within),
            }
        }
    })
}

/// Answers the requests of a connection until either side ends it, its client takes too
/// long, or it has to give way.
async fn serve(handler: HttpHandler, stream: TcpStream, connection: Connection) {
    let head_within = handler.limits.head_within;
    let own = connection.clone();
    let answer = service_fn(move |request| answer(handler.clone(), own.clone(), request));
    let served = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(head_within)
        .serve_connection(TokioIo::new(stream), answer);
    tokio::select! {
        _ = served => {}
        () = connection.closed() => {}
    }
}

/// Answers a client beyond the limit.
fn refuse(mut stream: TcpStream, refusals: &Arc<Semaphore>, within: Duration) {
    let Ok(place) = Arc::clone(refusals).try_acquire_owned() else {
        return;
    };
    tokio::spawn(async move {
        let told = async {
            stream.write_all(TOO_MANY.as_bytes()).await?;
            stream.shutdown().await?;
            let mut rest = stream.take(DRAINED);
            tokio::io::copy(&mut rest, &mut tokio::io::sink()).await
        };
        let _ = tokio::time::timeout(within, told).await;
        drop(place);
    });
}

impl HttpHandler {
    fn new(server: Server, options: &HttpOptions, port: u16) -> Self {
        let is_own = options.address.ip().is_loopback();
        // A page of another port is another one's: it needs the token.
        let port = match options.token {
            Some(_) => "*".to_owned(),
            None => port.to_string(),
        };
        let origins = OWN_ORIGINS.iter().map(|own| format!("{own}:{port}"));
        let config = StreamableHttpServerConfig::default()
            .with_allowed_origins(origins)
            .enforce_origin_validation();
        let config = match is_own {
            true => config,
            false => config.disable_allowed_hosts(),
        };
        let sessions = Arc::<LocalSessionManager>::default();
        let make = move || Ok(server.for_anybody());
        Self {
            service: StreamableHttpService::new(make, Arc::clone(&sessions), config),
            sessions,
            used: Sessions::default(),
            token: options.token.as_deref().map(Arc::from),
            name: options.name.as_deref().map(Arc::from),
            is_own,
            limits: options.limits,
        }
    }

    /// Returns the refusal of a request, if its header suffices to refuse it.
    fn refused(&self, request: &Request<Incoming>) -> Option<Answer> {
        if request.uri().path().trim_end_matches('/') != HTTP_PATH {
            let told = format!("the protocol is spoken at {HTTP_PATH}\n");
            return Some(plain(StatusCode::NOT_FOUND, told));
        }
        if let Some(wrong) = wrong_host(request) {
            return Some(plain(StatusCode::BAD_REQUEST, wrong.to_owned()));
        }
        let host = request.headers().get(HOST);
        let host = host.and_then(|host| host.to_str().ok());
        if !accepts(host, self.is_own, self.name.as_deref()) {
            let told = "not known under this name: ask the address, or start it with \
                        --http NAME:PORT\n";
            return Some(plain(StatusCode::FORBIDDEN, told.to_owned()));
        }
        let token = self.token.as_ref()?;
        if bears(request, token) {
            return None;
        }
        let told = "a token is needed: Authorization: Bearer TOKEN\n".to_owned();
        let mut refused = plain(StatusCode::UNAUTHORIZED, told);
        let value = hyper::header::HeaderValue::from_static("Bearer");
        refused.headers_mut().insert(WWW_AUTHENTICATE, value);
        Some(refused)
    }

    /// Makes room for a new session. Returns true if every session has a call in flight or an open
    /// stream.
    async fn is_full(&self) -> bool {
        while self.sessions.sessions.read().await.len() >= self.limits.sessions {
            let Some(idle) = self.used.give_way() else {
                return true;
            };
            // It is gone from the list whatever its end says.
            let _ = self.sessions.close_session(&idle).await;
        }
        false
    }

    /// Registers the session that an answer begins, and returns its name.
    async fn begun(&self, answer: &Response<impl Sized>) -> Option<String> {
        let id = session(answer.headers())?;
        let sessions = self.sessions.sessions.read().await;
        self.used.begin(id, |id| sessions.contains_key(id));
        Some(id.to_owned())
    }
}

/// Returns the session that a request or an answer names.
fn session(headers: &HeaderMap) -> Option<&str> {
    headers.get(SESSION)?.to_str().ok()
}

/// Returns the problem with the host of a request: a proxy and this server could each believe
/// another one of two.
fn wrong_host<B>(request: &Request<B>) -> Option<&'static str> {
    let hosts = request.headers().get_all(HOST);
    if hosts.iter().count() > 1 {
        return Some("expected one Host header, found several\n");
    }
    let target = request.uri().authority()?;
    let host = hosts.iter().next().and_then(|host| host.to_str().ok());
    let is_same = host.is_some_and(|host| host.eq_ignore_ascii_case(target.as_str()));
    (!is_same).then_some("the request line names another host than the Host header\n")
}

/// Returns true if the server answers a request to `host`. One that accepts only requests of its
/// own machine leaves names to the protocol's library, which ignores the part before `@`.
fn accepts(host: Option<&str>, is_own: bool, name: Option<&str>) -> bool {
    match is_own {
        true => host.is_none_or(|host| !host.contains('@')),
        false => host.is_some_and(|host| is_known(host, name)),
    }
}

/// Returns true if a request names the machine by an address, or by the name from the user. Any
/// other name may belong to an attacker's page.
fn is_known(host: &str, name: Option<&str>) -> bool {
    let (bare, _) = match host.rsplit_once(':') {
        Some((bare, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => (bare, port),
        _ => (host, ""),
    };
    let bare = bare.trim_start_matches('[').trim_end_matches(']');
    let is_name = |name: &str| bare.eq_ignore_ascii_case(name);
    bare.parse::<IpAddr>().is_ok() || is_name("localhost") || name.is_some_and(is_name)
}

async fn answer(
    handler: HttpHandler,
    connection: Connection,
    request: Request<Incoming>,
) -> Result<Answer, Infallible> {
    if let Some(refused) = handler.refused(&request) {
        return Ok(refused);
    }
    let request = match whole(request, handler.limits.body_within).await {
        Ok(request) => request,
        Err(refused) => return Ok(refused),
    };
    let work = connection.work();
    let mut session_work = session(request.headers()).map(|id| handler.used.work(id));
    if session_work.is_none() && handler.is_full().await {
        let most = handler.limits.sessions;
        let told = format!("more than {most} clients at once are not served; try again later\n");
        return Ok(plain(StatusCode::SERVICE_UNAVAILABLE, told));
    }
    let is_farewell = request.method() == hyper::Method::DELETE;
    let mut answer = handler.service.handle(request).await;
    if session_work.is_none() {
        let begun = handler.begun(&answer).await;
        session_work = begun.map(|id| handler.used.work(&id));
    }
    // Done is done; clients take "accepted" for a failure.
    if is_farewell && answer.status() == StatusCode::ACCEPTED {
        *answer.status_mut() = StatusCode::NO_CONTENT;
    }
    let work = (work, session_work);
    Ok(answer.map(|body| WorkingBody::new(body, work).boxed()))
}

/// Returns the answer to a body without a message.
fn not_understood(head: &Parts, body: &[u8]) -> Option<Answer> {
    let is_json = head.headers.get(CONTENT_TYPE).is_some_and(|kind| {
        let kind = kind.as_bytes();
        kind.get(..JSON.len())
            .is_some_and(|kind| kind.eq_ignore_ascii_case(JSON.as_bytes()))
    });
    if head.method != hyper::Method::POST || !is_json {
        return None;
    }
    match message(body) {
        Ok(Some(_)) => None,
        // Nobody waits for an answer to it.
        Ok(None) if !body.trim_ascii().is_empty() => {
            Some(plain(StatusCode::ACCEPTED, String::new()))
        }
        Ok(None) => Some(plain(StatusCode::BAD_REQUEST, "no message\n".to_owned())),
        Err(refused) => {
            let message = ServerJsonRpcMessage::from(refused);
            let text = serde_json::to_string(&message).unwrap_or_default();
            let mut answer = plain(StatusCode::BAD_REQUEST, text);
            let value = hyper::header::HeaderValue::from_static(JSON);
            answer.headers_mut().insert(CONTENT_TYPE, value);
            Some(answer)
        }
    }
}

/// Reads the body of a request, within limits of time and size.
async fn whole(
    request: Request<Incoming>,
    within: Duration,
) -> Result<Request<Full<Bytes>>, Answer> {
    let (head, body) = request.into_parts();
    let body = Limited::new(body, LONGEST).collect();
    match tokio::time::timeout(within, body).await {
        Ok(Ok(body)) => {
            let body = body.to_bytes();
            match not_understood(&head, &body) {
                Some(answer) => Err(answer),
                None => Ok(Request::from_parts(head, Full::new(body))),
            }
        }
        Ok(Err(error)) if error.is::<LengthLimitError>() => {
            let told = format!("a message has at most {LONGEST} bytes\n");
            Err(closing(plain(StatusCode::PAYLOAD_TOO_LARGE, told)))
        }
        Ok(Err(_)) => {
            let told = "the body broke off\n".to_owned();
            Err(closing(plain(StatusCode::BAD_REQUEST, told)))
        }
        Err(_) => {
            let told = format!("the body has to come within {} seconds\n", within.as_secs());
            Err(closing(plain(StatusCode::REQUEST_TIMEOUT, told)))
        }
    }
}

/// Makes an answer the last one of its connection: the rest of the body is not read.
fn closing(mut answer: Answer) -> Answer {
    let close = hyper::header::HeaderValue::from_static("close");
    answer.headers_mut().insert(CONNECTION, close);
    answer
}

fn bears(request: &Request<Incoming>, token: &str) -> bool {
    let given = request.headers().get(AUTHORIZATION);
    let given = given.and_then(|value| value.as_bytes().split_at_checked(BEARER.len()));
    given.is_some_and(|(scheme, given)| {
        scheme.eq_ignore_ascii_case(BEARER) && is_same(given.trim_ascii(), token.as_bytes())
    })
}

/// Compares in constant time, so that the time does not reveal how much of a guess is right.
fn is_same(one: &[u8], other: &[u8]) -> bool {
    let pairs = one.iter().zip(other);
    let differs = pairs.fold(0, |differs, (one, other)| differs | (one ^ other));
    one.len() == other.len() && differs == 0
}

fn plain(status: StatusCode, text: String) -> Answer {
    let mut answer = Response::new(Full::new(Bytes::from(text)).boxed());
    *answer.status_mut() = status;
    let value = hyper::header::HeaderValue::from_static("text/plain; charset=utf-8");
    answer.headers_mut().insert(CONTENT_TYPE, value);
    answer
}

#[cfg(test)]
mod tests;
