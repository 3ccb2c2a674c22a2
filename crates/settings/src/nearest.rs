//! The right name nearest to a wrong one, or none where nothing is near.

/// The candidate nearest to `wrong`, the first among equals.
pub(crate) fn nearest<'a>(
    wrong: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    // Measuring a long text against every candidate is work a hostile file
    // could ask for, and no name of ours is that long.
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

/// A third of the letters may be wrong, as in rustc's suggestions; a word of one
/// to three letters may have one wrong.
fn tolerance(candidate: &str) -> usize {
    (candidate.chars().count() / 3).max(1)
}
