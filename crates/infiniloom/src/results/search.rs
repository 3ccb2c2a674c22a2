//! Matching lines and ranked hits of a search.

use loom_host::{FileHits, HitLine, RankedHit, Searched};
use loom_wire::{
    FORMAT_VERSION, FileMatchInfo, MatchInfo, RankedHitInfo, RankedInfo, SearchSummary,
};

use super::rounding::to_six_decimals;

/// Describes every matching line of a file, with up to `before` and `after` lines around it.
pub fn line_infos(
    file: &FileHits,
    before: usize,
    after: usize,
) -> impl Iterator<Item = MatchInfo> + '_ {
    let path = file.path.display();
    let lines = file.lines.iter().enumerate();
    let matches = lines.filter(|(_, line)| line.is_match);
    matches.map(move |(at, line)| {
        let mut lines_before = around(file.lines[..at].iter().rev(), line.line, before);
        lines_before.reverse();
        let places = line.places.iter();
        MatchInfo {
            path: path.clone().into_owned(),
            line: line.line,
            column: line.column,
            text: line.text.clone(),
            places: places.map(|place| (place.start, place.end)).collect(),
            symbol: line.symbol.clone(),
            score: file.score.map(to_six_decimals),
            before: lines_before,
            after: around(file.lines[at + 1..].iter(), line.line, after),
        }
    })
}

/// Describes a file that matches, without its lines.
pub fn file_info(file: &FileHits) -> FileMatchInfo {
    FileMatchInfo {
        path: file.path.display().into_owned(),
        lines: None,
    }
}

/// Describes a file that matches, with the number of its matching lines.
pub fn count_info(file: &FileHits) -> FileMatchInfo {
    FileMatchInfo {
        lines: Some(file.count),
        ..file_info(file)
    }
}

/// Sums up a search.
pub fn summary(searched: &Searched) -> SearchSummary {
    SearchSummary {
        files: searched.files,
        lines: searched.lines,
        cut: searched.is_cut,
    }
}

/// Describes the ranked hits of a question.
pub fn ranked_info(hits: &[RankedHit]) -> RankedInfo {
    let hits = hits.iter().map(|hit| RankedHitInfo {
        path: hit.path.display().into_owned(),
        start_line: hit.start_line,
        end_line: hit.end_line,
        symbol: hit.symbol.clone(),
        score: to_six_decimals(hit.score),
    });
    RankedInfo {
        format_version: FORMAT_VERSION,
        hits: hits.collect(),
        notices: Vec::new(),
    }
}

/// Returns the texts of `lines`, the nearest first, that are at most `limit` lines from line
/// `from`. It stops at the first line that is farther: a file may have very many.
fn around<'l>(lines: impl Iterator<Item = &'l HitLine>, from: usize, limit: usize) -> Vec<String> {
    let near = lines.take_while(|line| line.line.abs_diff(from) <= limit);
    near.map(|line| line.text.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn context_stops_at_the_first_line_that_is_too_far() {
        let line = |number: usize| HitLine {
            line: number,
            column: 1,
            text: number.to_string(),
            places: Vec::new(),
            symbol: None,
            is_match: true,
            has_secret: false,
        };
        let lines: Vec<HitLine> = [7, 8, 12].map(line).into();
        let farther = std::iter::from_fn(|| panic!("read too far"));
        let chained = lines.iter().chain(farther);
        assert_eq!(around(chained, 6, 2), ["7", "8"]);
        assert_eq!(around(lines[..2].iter().rev(), 9, 1), ["8"]);
        assert_eq!(around(lines.iter(), 6, 0), [""; 0]);
    }
}
