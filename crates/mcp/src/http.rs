//! The protocol over HTTP, at `/mcp`. By default only this machine is heard; who else
//! wants to speak needs a token. Pages of other sites are refused.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use http_body_util::{BodyExt, Full, LengthLimitError, Limited, combinators::BoxBody};
use hyper::body::{Bytes, Incoming};
use hyper::header::{AUTHORIZATION, CONNECTION, CONTENT_TYPE, WWW_AUTHENTICATE};
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use crate::Server;
use crate::stdio::LONGEST;

/// Where the protocol is spoken.
pub const HTTP_PATH: &str = "/mcp";

/// Connections at a time; more wait.
const CONNECTIONS: usize = 256;

/// A client that does not say what it wants in this time is not waited for.
const PATIENCE: Duration = Duration::from_secs(20);

/// A body that takes longer is not waited for: it holds a place of another client.
const BODY_WITHIN: Duration = Duration::from_secs(10);

/// The origins of pages on this machine.
const OWN_ORIGINS: &[&str] = &[
    "http://localhost:*",
    "http://127.0.0.1:*",
    "http://[::1]:*",
    "https://localhost:*",
];

/// How HTTP is served.
#[derive(Clone, Debug)]
pub struct HttpOptions {
    /// Where to listen.
    pub address: SocketAddr,
    /// What every request has to bear. Needed for all but this machine.
    pub token: Option<String>,
}

/// Why HTTP cannot be served.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HttpError {
    /// Others could speak to it, and nothing keeps them out.
    #[error("{0} can be reached by other machines, and there is no token")]
    Open(SocketAddr),
    /// The address cannot be had.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why.
        source: std::io::Error,
    },
    /// There is no runtime.
    #[error("cannot serve: {0}")]
    Runtime(std::io::Error),
}

type Service = StreamableHttpService<Server, LocalSessionManager>;
type Answer = Response<BoxBody<Bytes, Infallible>>;

/// Serves clients over HTTP until the process ends. `told` hears where.
///
/// # Errors
/// When the address cannot be had, or others could reach it and there is no token.
pub fn serve_http(
    server: &Server,
    options: &HttpOptions,
    told: impl FnOnce(SocketAddr),
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
        told(listener.local_addr().map_err(failed)?);
        let service = service(server.clone(), is_own);
        let token: Option<Arc<str>> = options.token.as_deref().map(Arc::from);
        let places = Arc::new(Semaphore::new(CONNECTIONS));
        loop {
            // Nobody closes it.
            let Ok(place) = Arc::clone(&places).acquire_owned().await else {
                return Ok(());
            };
            let Ok((stream, _)) = listener.accept().await else {
                // Out of handles: those that are served will give some back.
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            };
            let (service, token) = (service.clone(), token.clone());
            tokio::spawn(async move {
                let answer =
                    service_fn(move |request| answer(service.clone(), token.clone(), request));
                let _ = hyper::server::conn::http1::Builder::new()
                    .timer(TokioTimer::new())
                    .header_read_timeout(PATIENCE)
                    .serve_connection(TokioIo::new(stream), answer)
                    .await;
                drop(place);
            });
        }
    })
}

fn service(server: Server, is_own: bool) -> Service {
    let config = StreamableHttpServerConfig::default()
        .with_allowed_origins(OWN_ORIGINS.iter().copied())
        .enforce_origin_validation();
    // Under which names others reach it is not known; they have the token.
    let config = match is_own {
        true => config,
        false => config.disable_allowed_hosts(),
    };
    StreamableHttpService::new(move || Ok(server.for_anybody()), Arc::default(), config)
}

async fn answer(
    service: Service,
    token: Option<Arc<str>>,
    request: Request<Incoming>,
) -> Result<Answer, Infallible> {
    if request.uri().path().trim_end_matches('/') != HTTP_PATH {
        let told = format!("the protocol is spoken at {HTTP_PATH}\n");
        return Ok(plain(StatusCode::NOT_FOUND, told));
    }
    if let Some(token) = token
        && !bears(&request, &token)
    {
        let told = "a token is needed: Authorization: Bearer TOKEN\n".to_owned();
        let mut refused = plain(StatusCode::UNAUTHORIZED, told);
        let value = hyper::header::HeaderValue::from_static("Bearer");
        refused.headers_mut().insert(WWW_AUTHENTICATE, value);
        return Ok(refused);
    }
    let request = match whole(request).await {
        Ok(request) => request,
        Err(refused) => return Ok(refused),
    };
    let is_farewell = request.method() == hyper::Method::DELETE;
    let mut answer = service.handle(request).await;
    // Done is done; clients take "accepted" for a failure.
    if is_farewell && answer.status() == StatusCode::ACCEPTED {
        *answer.status_mut() = StatusCode::NO_CONTENT;
    }
    Ok(answer)
}

/// A request with its body, which has to come within a time and a size.
async fn whole(request: Request<Incoming>) -> Result<Request<Full<Bytes>>, Answer> {
    let (head, body) = request.into_parts();
    let body = Limited::new(body, LONGEST).collect();
    match tokio::time::timeout(BODY_WITHIN, body).await {
        Ok(Ok(body)) => Ok(Request::from_parts(head, Full::new(body.to_bytes()))),
        Ok(Err(error)) if error.is::<LengthLimitError>() => {
            let told = format!("a message has at most {LONGEST} bytes\n");
            Err(closing(plain(StatusCode::PAYLOAD_TOO_LARGE, told)))
        }
        Ok(Err(_)) => {
            let told = "the body broke off\n".to_owned();
            Err(closing(plain(StatusCode::BAD_REQUEST, told)))
        }
        Err(_) => {
            let told = format!(
                "the body has to come within {} seconds\n",
                BODY_WITHIN.as_secs()
            );
            Err(closing(plain(StatusCode::REQUEST_TIMEOUT, told)))
        }
    }
}

/// The last answer of a connection: what is left of the body is not read.
fn closing(mut answer: Answer) -> Answer {
    let close = hyper::header::HeaderValue::from_static("close");
    answer.headers_mut().insert(CONNECTION, close);
    answer
}

fn bears(request: &Request<Incoming>, token: &str) -> bool {
    let given = request.headers().get(AUTHORIZATION);
    let given = given.and_then(|value| value.as_bytes().strip_prefix(b"Bearer "));
    given.is_some_and(|given| is_same(given, token.as_bytes()))
}

/// Takes as long for a guess that is nearly right as for any other.
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
mod tests {
    use super::*;

    #[test]
    fn tokens_are_compared_whole() {
        assert!(is_same(b"abc", b"abc"));
        for wrong in [&b""[..], b"ab", b"abcd", b"abd"] {
            assert!(!is_same(wrong, b"abc"));
        }
    }
}
