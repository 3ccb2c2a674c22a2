"""Tests of the scoring and of what the peers share: `python3 benchmarks/localisation/test_score.py`."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import bm25  # noqa: E402
import context  # noqa: E402
import score  # noqa: E402
import tree  # noqa: E402


def task(name, repo, query="it fails"):
    return {"id": name, "repo": repo, "query": query, "gold_files": ["a.py"], "gold_lines": [["a.py", 3, 4]],
            "gold_functions": [{"file": "a.py", "start": 2, "end": 5}]}


def row(name, files, end):
    return {"id": name, "files": files, "hits": [], "contexts": {"8000": [["a.py", 1, end]]}}


def scores(tasks, runs, *flags):
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for name, rows in {"tasks": tasks, **runs}.items():
            paths.append(pathlib.Path(folder) / name)
            paths[-1].write_text("".join(json.dumps(one) + "\n" for one in rows))
        flags = [str(pathlib.Path(folder) / flag) if flag in runs else flag for flag in flags]
        command = [sys.executable, "-B", str(HERE / "score.py"), "--json", "--bench", *map(str, paths[:2]), *flags]
        return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


class Scoring(unittest.TestCase):
    tasks = [task("1", "x"), task("2", "x", "see a.py"), task("3", "y")]
    good = [row(one["id"], ["a.py"], 5) for one in tasks]
    poor = [row("1", ["b.py", "a.py"], 3), row("2", ["tests/test_a.py", "a.py"], 5)]

    def test_lines_functions_and_ranks(self):
        found = score.score(self.tasks[0], self.poor[0])
        self.assertEqual((found["hit@1"], found["hit@3"], found["mrr"]), (0, 1, 0.5))
        self.assertEqual((found["edit@8000"], found["func@8000"]), (0.5, 0))

    def test_test_files_do_not_count(self):
        self.assertEqual(score.score(self.tasks[1], self.poor[1])["hit@1"], 1)

    def test_what_is_not_answered_counts_as_nothing(self):
        every = scores(self.tasks, {"poor": self.poor})[0]
        self.assertEqual((every["hit@1"][0], every["edit@8000"]), (33.3, [50.0]))
        answered = scores(self.tasks, {"poor": self.poor}, "--common")[0]
        self.assertEqual((answered["tasks"], answered["edit@8000"]), (2, [75.0]))

    def test_tasks_that_quote_a_gold_path_are_apart(self):
        groups = {one["group"]: one["tasks"] for one in scores(self.tasks, {"good": self.good})}
        self.assertEqual(groups, {"all": 3, "quoted": 1, "not quoted": 2})

    def test_pairs_are_of_tasks_that_both_answer(self):
        report = scores(self.tasks, {"good": self.good, "poor": self.poor}, "--against", "poor")
        paired = [one for one in report if "against" in one and one["group"] == "all"][0]
        self.assertEqual((paired["tasks"], paired["hit@1"][0], paired["edit@8000"][0]), (2, 50.0, 25.0))
        low, high = paired["hit@1"][1:]
        self.assertTrue(low <= 50 <= high)

    def test_equal_runs_do_not_differ(self):
        report = scores(self.tasks, {"good": self.good}, "--against", "good")
        self.assertEqual(report[-1]["mrr"], [0, 0, 0])


class Peers(unittest.TestCase):
    text = "import a\n\n\ndef one(x):\n    return x\n\n\ndef two_words(y):\n    if y:\n        return 2\n    return 3\n"

    def test_parts_cover_all_lines_and_keep_functions(self):
        for size in (1, 30, 60, 1000):
            parts = tree.parts(self.text, size)
            self.assertEqual("\n".join(part.text for part in parts) + "\n", self.text)
            ends = [0, *(part.end for part in parts)]
            self.assertEqual([part.start for part in parts], [end + 1 for end in ends[:-1]])
        self.assertIn(8, [part.start for part in tree.parts(self.text, 80)])

    def test_names_are_words_and_their_pieces(self):
        self.assertEqual(list(tree.words("getHTTPUrl two_words")),
                         ["gethttpurl", "get", "http", "url", "two_words", "two", "words"])

    def test_the_file_with_the_rarer_word_is_first(self):
        blobs = {path: bm25.study(path, text, 200)
                 for path, text in {"a.py": self.text, "b.py": "x = 1\n" * 5, "c.py": "return x\n"}.items()}
        query = {"return": 1, "two": 1}
        self.assertEqual([path for path, _ in bm25.rank_files(query, blobs)], ["a.py", "c.py"])
        self.assertEqual(bm25.rank_parts(query, blobs)[0][0], ("a.py", 0))

    def test_contexts_keep_to_their_budget(self):
        ranked = [("a.py", part) for part in tree.parts(self.text, 30)]
        for budget in (0, 10, 30, 60):
            for fill in (context.in_order, context.that_fit):
                taken = fill(ranked, budget)
                self.assertLessEqual(sum(context.tokens(part.text) for _, part in taken), budget)
        self.assertEqual(context.in_order(ranked, 10_000), ranked)


if __name__ == "__main__":
    unittest.main()
