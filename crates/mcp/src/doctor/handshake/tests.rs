//! Servers that answer well, badly or not at all: scripts of the shell.

use super::*;

/// A line that reads a message.
const READ: &str = "read -r line; ";

/// The answer to the greeting.
const HELLO: &str =
    r#"echo '{"id":1,"result":{"protocolVersion":"p","serverInfo":{"name":"n","version":"v"}}}'; "#;

fn run(script: &str) -> Result<Answered, String> {
    run_in(script, &[])
}

fn run_in(script: &str, env: &[(String, String)]) -> Result<Answered, String> {
    let args = ["-c".to_owned(), script.to_owned()];
    ask(Path::new("/bin/sh"), &args, env, Path::new("/"))
}

/// A script that answers the greeting, and then does this.
fn after_hello(then: &str) -> String {
    format!("{READ}{HELLO}{READ}{READ}{then}")
}

#[track_caller]
fn check_error(script: &str, expected: &str) {
    let error = run(script).unwrap_err();
    assert_eq!(error, expected, "{script}");
}

#[test]
fn server_is_described_as_it_describes_itself() {
    let tools = r#"echo '{"id":2,"result":{"tools":[{},{},{}]}}'"#;
    let answered = run(&after_hello(tools)).unwrap();
    assert_eq!(answered.name, "n");
    assert_eq!(answered.version, "v");
    assert_eq!(answered.protocol, "p");
    assert_eq!(answered.tools, 3);
}

#[test]
fn missing_facts_are_question_marks() {
    let script = format!(
        "{READ}echo '{{\"id\":1,\"result\":{{}}}}'; {READ}{READ}echo '{{\"id\":2,\"result\":{{\"tools\":[1]}}}}'"
    );
    let answered = run(&script).unwrap();
    assert_eq!(
        (answered.name.as_str(), answered.version.as_str()),
        ("?", "?")
    );
}

#[test]
fn other_messages_before_an_answer_are_passed_over() {
    let log = r#"echo '{"method":"notifications/message"}'; echo '{"id":9,"result":1}'; "#;
    let tools = r#"echo '{"id":2,"result":{"tools":[{}]}}'"#;
    let script = format!("{READ}{log}{HELLO}{READ}{READ}{log}{tools}");
    assert_eq!(run(&script).unwrap().tools, 1);
}

#[test]
fn server_without_tools_is_refused() {
    for tools in [r#"{"tools":[]}"#, "{}", r#"{"tools":"none"}"#] {
        let then = format!("echo '{{\"id\":2,\"result\":{tools}}}'");
        check_error(&after_hello(&then), "it offers no tools");
    }
}

#[test]
fn refusal_is_reported_in_the_words_of_the_server() {
    let words = r#"echo '{"id":2,"error":{"code":1,"message":"not today"}}'"#;
    check_error(&after_hello(words), "it refused: not today");
    let silent = r#"echo '{"id":2,"error":{}}'"#;
    check_error(&after_hello(silent), "it refused: it does not say why");
}

#[test]
fn output_that_is_not_the_protocol_is_reported() {
    let error = "it writes something else than the protocol to its output";
    check_error(&format!("{READ}echo Welcome; {READ}"), error);
}

#[test]
fn end_without_an_answer_is_reported_with_the_last_words() {
    let error = "it ended before it answered";
    check_error(READ, error);
    let script = format!("{READ}echo first >&2; echo 'no such module' >&2; echo >&2");
    check_error(&script, &format!("{error}; it said: no such module"));
}

#[test]
fn server_that_writes_without_end_is_not_waited_for() {
    let script = format!("{READ}while echo '{{\"id\":5}}'; do :; done 2>/dev/null");
    check_error(&script, "it writes without an answer: 1000 lines");
}

#[test]
fn program_that_cannot_be_started_is_reported() {
    let error = ask(Path::new("/nowhere/server"), &[], &[], Path::new("/"));
    assert!(error.unwrap_err().starts_with("cannot be started: "));
}

#[test]
fn server_gets_the_environment_of_its_entry() {
    let env = [("LOOM_TEST_NAME".to_owned(), "from the entry".to_owned())];
    let script = format!(
        "{READ}printf '{{\"id\":1,\"result\":{{\"serverInfo\":{{\"name\":\"%s\"}}}}}}\\n' \"$LOOM_TEST_NAME\"; {READ}{READ}echo '{{\"id\":2,\"result\":{{\"tools\":[1]}}}}'"
    );
    assert_eq!(run_in(&script, &env).unwrap().name, "from the entry");
}
