"""Tests of the scoring: `python3 benchmarks/secrets/test_score.py`.

All labels are made up, and no scanner is run.
"""

import json
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import bench as running
import creddata
import examples
import measure
import quality
import run
import scanners
import score
import speed
from score import Finding, Label

FILE = "data/0123abcd/src/a.py"


def label(first: int, truth: str, categories: str = "Password", last: int = 0) -> Label:
    return Label(FILE, first, last or first, truth == "T", tuple(categories.split(":")))


def finding(first: int, last: int = 0, path: str = FILE) -> Finding:
    return Finding(path, first, last or first)


def counts(result: score.Counts) -> tuple[int, int, int]:
    return result.right, result.wrong, result.missed


class ByLabel(unittest.TestCase):
    def check(self, labels, findings, expected, **options) -> score.Score:
        result = score.by_label(labels, findings, **options)
        self.assertEqual(counts(result.total), expected)
        return result

    def test_the_label_of_the_line_decides(self):
        labels = [label(1, "T"), label(2, "F"), label(3, "T"), label(4, "X")]
        self.check(labels, [finding(1), finding(2), finding(4)], (1, 2, 1))

    def test_a_line_without_a_label_counts_nowhere(self):
        result = self.check([label(1, "T")], [finding(9)], (0, 0, 1))
        self.assertEqual(result.unlabelled, 1)

    def test_a_place_counts_once(self):
        self.check([label(1, "T", last=3)], [finding(1), finding(2), finding(3)], (1, 0, 0))

    def test_of_two_secrets_on_a_line_one_is_found(self):
        self.check([label(1, "T"), label(1, "T", "Token")], [finding(1)], (1, 0, 1))

    def test_the_first_label_of_a_line_goes_before_the_second(self):
        self.check([label(1, "F"), label(1, "T")], [finding(1)], (0, 1, 1))

    def test_identifiers_can_be_left_out(self):
        labels = [label(1, "T", "UUID"), label(2, "T", "UUID:Token")]
        found = [finding(1)]
        self.check(labels, found, (1, 0, 1))
        result = self.check(labels, found, (0, 0, 1), identifiers=False)
        self.assertEqual(result.unlabelled, 0)

    def test_equal_labels_are_two(self):
        self.check([label(1, "T"), label(1, "T")], [finding(1)], (1, 0, 1))


class ByLine(unittest.TestCase):
    def check(self, labels, findings, expected, **options) -> score.Score:
        result = score.by_line(labels, findings, **options)
        self.assertEqual(counts(result.total), expected)
        return result

    def test_what_is_not_a_secret_is_wrong_with_or_without_a_label(self):
        result = self.check([label(1, "T"), label(2, "F")], [finding(2), finding(9)], (0, 2, 1))
        self.assertEqual(result.unlabelled, 1)
        self.assertEqual(counts(result.categories[score.UNLABELLED]), (0, 1, 0))

    def test_two_secrets_on_a_line_are_one(self):
        labels = [label(1, "T", "Password:Auth"), label(1, "T", "Token")]
        result = self.check(labels, [finding(1)], (1, 0, 0))
        self.assertEqual(set(result.categories), {"Password", "Auth", "Token"})

    def test_any_line_of_a_block_will_do(self):
        block = [label(10, "T", "Private Key", last=20)]
        self.check(block, [finding(15)], (1, 0, 0))
        self.check(block, [finding(8, 12)], (1, 0, 0))
        self.check(block, [finding(21)], (0, 1, 1))

    def test_a_line_is_wrong_once(self):
        self.check([label(1, "F")], [finding(1), finding(1, 2)], (0, 1, 0))

    def test_a_finding_of_an_identifier_is_not_wrong_when_they_are_left_out(self):
        self.check([label(1, "T", "UUID")], [finding(1)], (0, 0, 0), identifiers=False)


class Reading(unittest.TestCase):
    def test_precision_recall_and_f1(self):
        some = score.Counts(right=3, wrong=1, missed=3)
        self.assertEqual((some.precision(), some.recall()), (0.75, 0.5))
        self.assertAlmostEqual(some.f1(), 0.6)
        self.assertEqual(score.Counts().f1(), 0.0)

    def test_findings_are_cut_to_the_repositories_asked_for(self):
        some = [
            finding(1, path="/home/a/set/" + FILE),
            finding(1, path=FILE),
            finding(1, path="data/ffffffff/a.py"),
            finding(1, path="data/0123abcd/LICENSE.txt"),
            finding(1, path="elsewhere"),
        ]
        self.assertEqual(score.within(some, ["0123abcd"]), [finding(1)])

    def test_lines_of_json(self):
        lines = ['{"path": "a", "line": 3}', "", '{"path": "a", "line": 3, "line_end": 5}']
        self.assertEqual(score.read_findings(lines), [Finding("a", 3, 3), Finding("a", 3, 5)])

    def test_rows_of_the_labels(self):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "0123abcd.csv").write_text(
                "Id,FilePath,LineStart,LineEnd,GroundTruth,Category\n"
                f"1,{FILE},4,6,T,Password:Token\n2,{FILE},8,8,F,UUID\n"
            )
            labels = score.read_labels(Path(folder), ["0123abcd"])
        expected = [label(4, "T", "Password:Token", last=6), label(8, "F", "UUID")]
        self.assertEqual(labels, expected)


class Splitting(unittest.TestCase):
    def test_by_hash_of_the_name(self):
        # By hand: `printf %s NAME | sha256sum`, the last digit.
        self.assertEqual(creddata.half("a/a"), "tune")
        self.assertEqual(creddata.half("a/c"), "held")
        self.assertIsNone(creddata.half("a/b"))

    def test_every_second_one_is_only_measured(self):
        self.assertEqual(creddata.only_measured(["d", "a", "c", "b"]), {"b", "d"})

    def test_the_id_is_the_checksum_of_the_key(self):
        self.assertEqual(creddata.identifier("00"), "d202ef8d")


class Recording(unittest.TestCase):
    def test_paths_are_named_as_in_the_labels(self):
        for path in ("0123abcd/src/a.py", "./0123abcd/src/a.py", "/set/data/0123abcd/src/a.py"):
            self.assertEqual(quality.named(finding(1, path=path), Path("/set/data")), FILE)

    def test_categories_come_with_the_counts_of_every_scanner(self):
        labels = [label(1, "T", "Token"), label(2, "T"), label(3, "T")]
        scores = [quality.score_all(labels, [finding(1)]), quality.score_all(labels, [])]
        table = quality.categories(scores, "line")
        expected = {"Password": [[0, 0, 2], [0, 0, 2]], "Token": [[1, 0, 0], [0, 0, 1]]}
        self.assertEqual(list(table.items()), list(expected.items()))

    def test_json_is_json(self):
        value = {"a": {"b": [1, 2], "c": "x" * 200}, "d": {}}
        self.assertEqual(json.loads(run.pretty(value)), value)


class Timing(unittest.TestCase):
    def test_what_failed_or_took_long_is_not_repeated(self):
        def fails():
            raise running.Failed("stopped")

        failing = speed.Timed(fails)
        failing.go()
        self.assertFalse(failing.is_open())
        self.assertEqual(speed.times(failing, failing), {"trouble": "stopped"})
        for wall, expected in ((1.0, True), (speed.LONG + 1.0, False)):
            timed = speed.Timed(lambda wall=wall: measure.Run(wall, 0.5, 0, 0, False))
            timed.go()
            self.assertEqual(timed.is_open(), expected)

    def test_the_least_of_all_rounds(self):
        rounds = iter([measure.Run(2.0, 3.0, 9_000_000, 0, False),
                       measure.Run(4.0, 1.0, 5_000_000, 0, False)])
        timed = speed.Timed(lambda: next(rounds))
        timed.go()
        timed.go()
        floor = speed.Timed(lambda: None, [measure.Run(0.5, 0.5, 0, 0, False)])
        figures = speed.rates(timed, floor, 8_000_000)
        self.assertEqual(
            (figures["wall_s"], figures["cpu_s"], figures["times_floor"], figures["mb_per_s"],
             figures["mb_per_cpu_s"], figures["peak_mb"]),
            (2.0, 1.0, 4.0, 4.0, 8.0, 9),
        )


class Understanding(unittest.TestCase):
    """What scanners print, in small."""

    def check(self, key: str, said: str, expected: list[Finding]) -> None:
        scanner = next(one for one in scanners.ALL if one.key == key)
        self.assertEqual(list(scanner.read(said)), expected)

    def test_ours(self):
        said = {"findings": [{"path": "a.py", "line": 2, "end_line": 4, "column": 1}]}
        self.check("infiniloom", json.dumps(said), [Finding("a.py", 2, 4)])

    def test_kingfisher(self):
        found = {"finding": {"path": "a.py", "line": 2, "snippet": "x\ny"}, "rule": {}}
        said = json.dumps(found) + "\n" + json.dumps({"findings": 1})
        self.check("kingfisher", said, [Finding("a.py", 2, 3)])

    def test_ripsecrets(self):
        said = "a b.py:12:password = 'x:3:y'\n\x1b[35mc.py\x1b[0m:\x1b[32m3\x1b[0m:z\n1 of 2\n"
        self.check("ripsecrets", said, [Finding("a b.py", 12, 12), Finding("c.py", 3, 3)])

    def test_secretlint(self):
        spot = {"start": {"line": 2, "column": 0}, "end": {"line": 5, "column": 1}}
        said = json.dumps([{"filePath": "a.py", "messages": [{"loc": spot}]}])
        self.check("secretlint", said, [Finding("a.py", 2, 5)])

    def test_detect_secrets(self):
        said = json.dumps({"results": {"a.py": [{"line_number": 7, "type": "x"}]}})
        self.check("detect-secrets", said, [Finding("a.py", 7, 7)])
        line = json.dumps({"path": "a.py", "line": 7})
        self.check("detect-secrets-every", line + "\n", [Finding("a.py", 7, 7)])


class Examples(unittest.TestCase):
    def test_lines_of_json(self):
        rules = [
            {"id": "a", "examples": ["x", "y"], "negative_examples": ["z"]},
            {"id": "b", "examples": None},
        ]
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "rules.jsonl")
            file.write_text("\n".join(json.dumps(rule) for rule in rules))
            self.assertEqual(examples.read(file), {"positive": ["x", "y"], "negative": ["z"]})


if __name__ == "__main__":
    unittest.main()
