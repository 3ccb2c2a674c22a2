//! Skips a text because of its appearance.

use loom_engine::{Decoding, TextInspection};
use loom_source::{Decoded, FoundFile, Reason};

use crate::PackOptions;

/// Returns the reason for skipping a file with this text, if there is one.
pub(crate) fn left_out_by_looks(
    text: &TextInspection,
    file: &FoundFile,
    options: &PackOptions,
) -> Option<Reason> {
    // A file that the user includes is packed even if it looks minified or like an earlier pack.
    let guesses = options.scan.default_ignore && !file.wanted;
    if text.is_pointer {
        Some(Reason::LfsPointer)
    } else if text.is_earlier_pack && !file.wanted {
        Some(Reason::EarlierPack)
    } else if text.is_minified && guesses {
        Some(Reason::Minified)
    } else {
        None
    }
}

/// Describes the differences between a decoded text and its bytes.
pub(crate) fn decoding(decoded: &Decoded) -> Decoding {
    Decoding {
        encoding: (!decoded.encoding.is_plain()).then(|| decoded.encoding.to_string()),
        replaced: decoded.replaced,
    }
}

#[cfg(test)]
mod tests {
    use loom_base::RepoPath;
    use loom_testkit::Sandbox;

    use super::*;
    use crate::Packer;

    fn check(text: &str, expected: &[Option<Reason>; 3]) {
        let sandbox = Sandbox::new();
        sandbox.write("a.js", text);
        let packer = Packer::open(&[sandbox.work()], PackOptions::default()).unwrap();
        let mut file = packer.source.scan(&packer.options.scan).files.remove(0);
        let path = RepoPath::new("a.js").unwrap();
        let look = TextInspection::new(&path, text, None, Decoding::default());
        let usual = packer.options.clone();
        let mut without_rules = usual.clone();
        without_rules.scan.default_ignore = false;
        let found = [
            left_out_by_looks(&look, &file, &usual),
            left_out_by_looks(&look, &file, &without_rules),
            {
                file.wanted = true;
                left_out_by_looks(&look, &file, &usual)
            },
        ];
        assert_eq!(&found, expected, "{}", &text[..text.len().min(40)]);
    }

    /// By the rules, without the built-in ones, and if the user includes the file.
    #[test]
    fn looks_skip_a_file_unless_the_user_includes_it() {
        check("var a = 1;\n", &[None, None, None]);
        let minified = "var a=1;".repeat(2_000);
        check(&minified, &[Some(Reason::Minified), None, None]);
        let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n";
        check(pointer, &[(); 3].map(|()| Some(Reason::LfsPointer)));
    }

    #[test]
    fn decoding_is_described_if_it_changed_the_bytes() {
        let of = |bytes: &[u8]| decoding(&loom_source::decode(bytes.to_vec()).unwrap());
        assert_eq!(of(b"plain"), Decoding::default());
        assert_eq!(
            of(b"caf\xe9 cr\xe8me\n").encoding.as_deref(),
            Some("windows-1252")
        );
        assert_eq!(
            of(b"\xef\xbb\xbfa").encoding.as_deref(),
            Some("utf-8 with BOM")
        );
    }
}
