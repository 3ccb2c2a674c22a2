//! Contexts: pins, open and earlier files, matches, secrets, budgets and settings.

use loom_host::{
    Cancel, ContextAnswer, ContextBuilder, ContextRepository, ContextRequest, ContextWeights,
    Format, PackError, PackOptions, Packer, Run, SecretsMode, SecretsOptions, Signal,
    context_request, count,
};
use loom_settings::{FileOrigin, Layer, resolve};
use loom_testkit::Sandbox;

use crate::fixture::{cached, packer, password};

/// A shop whose retry is broken, with a test, a document and many other files.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox
        .write("README.md", "# Shop\n\nA shop that sends orders.\n")
        .write(
            "src/http/client.py",
            "import time\n\nfrom http.backoff import wait_for\n\n\nclass Client:\n    \"\"\"Sends requests.\"\"\"\n\n    def send(self, request):\n        return self.transport(request)\n\n    def retry_request(self, request):\n        for attempt in range(3):\n            wait_for(attempt)\n            self.send(request)\n        raise RuntimeError(\"gave up after all attempts failed\")\n",
        )
        .write("src/http/backoff.py", "def wait_for(attempt):\n    seconds = 2 ** attempt\n    return seconds\n")
        .write("tests/test_client.py", "from http.client import Client\n\n\ndef test_retry_request():\n    Client().retry_request(None)\n");
    for at in 0..40 {
        let text = format!(
            "class Part{at}:\n    def price{at}(self, amount: int, currency: str) -> int:\n        return amount * {at}\n\n    def weight{at}(self):\n        return {at}\n"
        );
        sandbox.write(format!("src/parts/part{at}.py"), text);
    }
    sandbox
}

fn request(query: &str) -> ContextRequest {
    ContextRequest {
        query: query.to_owned(),
        budget: 2_000,
        format: Format::Plain,
        below: String::new(),
        weights: ContextWeights::default(),
        hot: Vec::new(),
        previous: Vec::new(),
        pins: Vec::new(),
        embedder: None,
        top: None,
        threshold: f64::NEG_INFINITY,
    }
}

struct Shop {
    packer: Packer,
    repository: ContextRepository,
}

impl Shop {
    fn of(sandbox: &Sandbox, options: PackOptions) -> Self {
        let packer = packer(sandbox, options);
        let repository = ContextBuilder::new(&packer, &Run::new(), &Cancel::new())
            .build()
            .unwrap();
        Self { packer, repository }
    }

    fn new(sandbox: &Sandbox) -> Self {
        Self::of(sandbox, PackOptions::default())
    }

    fn ask(&self, request: &ContextRequest) -> ContextAnswer {
        self.try_ask(request).unwrap()
    }

    fn try_ask(&self, request: &ContextRequest) -> Result<ContextAnswer, PackError> {
        self.repository
            .answer(&self.packer, request, &Run::new(), &Cancel::new())
    }

    /// Returns the ranked paths.
    fn files(&self, answer: &ContextAnswer) -> Vec<String> {
        let files = &self.repository.corpus().files;
        let ranked = answer.selection.files.iter();
        ranked
            .map(|one| files[one.number as usize].path.display().into_owned())
            .collect()
    }
}

fn pieces(answer: &ContextAnswer) -> Vec<String> {
    let piece =
        |one: &loom_host::Piece| format!("{}:{}-{}", one.path.display(), one.first, one.last);
    answer.fitted.pieces.iter().map(piece).collect()
}

#[test]
fn named_function_comes_first_with_its_callee() {
    let sandbox = sandbox();
    let shop = Shop::new(&sandbox);
    let answer = shop.ask(&request("`retry_request` never stops"));
    assert_eq!(shop.files(&answer)[0], "src/http/client.py");
    let shown = pieces(&answer);
    assert!(
        shown
            .iter()
            .any(|piece| piece.starts_with("src/http/backoff.py:")),
        "{shown:?}"
    );
    let names: Vec<&str> = answer
        .fitted
        .pieces
        .iter()
        .flat_map(|one| one.reasons.iter().map(|reason| reason.name))
        .collect();
    assert!(
        names.contains(&"definition") && names.contains(&"call"),
        "{names:?}"
    );
    let hits = answer.hits(&shop.repository);
    assert_eq!(hits[0].path.display(), "src/http/client.py");
    for piece in &answer.fitted.pieces {
        let lines = answer.text(piece).lines().count() as u32;
        assert_eq!(lines, piece.last + 1 - piece.first);
    }
}

#[test]
fn quoted_message_finds_the_line_that_raises_it() {
    let sandbox = sandbox();
    let shop = Shop::new(&sandbox);
    let query = "Orders get lost\n\nRuntimeError: gave up after all attempts failed";
    assert_eq!(
        shop.files(&shop.ask(&request(query)))[0],
        "src/http/client.py"
    );
}

#[test]
fn context_keeps_its_budget_in_every_format() {
    let sandbox = sandbox();
    let shop = Shop::new(&sandbox);
    for (name, format) in Format::ALL {
        for budget in [500, 1_500] {
            let answer = shop.ask(&ContextRequest {
                budget,
                format: *format,
                ..request("price of a part")
            });
            let tokens = count(answer.fitted.context.text(), &shop.packer.options().model).upper();
            assert!(
                tokens <= budget && tokens * 10 >= budget * 7,
                "{name}: {tokens} of {budget}"
            );
        }
    }
}

#[test]
fn pins_are_shown_whatever_the_question_is() {
    let sandbox = sandbox();
    let shop = Shop::new(&sandbox);
    let pinned = |pins: &[&str]| {
        let answer = shop.ask(&ContextRequest {
            pins: pins.iter().map(|pin| (*pin).to_owned()).collect(),
            ..request("retry")
        });
        (pieces(&answer), answer.missing)
    };
    let (shown, missing) = pinned(&[
        "Part7.price7",
        "src/parts/part9.py:1-2",
        "./src/parts/part8.py",
    ]);
    for path in [
        "src/parts/part7.py:",
        "src/parts/part9.py:",
        "src/parts/part8.py:",
    ] {
        assert!(
            shown.iter().any(|piece| piece.starts_with(path)),
            "{path}: {shown:?}"
        );
    }
    assert!(missing.is_empty());
    let wrong = [
        "nowhere.py",
        "src/parts/part9.py:900-901",
        "no_such_name",
        "README.md:3-1",
        "README.md:x-y",
    ];
    assert_eq!(pinned(&wrong).1, wrong);
    for (pin, expected) in [
        ("src/parts/part9.py", true),
        ("README.md:1", true),
        ("Client.send", true),
        ("README.md:3-1", false),
        ("nowhere.py", false),
    ] {
        assert_eq!(shop.repository.has_pin(pin), expected, "{pin}");
    }
    assert!(shop.repository.has_file("./README.md") && !shop.repository.has_file("README"));
}

#[test]
fn budget_below_the_pinned_files_is_an_error() {
    let sandbox = sandbox();
    let shop = Shop::new(&sandbox);
    let result = shop.try_ask(&ContextRequest {
        budget: 10,
        pins: vec!["src/parts/part9.py".to_owned()],
        ..request("x")
    });
    assert!(matches!(result, Err(PackError::Context(_))));
}

#[test]
fn open_and_earlier_files_come_forward_and_missing_ones_are_told() {
    let sandbox = sandbox();
    let shop = Shop::new(&sandbox);
    let open = shop.ask(&ContextRequest {
        hot: vec!["src/parts/part33.py".to_owned(), "nowhere.py".to_owned()],
        ..request("")
    });
    assert_eq!(shop.files(&open)[0], "src/parts/part33.py");
    assert_eq!(open.missing, ["nowhere.py"]);
    let place = |previous: &[&str]| {
        let answer = shop.ask(&ContextRequest {
            previous: previous.iter().map(|path| (*path).to_owned()).collect(),
            ..request("amount times currency")
        });
        // A file of an earlier answer may be deleted: that is not the caller's mistake.
        assert!(answer.missing.is_empty());
        shop.files(&answer)
            .iter()
            .position(|path| path == "src/parts/part21.py")
            .unwrap()
    };
    assert!(place(&[]) > 5 && place(&["src/parts/part21.py", "nowhere.py"]) <= 1);
}

#[test]
fn question_that_nothing_matches_has_no_pieces() {
    let sandbox = sandbox();
    let shop = Shop::new(&sandbox);
    for query in [
        "asdfgh qwerty zzz",
        "xkcdvbn",
        "\u{4ef7}\u{683c}",
        "what is the of and",
    ] {
        let answer = shop.ask(&request(query));
        assert!(
            answer.has_no_match && answer.fitted.pieces.is_empty(),
            "{query}"
        );
        assert_eq!(answer.files, 44);
    }
    let with = |change: fn(&mut ContextRequest)| {
        let mut request = request("asdfgh qwerty zzz");
        change(&mut request);
        shop.ask(&request).has_no_match
    };
    assert!(!with(|request| request.pins = vec!["README.md".to_owned()]));
    assert!(!with(|request| request.hot = vec!["README.md".to_owned()]));
    assert!(!with(
        |request| request.previous = vec!["README.md".to_owned()]
    ));
    assert!(!with(
        |request| request.weights = ContextWeights::chosen(&[Signal::Central])
    ));
    for query in [
        "what does this project do?",
        "explain the codebase",
        "",
        "  ",
    ] {
        assert!(!shop.ask(&request(query)).has_no_match, "{query}");
    }
}

/// One good word is a match, whatever the other words are.
#[test]
fn one_word_of_the_code_is_a_match() {
    let sandbox = sandbox();
    let shop = Shop::new(&sandbox);
    let answer = shop.ask(&request("retry the asdfgh of the client"));
    assert!(!answer.has_no_match);
    assert_eq!(shop.files(&answer)[0], "src/http/client.py");
}

#[test]
fn top_and_threshold_limit_the_selection() {
    let sandbox = sandbox();
    let shop = Shop::new(&sandbox);
    let with = |top: Option<usize>, threshold: f64| {
        let answer = shop.ask(&ContextRequest {
            top,
            threshold,
            ..request("price of a part in a currency")
        });
        answer
            .fitted
            .pieces
            .iter()
            .map(|piece| piece.parts.len())
            .sum::<usize>()
    };
    let all = with(None, f64::NEG_INFINITY);
    assert!(all > 5, "{all}");
    assert!(with(Some(1), f64::NEG_INFINITY) < all);
    assert!(with(None, 0.99) < all);
}

#[test]
fn paths_are_shown_relative_to_the_directory_of_the_question() {
    let sandbox = sandbox();
    let shop = Shop::new(&sandbox);
    let answer = shop.ask(&ContextRequest {
        below: "src/http/".to_owned(),
        ..request("`retry_request`")
    });
    let text = answer.fitted.context.text();
    assert!(
        text.contains("client.py") && !text.contains("src/http/client.py"),
        "{text}"
    );
}

#[test]
fn secrets_are_redacted_and_counted() {
    let sandbox = sandbox();
    let password = password();
    sandbox.write("src/key.py", format!("\"\"\"Signs orders.\"\"\"\n\n\ndef sign_orders(order):\n    password = \"{password}\"\n    return order\n"));
    sandbox.write(
        "src/note.py",
        format!("def note_orders():\n    return '{password}'\n"),
    );
    for options in [PackOptions::default(), cached(&sandbox)] {
        for _ in 0..2 {
            let shop = Shop::of(&sandbox, options.clone());
            let answer = shop.ask(&request("`sign_orders` and `note_orders`"));
            let text = answer.fitted.context.text();
            assert!(!text.contains(&password), "{text}");
            assert_eq!(text.matches("[REDACTED:password:1]").count(), 2, "{text}");
            assert!(answer.secrets >= 2);
        }
    }
    let mode = |mode: SecretsMode| {
        let options = PackOptions {
            secrets: SecretsOptions::new(mode),
            ..PackOptions::default()
        };
        let answer = Shop::of(&sandbox, options).ask(&request("`sign_orders`"));
        (
            answer.fitted.context.text().contains(&password),
            answer.secrets > 0,
        )
    };
    assert_eq!(mode(SecretsMode::Warn), (true, true));
    assert_eq!(mode(SecretsMode::Off), (true, false));
    let failing = packer(
        &sandbox,
        PackOptions {
            secrets: SecretsOptions::new(SecretsMode::Fail),
            ..PackOptions::default()
        },
    );
    let result = ContextBuilder::new(&failing, &Run::new(), &Cancel::new()).build();
    assert!(matches!(result, Err(PackError::Secrets { .. })));
}

#[test]
fn settings_become_a_request() {
    let read = |text: &str| {
        let layer = Layer::from_toml(&FileOrigin::user("user.toml"), text).unwrap();
        context_request(resolve([layer]).settings(), "why".to_owned())
    };
    let usual = read("");
    assert_eq!((usual.query.as_str(), usual.top), ("why", None));
    assert_eq!(usual.threshold, f64::NEG_INFINITY);
    assert!(usual.compares_meanings());
    let chosen = read(
        "[context]\nbudget = 3000\nreserve = 1000\ntop = 4\nthreshold = 0.5\nformat = 'yaml'\nstrategy = ['lexical']\n",
    );
    assert_eq!(
        (chosen.budget, chosen.top, chosen.threshold),
        (2_000, Some(4), 0.5)
    );
    assert_eq!(chosen.format, Format::Yaml);
    assert!(!chosen.compares_meanings());
    assert!(chosen.weights.file[Signal::Words as usize] > 0.0);
    for (name, signal) in [
        ("embedding_similarity", Signal::Semantic),
        ("summaries", Signal::Summary),
        ("mentions", Signal::Definition),
        ("calls", Signal::Call),
        ("history", Signal::Together),
        ("graph_centrality", Signal::Central),
        ("recency", Signal::Recent),
        ("test_association", Signal::Tested),
    ] {
        let chosen = read(&format!("[context]\nstrategy = ['{name}']\n"));
        assert!(chosen.weights.file[signal as usize] > 0.0, "{name}");
        assert_eq!(chosen.weights.file[Signal::Words as usize], 0.0, "{name}");
    }
    assert_eq!(read("[context]\nbudget = 1000\nreserve = 5000\n").budget, 0);
}

#[test]
fn released_repository_still_answers() {
    let sandbox = sandbox();
    let mut shop = Shop::of(&sandbox, cached(&sandbox));
    let before = pieces(&shop.ask(&request("`retry_request`")));
    shop.repository.release_cache();
    assert_eq!(pieces(&shop.ask(&request("`retry_request`"))), before);
}
