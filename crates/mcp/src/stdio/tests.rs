//! Lines of JSON in this process: each message comes out once, and whatever cannot be read is
//! refused with its id.

use proptest::prelude::*;
use serde_json::json;
use tokio::io::{AsyncReadExt, DuplexStream, duplex};
use tokio::runtime::{Builder, Runtime};

use super::*;

fn runtime() -> Runtime {
    Builder::new_current_thread().build().unwrap()
}

/// A request as a client writes it.
fn request(id: u64) -> String {
    json!({"jsonrpc": "2.0", "id": id, "method": "ping"}).to_string()
}

/// Reads everything that `parts` contain, which arrive one after the other. Returns the received
/// messages and the written lines.
fn transferred(parts: &[&[u8]]) -> (Vec<Value>, Vec<Value>) {
    runtime().block_on(async {
        let (mut client, input) = duplex(1 << 16);
        let (output, mut answers) = duplex(1 << 20);
        let send = async move {
            for part in parts {
                client.write_all(part).await.unwrap();
                client.flush().await.unwrap();
            }
        };
        let receive = async move {
            let mut lines: Lines<_, DuplexStream> = Lines::new(input, output);
            let mut received = Vec::new();
            while let Some(message) = lines.receive().await {
                received.push(serde_json::to_value(&message).unwrap());
            }
            // Every refusal is written before its place is free again.
            let all = u32::try_from(REFUSALS).unwrap();
            drop(lines.refusals.acquire_many(all).await.unwrap());
            lines.close().await.unwrap();
            received
        };
        let ((), received) = tokio::join!(send, receive);
        let mut text = String::new();
        answers.read_to_string(&mut text).await.unwrap();
        let written = text.lines().map(|line| serde_json::from_str(line).unwrap());
        (received, written.collect())
    })
}

#[track_caller]
fn check_refused(line: &[u8], code: i64, id: &Value, words: &str) {
    let next = request(99);
    let (received, written) = transferred(&[line, b"\n", next.as_bytes(), b"\n"]);
    assert_eq!(received.len(), 1, "{received:?}");
    assert_eq!(received[0]["id"], 99, "the next line is read");
    let [refused] = &written[..] else {
        panic!("one refusal expected: {written:?}");
    };
    assert_eq!(refused["error"]["code"], code, "{refused}");
    assert_eq!(refused["id"], *id, "{refused}");
    let message = refused["error"]["message"].as_str().unwrap();
    assert!(message.contains(words), "{message}");
}

#[test]
fn line_without_json_is_refused_with_the_id_that_it_has() {
    check_refused(b"hello", -32700, &Value::Null, "no JSON");
    check_refused(br#"{"id":7,"method":"ping""#, -32700, &json!(7), "no JSON");
    check_refused(b"{\"id\":\"a\", \xff", -32700, &json!("a"), "no JSON");
}

#[test]
fn json_that_is_no_message_is_refused() {
    let words = "expected a request";
    check_refused(b"5", -32600, &Value::Null, words);
    check_refused(br#"{"id":3}"#, -32600, &json!(3), words);
    let batch = format!("[{},{}]", request(1), request(2));
    check_refused(batch.as_bytes(), -32600, &Value::Null, "not several");
}

#[test]
fn line_above_the_limit_is_refused_without_being_held() {
    let mut line = br#"{"jsonrpc":"2.0","id":12,"method":"ping","params":{"x":""#.to_vec();
    line.resize(LONGEST + 10, b'x');
    line.extend_from_slice(br#""}}"#);
    check_refused(&line, -32600, &json!(12), "at most 4194304 bytes");
}

#[test]
fn line_at_the_limit_is_read() {
    let mut line = request(1).into_bytes();
    // The line feed counts, too.
    line.resize(LONGEST - 1, b' ');
    line.push(b'\n');
    let (received, written) = transferred(&[&line]);
    assert_eq!((received.len(), written.len()), (1, 0));
}

#[test]
fn blank_lines_and_unawaited_answers_are_passed_over() {
    let lines = [
        String::new(),
        "  \t".to_owned(),
        r#"{"method":5}"#.to_owned(),
        r#"{"result":{},"jsonrpc":"1.0"}"#.to_owned(),
        request(4),
    ];
    let (received, written) = transferred(&[format!("{}\n", lines.join("\n")).as_bytes()]);
    assert_eq!(received.len(), 1, "{received:?}");
    assert_eq!(received[0]["id"], 4);
    assert!(written.is_empty(), "{written:?}");
}

#[test]
fn byte_order_mark_and_crlf_are_no_part_of_a_message() {
    let line = format!("\u{feff}{}\r\n", request(1));
    let (received, written) = transferred(&[line.as_bytes()]);
    assert_eq!((received.len(), written.len()), (1, 0));
}

/// A line without its line feed may be half of a message.
#[test]
fn last_line_without_an_end_is_dropped() {
    let text = format!("{}\n{}", request(1), request(2));
    let (received, _) = transferred(&[text.as_bytes()]);
    assert_eq!(received.len(), 1);
}

#[test]
fn client_that_reads_nothing_gets_a_bounded_number_of_refusals() {
    runtime().block_on(async {
        let (mut client, input) = duplex(1 << 20);
        // Nobody reads, and there is room for a few bytes only.
        let (output, _unread) = duplex(16);
        let mut lines: Lines<_, DuplexStream> = Lines::new(input, output);
        let rubbish = "rubbish\n".repeat(10 * REFUSALS);
        client.write_all(rubbish.as_bytes()).await.unwrap();
        client.write_all(request(1).as_bytes()).await.unwrap();
        client.write_all(b"\n").await.unwrap();
        let message = lines.receive().await.unwrap();
        assert_eq!(serde_json::to_value(&message).unwrap()["id"], 1);
        assert_eq!(lines.refusals.available_permits(), 0);
    });
}

#[test]
fn closed_output_is_an_error() {
    runtime().block_on(async {
        let (_client, input) = duplex(16);
        let (output, _answers) = duplex(16);
        let mut lines: Lines<_, DuplexStream> = Lines::new(input, output);
        lines.close().await.unwrap();
        let refused = RejectedMessage {
            code: ErrorCode::PARSE_ERROR,
            message: "x".to_owned(),
            id: None,
        };
        let sent = lines.send(ServerJsonRpcMessage::from(refused)).await;
        assert_eq!(sent.unwrap_err().kind(), io::ErrorKind::NotConnected);
    });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// However the bytes are split, the same messages and refusals come out.
    #[test]
    fn any_split_gives_the_same_messages(
        kinds in prop::collection::vec(0usize..4, 1..8),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..6),
    ) {
        let line = |(at, kind): (usize, &usize)| match kind {
            0 => "no message".to_owned(),
            1 => String::new(),
            _ => request(at as u64),
        };
        let lines: Vec<String> = kinds.iter().enumerate().map(line).collect();
        let text = format!("{}\n", lines.join("\n"));
        let mut ends: Vec<usize> = cuts.iter().map(|cut| cut.index(text.len())).collect();
        ends.extend([0, text.len()]);
        ends.sort_unstable();
        let bytes = text.as_bytes();
        let parts: Vec<&[u8]> = ends.windows(2).map(|pair| &bytes[pair[0]..pair[1]]).collect();
        let (received, written) = transferred(&parts);
        let ids: Vec<u64> = received.iter().map(|one| one["id"].as_u64().unwrap()).collect();
        let all = kinds.iter().enumerate();
        let expected: Vec<u64> = all.filter(|(_, kind)| **kind > 1).map(|(at, _)| at as u64).collect();
        prop_assert_eq!(ids, expected);
        prop_assert_eq!(written.len(), kinds.iter().filter(|kind| **kind == 0).count());
    }
}
