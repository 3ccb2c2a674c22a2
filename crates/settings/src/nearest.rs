//! Finds the valid name nearest to a wrong one, if one is near.

/// Returns the candidate nearest to `wrong`, the first among equals.
pub(crate) fn nearest<'a>(
    wrong: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    // A hostile file could cause much work with a long text, because it is compared with every
    // candidate, and none of our names is that long.
    if wrong.len() > 100 {
        return None;
    }
    let wrong = wrong.to_lowercase();
    let distance = |candidate: &str| strsim::damerau_levenshtein(&wrong, &candidate.to_lowercase());
    candidates
        .into_iter()
        .map(|candidate| (distance(candidate), candidate))
        .filter(|&(distance, candidate)| distance <= tolerance(candidate))
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

/// Returns the tolerated number of edits: a third of the letters, as in rustc's suggestions, and
/// one for a word of one to three letters.
fn tolerance(candidate: &str) -> usize {
    (candidate.chars().count() / 3).max(1)
}
