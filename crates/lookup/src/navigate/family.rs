//! Languages whose code uses each other's names.

/// Groups of languages whose code calls each other by the same names.
const FAMILIES: &[&[&str]] = &[
    &["c", "cpp", "objective-c"],
    &[
        "javascript",
        "jsx",
        "typescript",
        "tsx",
        "vue",
        "svelte",
        "html",
    ],
    &["java", "kotlin", "scala"],
];

/// Returns true if code in one language can use a name of the other.
pub(super) fn is_related(one: &str, other: &str) -> bool {
    let share = |family: &&&[&str]| family.contains(&one) && family.contains(&other);
    one == other || FAMILIES.iter().any(|family| share(&family))
}
