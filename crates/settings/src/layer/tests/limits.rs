//! Limits for a repository's file, which must not cause a long run.

use super::*;

/// Each glob is compared with every path: a repository's file must not choose how many thousands of
/// them there are; the user may.
#[test]
fn repository_file_has_at_most_a_thousand_globs_and_rules() {
    let globs = |count: usize| {
        let globs: Vec<_> = (0..count).map(|at| format!("\"a{at}\"")).collect();
        format!("[scan]\nexclude = [{}]\n", globs.join(", "))
    };
    let rules = |count: usize| "[[compress]]\nmatch = \"a\"\nlevel = \"none\"\n".repeat(count);
    let transforms =
        |count: usize| "[[transform]]\npattern = \"a\"\naction = \"include\"\n".repeat(count);
    for text in [globs(1_000), rules(1_000), transforms(1_000)] {
        assert!(repository(&text).is_ok());
    }
    for text in [globs(1_001), rules(1_001), transforms(1_001)] {
        assert!(user(&text).is_ok());
    }
    check_wrong(
        &globs(1_001),
        "repo.toml:2:11: `scan.exclude`: expected at most 1000 globs in a repository's file, \
         found 1001",
    );
    check_wrong(
        &rules(1_001),
        "repo.toml:1:3: `compress`: expected at most 1000 rules in a repository's file, \
         found 1001",
    );
    check_wrong(
        &transforms(1_001),
        "repo.toml:1:3: `transform`: expected at most 1000 rules in a repository's file, \
         found 1001",
    );
}

/// Numbers that would stall a run, or have no meaning, are rejected with their range.
#[test]
fn repository_file_cannot_set_numbers_outside_their_range() {
    for (text, expected) in [
        (
            "[run]\nthreads = 1000000",
            "repo.toml:2:11: `run.threads`: expected a whole number from 0 to 1024, found 1000000",
        ),
        (
            "[context]\nthreshold = nan",
            "repo.toml:2:13: `context.threshold`: expected a number from 0 to 1, \
             found the float NaN",
        ),
        (
            "[map]\nfile_size = inf",
            "repo.toml:2:13: `map.file_size`: expected a number from 0 to 1, found the float inf",
        ),
        (
            "[pack]\nbudget = 9223372036854775807",
            "repo.toml:2:10: `pack.budget`: expected a number of tokens such as 8000, 100k or \
             1.5m, found 9223372036854775807",
        ),
        (
            "[pack]\nbudget = \"99999999999999999999m\"",
            "repo.toml:2:10: `pack.budget`: expected a number of tokens such as 8000, 100k or \
             1.5m, found \"99999999999999999999m\"",
        ),
        (
            "[scan]\nmax_file_size = \"99999999tb\"",
            "repo.toml:2:17: `scan.max_file_size`: expected a size such as 500000, 500k, 10mb or \
             1gib, found \"99999999tb\"",
        ),
        (
            "[scan]\nmax_file_size = \"33mb\"",
            "repo.toml:2:17: `scan.max_file_size`: expected at most 32mb in a repository's file, \
             found \"33mb\"; set it in your own infiniloom.toml or with --max-file-size",
        ),
        (
            "[run]\nmax_memory = \"1tb\"",
            "repo.toml:2:14: `run.max_memory`: expected at most 256mb in a repository's file, \
             found \"1tb\"; set it in your own infiniloom.toml or with --max-memory",
        ),
    ] {
        check_wrong(text, expected);
    }
}
