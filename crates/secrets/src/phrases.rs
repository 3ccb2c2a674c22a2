//! Pass phrases: `correct horse battery staple`. Distinguishes random words from the texts that
//! programs show next to a password field.

use crate::words::WordList;

/// Number of words in a phrase.
const WORDS: std::ops::RangeInclusive<usize> = 3..=8;

/// Minimum length of a phrase.
const SHORTEST: usize = 12;

/// Returns true if `value` is a few lower-case words, optionally with numbers between them, none of
/// which is typical of a sentence or a label.
pub(crate) fn is_pass_phrase(value: &[u8]) -> bool {
    let words = || value.split(|byte| *byte == b' ');
    let is_part = |word: &[u8]| {
        let letters = word.iter().take_while(|byte| byte.is_ascii_lowercase());
        let letters = letters.count();
        let is_number = letters == 0 && word.len() <= 4;
        !word.is_empty()
            && word[letters..].iter().all(u8::is_ascii_digit)
            && (is_number || letters >= 2)
    };
    let long = words().filter(|word| word.len() >= 3 && word[0].is_ascii_lowercase());
    value.len() >= SHORTEST
        && value.len() <= 80
        && WORDS.contains(&words().count())
        && words().all(is_part)
        && long.count() >= 2
        && !words().any(is_of_sentence)
}

/// Returns true for a word that joins others, or that texts about passwords contain.
fn is_of_sentence(word: &[u8]) -> bool {
    const JOINING: WordList = WordList::new(
        "an the this that these those is are was were be been to of in on at by for from with \
         without and or nor not no if when then than as it its your you our my me we us they \
         their he she please must should shall can cannot could may might will would do does did \
         has have had only all any each every into onto over under about after before between \
         during up down out off so but because more most less least too very via per",
    );
    const LABELS: WordList = WordList::new(
        "enter type typed choose select insert provide provided set unset reset change changed \
         create created new old current confirm repeat again verify validate invalid valid wrong \
         incorrect missing required optional expired forgot forgotten show hide save saved login \
         log sign signup register submit click here field fields value values text string name \
         names user users username email account accounts password passwords passphrase \
         passphrases secret secrets token tokens key keys code hash hashed file path default \
         example sample test dummy number length min max chars characters letters digits strong \
         weak error failed fails failure success encrypted encryption protected authentication \
         admin database server client request response input output returns return get",
    );
    JOINING.has(word) || LABELS.has(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pass_phrases_are_distinguished_from_texts() {
        for (value, expected) in [
            ("correct horse battery staple", true),
            ("purple monkey dishwasher", true),
            ("seven wet otters sing 7", true),
            ("keyboard cat 2021 prod", true),
            ("enter your passphrase", false),
            ("forgot password link", false),
            ("passwords do not match", false),
            ("at least eight characters", false),
            ("Purple Monkey Dishwasher", false),
            ("two words", false),
            ("one two", false),
            ("a b c d e", false),
            ("what is this", false),
        ] {
            assert_eq!(is_pass_phrase(value.as_bytes()), expected, "{value}");
        }
    }
}
