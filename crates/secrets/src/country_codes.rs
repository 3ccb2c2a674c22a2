//! Tables of countries: `"PT": "Portugal", "PW": "Palau"`. In them `PW` is a country, not a
//! password. Checks only the name, not the value.

use std::ops::Range;

/// Maximum distance of other codes before and after the name.
const REACH: usize = 240;

/// Minimum number of other codes in a table.
const OTHERS: usize = 2;

/// The lower-case codes of ISO 3166, without `id` and `pw`, which are also names of settings.
const CODES: &[u8; 247 * 2] = b"\
    adaeafagaialamaoaqarasatauawaxazbabbbdbebfbgbhbibjblbmbnbobqbrbsbtbvbwbybzcacccdcfcgchcick\
    clcmcncocrcucvcwcxcyczdedjdkdmdodzeceeegeheresetfifjfkfmfofrgagbgdgegfggghgiglgmgngpgqgrgs\
    gtgugwgyhkhmhnhrhthuieiliminioiqirisitjejmjojpkekgkhkikmknkpkrkwkykzlalblclilklrlsltlulvly\
    mamcmdmemfmgmhmkmlmmmnmompmqmrmsmtmumvmwmxmymznancnenfngninlnonpnrnunzompapepfpgphpkplpmpn\
    prpsptpyqarerorsrurwsasbscsdsesgshsisjskslsmsnsosrssstsvsxsysztctdtftgthtjtktltmtntotrtttv\
    twtzuaugumusuyuzvavcvevgvivnvuwfwsyeytzazmzw";

/// Returns true if the name at `name` is `PW` or `pw` among the codes of other countries.
pub(crate) fn is_country(bytes: &[u8], name: &Range<usize>) -> bool {
    let is_upper = match &bytes[name.clone()] {
        b"PW" => true,
        b"pw" => false,
        _ => return false,
    };
    let from = name.start.saturating_sub(REACH);
    let near = &bytes[from..bytes.len().min(name.end + REACH)];
    let is_letter = |at: usize| near.get(at).is_some_and(u8::is_ascii_alphanumeric);
    let mut codes = Vec::new();
    for at in 0..near.len().saturating_sub(2) {
        let is_whole = !is_letter(at + 2) && (at == 0 || !is_letter(at - 1));
        let code = [near[at], near[at + 1]];
        let is_code = is_whole
            && code.iter().all(u8::is_ascii_alphabetic)
            && code
                .iter()
                .all(|byte| byte.is_ascii_uppercase() == is_upper)
            && is_known(code)
            && begins_value(&near[at + 2..]);
        if is_code && !codes.contains(&code) {
            codes.push(code);
        }
    }
    codes.len() >= OTHERS || codes.len() == 1 && has_two_members(near)
}

fn is_known(code: [u8; 2]) -> bool {
    let lower = code.map(|byte| byte.to_ascii_lowercase());
    CODES.chunks_exact(2).any(|one| one == lower)
}

/// Matches the text after a code in a table: a quote, then the start of its value.
fn begins_value(rest: &[u8]) -> bool {
    let rest = match rest {
        [b'"' | b'\'' | b'`', rest @ ..] => rest,
        _ => rest,
    };
    let sign = rest.iter().find(|byte| **byte != b' ' && **byte != b'\t');
    matches!(sign, Some(b':' | b'=' | b',' | b'|' | b';'))
}

/// Matches a table of only two countries, with nothing else in the text.
fn has_two_members(text: &[u8]) -> bool {
    text.iter().filter(|byte| b":=".contains(byte)).count() <= 4
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn countries_and_passwords() {
        for (text, expected) in [
            (
                "{\"PT\": \"Portugal\", \"PW\": \"Palau\", \"PY\": \"Paraguay\"}",
                true,
            ),
            ("PS=Palestine\nPT=Portugal\nPW=Palau\n", true),
            ("  pt: \"+351\"\n  pw: \"+680\"\n  py: \"+595\"\n", true),
            ("['PT' => 'Portugal', 'PW' => 'Palau']", true),
            (
                "{\"ID\": \"joe\", \"PW\": \"kiwi88\", \"DB\": \"shop\"}",
                false,
            ),
            ("USER=joe\nPW=kiwi88\nHOST=db\n", false),
            ("user: joe\npw: kiwi88\nmy: 1\nhost: a.de\nport: 1\n", false),
        ] {
            let start = text.find("PW").or(text.find("pw")).unwrap();
            let found = is_country(text.as_bytes(), &(start..start + 2));
            assert_eq!(found, expected, "{text}");
        }
    }
}
