"""Tests the choice of files, the comparison and the table, without any other package."""

import stat
import sys
import tempfile
import unittest
from pathlib import Path

import corpus
import others
import run


class TestRun(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)

    def write(self, name: str, content: bytes) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)

    def counts(self, more: int) -> Path:
        """A program that counts words, some of them twice."""
        path = self.folder / "counts"
        path.write_text(
            f"#!{sys.executable}\nimport sys\nfor line in sys.stdin:\n"
            f"    print(len(open(line.strip()).read().split()) + {more})\n"
            "print('9 tokens, 12.5 MB/s, best 50.0 MB/s', file=sys.stderr)\n"
        )
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return path

    def test_files_are_text_and_the_same_every_time(self):
        for at in range(30):
            self.write(f"repo/src/{at}.txt", b"some words in a file\n")
        self.write("repo/.git/config", b"no file of the repository\n")
        self.write("repo/binary", b"\0" * 40)
        self.write("repo/latin", b"caf\xe9 " * 10)
        self.write("repo/short", b"short")
        files = corpus.take([self.folder / "repo"], 100)
        self.assertEqual(len(files), 30)
        self.assertEqual(files, corpus.take([self.folder / "repo"], 100))
        self.assertEqual(corpus.take([self.folder / "repo"], 10), files[:10])
        self.assertEqual(corpus.figures(files), {"repo": {"files": 30, "bytes": 630}})

    def test_what_differs_is_found(self):
        self.write("repo/a", b"one two three four five\n")
        files = corpus.take([self.folder / "repo"], 10)
        subject = others.Subject("words", "split", [], lambda: lambda text: len(text.split()))
        same = run.compare(self.counts(0), subject, files)
        self.assertEqual((same["differ"], same["tokens"], same["ours_best_mb_s"]), (0, 5, 50.0))
        other = run.compare(self.counts(1), subject, files)
        self.assertEqual(other["differing"], [{"file": "repo/a", "ours": 6, "theirs": 5}])
        self.assertIn("| words | split | 1 | 24 | 5 | 1 | 12, 50 |", run.table([other]))

    def test_what_is_missing_is_named(self):
        def load():
            raise others.Missing("--reference words=FILE")

        row = run.compare(Path("none"), others.Subject("words", "split", [], load), [])
        self.assertIn("not compared: --reference words=FILE", run.line(row))


if __name__ == "__main__":
    unittest.main()
