//! Tables of countries: `"PT": "Portugal", "PW": "Palau"`. There `PW` is a country and no
//! password. Says where the short name stands among such codes; judges no value.

use std::ops::Range;

/// How far before and behind the name other codes are looked for.
const REACH: usize = 240;

/// The other codes that make a table.
const OTHERS: usize = 2;

/// The codes of ISO 3166 in small letters, without `id` and `pw`, which settings have too.
const CODES: &[u8; 247 * 2] = b"\
    adaeafagaialamaoaqarasatauawaxazbabbbdbebfbgbhbibjblbmbnbobqbrbsbtbvbwbybzcacccdcfcgchcick\
    clcmcncocrcucvcwcxcyczdedjdkdmdodzeceeegeheresetfifjfkfmfofrgagbgdgegfggghgiglgmgngpgqgrgs\
    gtgugwgyhkhmhnhrhthuieiliminioiqirisitjejmjojpkekgkhkikmknkpkrkwkykzlalblclilklrlsltlulvly\
    mamcmdmemfmgmhmkmlmmmnmompmqmrmsmtmumvmwmxmymznancnenfngninlnonpnrnunzompapepfpgphpkplpmpn\
    prpsptpyqarerorsrurwsasbscsdsesgshsisjskslsmsnsosrssstsvsxsysztctdtftgthtjtktltmtntotrtttv\
    twtzuaugumusuyuzvavcvevgvivnvuwfwsyeytzazmzw";

/// Says whether the name at `name` is `PW` or `pw` among the codes of other countries.
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
            && code.iter().all(|byte| byte.is_ascii_alphabetic())
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

/// What stands behind a code in a table: a quote, then a sign that its value follows.
fn begins_value(rest: &[u8]) -> bool {
    let rest = match rest {
        [b'"' | b'\'' | b'`', rest @ ..] => rest,
        _ => rest,
    };
    let sign = rest.iter().find(|byte| **byte != b' ' && **byte != b'\t');
    matches!(sign, Some(b':' | b'=' | b',' | b'|' | b';'))
}

/// A table may be as short as one country beside this one: nothing else is in the text.
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
