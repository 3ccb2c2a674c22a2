//! Meanings: the units most similar to a question, and embeddings of a service.

use std::sync::Arc;

use loom_host::{
    Cancel, ContextAnswer, ContextBuilder, ContextRepository, ContextRequest, ContextWeights,
    EmbedError, Embedder, Format, Granularity, PackOptions, Packer, Run, Signal,
};
use loom_testkit::Sandbox;

use crate::fixture::{cached, packer, password};

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

fn read(sandbox: &Sandbox, options: PackOptions) -> (Packer, ContextRepository) {
    let packer = packer(sandbox, options);
    let repository = ContextBuilder::new(&packer, &Run::new(), &Cancel::new())
        .build()
        .unwrap();
    (packer, repository)
}

/// Returns the ranked paths.
fn ranked(repository: &ContextRepository, answer: &ContextAnswer) -> Vec<String> {
    let files = &repository.corpus().files;
    let ranked = answer.selection.files.iter();
    ranked
        .map(|one| files[one.number as usize].path.display().into_owned())
        .collect()
}

#[test]
fn similar_units_are_found_at_every_size_and_marked_if_they_have_a_secret() {
    let sandbox = Sandbox::new();
    sandbox
        .write("src/shop.py", "class Basket:\n    def total_price(self):\n        return sum(item.price for item in self.items)\n\n\ndef open_socket(host, port):\n    connection = connect(host, port)\n    return connection\n")
        .write("src/colour.py", "def blend(left, right):\n    red = left.red + right.red\n    return red\n")
        .write("src/login.py", format!("def login_user(user):\n    password = '{}'\n    return password\n", password()));
    let (packer, repository) = read(&sandbox, PackOptions::default());
    let nearest = |question: &str, of: Granularity| {
        let mut hits = repository.nearest(question, of, 1);
        repository.mark_secrets(&packer, &mut hits);
        hits.into_iter().next()
    };
    let found = |of: Granularity| {
        let hit = nearest("what everything costs together", of).unwrap();
        assert_eq!(hit.path.display(), "src/shop.py");
        (
            hit.symbol.clone(),
            hit.start_line,
            hit.end_line,
            hit.has_secret,
        )
    };
    assert_eq!(found(Granularity::File), (None, 1, 8, false));
    assert_eq!(found(Granularity::Class).0.as_deref(), Some("Basket"));
    assert_eq!(
        found(Granularity::Function),
        (Some("Basket.total_price".to_owned()), 2, 5, false)
    );
    assert_eq!(
        found(Granularity::Chunk).0.as_deref(),
        Some("Basket.total_price")
    );
    assert!(
        nearest("log in a user", Granularity::Function)
            .unwrap()
            .has_secret
    );
    assert!(nearest("???", Granularity::Chunk).is_none());
}

/// Embeds a text by the words that it contains, and counts the texts.
struct Words(std::sync::Mutex<Vec<String>>);

impl Embedder for Words {
    fn id(&self) -> &str {
        "words"
    }

    fn dimensions(&self) -> usize {
        3
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let mut sent = self.0.lock().unwrap();
        sent.extend(texts.iter().map(|text| (*text).to_owned()));
        let vector = |text: &&str| {
            let has = |word: &str| f32::from(u8::from(text.contains(word)));
            vec![has("wait"), has("price"), 0.01]
        };
        Ok(texts.iter().map(vector).collect())
    }
}

/// Each text that is sent costs, so that unchanged files are sent once, and without secrets.
#[test]
fn embeddings_of_a_service_are_cached_and_their_texts_redacted() {
    let sandbox = Sandbox::new();
    let password = password();
    for at in 0..12 {
        let text = format!("def price{at}(part):\n    return part.price * {at}\n");
        sandbox.write(format!("src/part{at}.py"), text);
    }
    sandbox.write(
        "src/backoff.py",
        "def wait_for(attempt):\n    return 2 ** attempt\n",
    );
    sandbox.write(
        "src/key.py",
        format!("def wait_key():\n    password = '{password}'\n    return password\n"),
    );
    let embedder = Arc::new(Words(std::sync::Mutex::default()));
    let ask = || {
        let (packer, repository) = read(&sandbox, cached(&sandbox));
        let request = ContextRequest {
            embedder: Some(Arc::clone(&embedder) as Arc<dyn Embedder>),
            weights: ContextWeights::chosen(&[Signal::Semantic, Signal::Words]),
            ..request(&format!("wait for {password}"))
        };
        let answer = repository.answer(&packer, &request, &Run::new(), &Cancel::new());
        (
            ranked(&repository, &answer.unwrap()),
            std::mem::take(&mut *embedder.0.lock().unwrap()),
        )
    };
    let (files, sent) = ask();
    assert!(
        sent.len() > 2 && sent.iter().all(|text| !text.contains(&password)),
        "{sent:?}"
    );
    assert!(sent[0].contains("[REDACTED:"), "{}", sent[0]);
    let (again, later) = ask();
    assert_eq!(again, files);
    // The question, and the file with the secret, which the cache does not contain.
    assert!(later.len() < sent.len() && later.len() <= 4, "{later:?}");
}
