//! Limits of answers, and statements about missing parts.

use infiniloom::{Infiniloom, Redactor};

use super::*;

fn model() -> Model {
    Infiniloom::new().model("gpt-4o").unwrap()
}

fn piece(at: usize) -> Piece {
    let mut piece = Piece::new(format!("src/{at}.rs"));
    piece.quote(&Quoted {
        text: format!("{at}| let x = {at};"),
        is_cut: false,
    });
    piece.of(Source::lines(format!("src/{at}.rs"), at, at + 1))
}

#[test]
fn every_limit_is_kept_and_what_is_left_out_is_told() {
    let (model, redactor) = (model(), Redactor::default());
    let limits = [30, 60, 100, 150, 300, 600, 3000];
    let forms = [AnswerForm::Text, AnswerForm::Data];
    for (limit, form) in limits
        .iter()
        .flat_map(|limit| forms.map(|form| (*limit, form)))
    {
        let mut answer = Answer::new("Lines with \"x\":").more("ask for fewer");
        (0..80).for_each(|at| answer.push(piece(at)));
        let fitted = answer.form(form).fit(limit, &redactor, &model);
        let tokens = model.count(&fitted.text).upper();
        assert_eq!(fitted.data["tokens"], tokens);
        assert_eq!(fitted.data["truncated"], limit < 3000, "{limit}");
        let content = fitted.content();
        let sent = model.count(&content).upper();
        assert!(sent <= limit, "{sent} > {limit}");
        assert_eq!(content == fitted.text, form == AnswerForm::Text);
        if limit >= 100 {
            assert!(sent * 10 >= limit * 8 || limit == 3000, "{sent}");
            assert!(!fitted.data["sources"].as_array().unwrap().is_empty());
            let is_told = fitted.text.contains(" more left out; ask for fewer\n");
            assert_eq!(is_told, limit < 3000, "{}", fitted.text);
        }
    }
}

#[test]
fn whatever_is_missing_is_said() {
    let truncated = |answer: Answer| {
        let fitted = answer
            .more("ask again")
            .fit(1000, &Redactor::default(), &model());
        // Whoever is told that something is missing is told how to get it.
        let is_told = fitted.text.contains("ask again") || fitted.text.contains("`read`");
        assert_eq!(fitted.data["truncated"], is_told, "{}", fitted.text);
        fitted.data["truncated"].clone()
    };
    assert_eq!(truncated(Answer::new("All of it")), false);
    assert_eq!(truncated(Answer::new("Some of it").cut(true)), true);
    let mut answer = Answer::new("A long line:");
    let mut piece = piece(1);
    piece.quote(&Quoted {
        text: "2| long…".to_owned(),
        is_cut: true,
    });
    answer.push(piece);
    assert_eq!(truncated(answer), true);
}

#[test]
fn what_is_wrong_is_bounded() {
    let model = model();
    let long = "é wrong ".repeat(100_000);
    let told = bounded(long.clone(), 100, &model);
    let tokens = model.count(&told).upper();
    assert!(tokens <= 100 && tokens > 90, "{tokens}");
    assert!(long.starts_with(&told));
    assert_eq!(bounded("short".to_owned(), 100, &model), "short");
}

/// A name can look like a line of a file.
#[test]
fn names_are_told_without_secrets() {
    // Put together so that this file holds none.
    let secret = concat!("ghp_", "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx");
    let mut answer = Answer::new(format!("Definitions of {secret}:"));
    let mut piece = Piece::new(format!("keys/{secret}/a.py (in {secret})"));
    piece.quote(&Quoted {
        text: format!("1| {secret}"),
        is_cut: false,
    });
    answer.push(Piece::new(format!("12| {secret}.py")));
    answer.push(piece.of(Source::lines(format!("keys/{secret}/a.py"), 1, 1)));
    let fitted = answer.fit(1000, &Redactor::default(), &model());
    // A line of a file comes here as the settings want it.
    let without = fitted.text.replace(&format!("\n1| {secret}"), "");
    assert!(!without.contains(secret), "{without}");
    assert!(
        !fitted.data["sources"].to_string().contains(secret),
        "{}",
        fitted.data
    );
}

/// Multi-byte text fills the limit of a client, and the statement says how to get the rest.
#[test]
fn limit_of_the_client_is_kept_beside_the_tokens() {
    let (model, redactor) = (model(), Redactor::default());
    let by_characters = ClientLimits {
        characters: Some(3000),
        ..ClientLimits::default()
    };
    let by_bytes = ClientLimits {
        bytes: Some(3000),
        ..ClientLimits::default()
    };
    for (limits, unit) in [(by_characters, "characters"), (by_bytes, "bytes")] {
        for form in [AnswerForm::Text, AnswerForm::Data] {
            let mut answer = Answer::new("Files:").more("raise `budget`");
            for at in 0..300 {
                let mut piece = Piece::new(format!("file| größe{at}.rs"));
                piece.quote(&Quoted {
                    text: format!("1| let größe = \"字字字字 {at}\";"),
                    is_cut: false,
                });
                answer.push(piece.of(Source::lines(format!("größe{at}.rs"), 1, 1)));
            }
            let fitted = answer
                .form(form)
                .limits(limits)
                .fit(50_000, &redactor, &model);
            let sent = fitted.content();
            let size = match unit {
                "bytes" => sent.len(),
                _ => sent.chars().count(),
            };
            assert!(size <= 3000 && size > 2600, "{size} {unit}");
            let first = fitted.text.lines().next().unwrap();
            let told = format!(" more left out (this client passes on 3,000 {unit}); ask for less");
            assert!(
                first.starts_with("partial: ") && first.contains(&told),
                "{first}"
            );
        }
    }
    // Tokens are the smaller limit: more of them help.
    let mut answer = Answer::new("Files:").more("raise `budget`");
    (0..300).for_each(|at| answer.push(piece(at)));
    let text = answer.limits(by_bytes).fit(200, &redactor, &model).text;
    assert!(
        text.lines()
            .next()
            .unwrap()
            .ends_with("left out; raise `budget`"),
        "{text}"
    );
}
