//! The licences and origins of the vocabularies, which every distribution must contain.

/// Each text with its name: the origins, then the licences.
pub const NOTICES: &[(&str, &str)] = &[
    ("README.md", include_str!("../data/README.md")),
    ("LICENSE-tiktoken", include_str!("../data/LICENSE-tiktoken")),
    ("LICENSE-glm", include_str!("../data/LICENSE-glm")),
    ("LICENSE-deepseek", include_str!("../data/LICENSE-deepseek")),
    ("LICENSE-unicode", include_str!("../data/LICENSE-unicode")),
    ("LICENSE-APACHE", include_str!("../LICENSE-APACHE")),
];
