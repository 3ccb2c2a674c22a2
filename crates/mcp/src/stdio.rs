//! Messages as lines of JSON over standard input and output. Whatever comes is answered
//! or refused, and the next line is read: a line that is no JSON, one that is no message,
//! one that is too long. A line is never held beyond its limit.

use std::io;
use std::sync::Arc;

use rmcp::model::{ErrorCode, ErrorData, RequestId};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::{RoleServer, model::ServerJsonRpcMessage};
use serde_json::Value;
use serde_json::error::Category;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::{Mutex, Semaphore};

use crate::request_id::{FoundId, IdFinder};

/// Longer messages are refused. No tool takes anything near it.
pub(crate) const LONGEST: usize = 4 << 20;

/// Refusals that wait to be written. Who sends rubbish and reads nothing gets no more.
const REFUSALS: usize = 64;

/// The protocol over a pair of streams.
pub(crate) struct Lines<R, W> {
    input: BufReader<R>,
    line: Vec<u8>,
    /// Set while the rest of a line that is too long is passed over.
    dropped: Option<IdFinder>,
    output: Arc<Mutex<Option<W>>>,
    refusals: Arc<Semaphore>,
}

/// What came.
enum InputEvent {
    Line(Vec<u8>),
    TooLong(Option<FoundId>),
    End,
}

/// What is wrong with a line.
pub(crate) struct RejectedMessage {
    code: ErrorCode,
    message: String,
    id: Option<FoundId>,
}

impl From<RejectedMessage> for ServerJsonRpcMessage {
    fn from(refused: RejectedMessage) -> Self {
        let error = ErrorData::new(refused.code, refused.message, None);
        let id = refused.id.map(|id| match id {
            FoundId::Number(number) => RequestId::Number(number),
            FoundId::Text(text) => RequestId::String(text.into()),
        });
        Self::error(error, id)
    }
}

impl<R, W> Lines<R, W>
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin + Send + 'static,
{
    pub(crate) fn new(input: R, output: W) -> Self {
        Self {
            input: BufReader::new(input),
            line: Vec::new(),
            dropped: None,
            output: Arc::new(Mutex::new(Some(output))),
            refusals: Arc::new(Semaphore::new(REFUSALS)),
        }
    }

    /// The next line. Nothing is lost when this is given up and called again.
    async fn next(&mut self) -> InputEvent {
        loop {
            let Ok(bytes) = self.input.fill_buf().await else {
                return InputEvent::End;
            };
            if bytes.is_empty() {
                return InputEvent::End;
            }
            let end = bytes.iter().position(|byte| *byte == b'\n');
            let taken = end.map_or(bytes.len(), |end| end + 1);
            let part = &bytes[..taken];
            match &mut self.dropped {
                Some(finder) => finder.push(part),
                None if self.line.len() + taken > LONGEST => {
                    let mut finder = IdFinder::default();
                    finder.push(&self.line);
                    finder.push(part);
                    self.line = Vec::new();
                    self.dropped = Some(finder);
                }
                None => self.line.extend_from_slice(part),
            }
            self.input.consume(taken);
            if end.is_none() {
                continue;
            }
            return match self.dropped.take() {
                Some(finder) => InputEvent::TooLong(finder.id()),
                None => InputEvent::Line(std::mem::take(&mut self.line)),
            };
        }
    }

    /// Says what is wrong, without waiting until it is heard.
    fn refuse(&self, refused: RejectedMessage) {
        let Ok(place) = Arc::clone(&self.refusals).try_acquire_owned() else {
            return;
        };
        let message = ServerJsonRpcMessage::from(refused);
        let output = Arc::clone(&self.output);
        tokio::spawn(async move {
            let _ = write(&output, &message).await;
            drop(place);
        });
    }
}

async fn write<W: AsyncWrite + Unpin>(
    output: &Mutex<Option<W>>,
    message: &ServerJsonRpcMessage,
) -> io::Result<()> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    let mut output = output.lock().await;
    let closed = || io::Error::from(io::ErrorKind::NotConnected);
    let output = output.as_mut().ok_or_else(closed)?;
    output.write_all(&line).await?;
    output.flush().await
}

/// The message in a line. `Ok(None)` for what nobody waits for an answer to.
pub(crate) fn message(
    line: &[u8],
) -> Result<Option<RxJsonRpcMessage<RoleServer>>, RejectedMessage> {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    let line = line.trim_ascii();
    if line.is_empty() {
        return Ok(None);
    }
    let error = match serde_json::from_slice(line) {
        Ok(message) => return Ok(Some(message)),
        Err(error) => error,
    };
    let mut finder = IdFinder::default();
    finder.push(line);
    let (code, what) = match error.classify() {
        Category::Syntax | Category::Eof => (ErrorCode::PARSE_ERROR, format!("no JSON: {error}")),
        Category::Data | Category::Io => {
            let known: Value = serde_json::from_slice(line).unwrap_or_default();
            let is_call = known.get("id").is_some() && known.get("method").is_some();
            let says = |key: &str| known.get(key).is_some();
            if !is_call && (says("method") || says("result") || says("error")) {
                return Ok(None);
            }
            let what = match known {
                Value::Array(_) => "one message on a line, not several",
                _ => "expected a request, a notification or an answer of JSON-RPC 2.0",
            };
            (ErrorCode::INVALID_REQUEST, what.to_owned())
        }
    };
    Err(RejectedMessage {
        code,
        message: what,
        id: finder.id(),
    })
}

impl<R, W> Transport<RoleServer> for Lines<R, W>
where
    R: AsyncRead + Unpin + Send,
    W: AsyncWrite + Unpin + Send + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let output = Arc::clone(&self.output);
        async move { write(&output, &item).await }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let read = match self.next().await {
                InputEvent::End => return None,
                InputEvent::Line(line) => message(&line),
                InputEvent::TooLong(id) => Err(RejectedMessage {
                    code: ErrorCode::INVALID_REQUEST,
                    message: format!("a message has at most {LONGEST} bytes"),
                    id,
                }),
            };
            match read {
                Ok(Some(message)) => return Some(message),
                Ok(None) => {}
                Err(refused) => self.refuse(refused),
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        drop(self.output.lock().await.take());
        Ok(())
    }
}

#[cfg(test)]
mod tests;
