"""The leak suite fails if a program shows a secret, or shows nothing at all."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True

from asked import COMMANDS, Asked, Deck, by_kind  # noqa: E402
from run import Tally  # noqa: E402
from tree import Tree, readings  # noqa: E402

SUITE = Path(__file__).with_name("run.py")

# Writes the same bytes for each command, and as the text of each answer of a server.
FAKE = """#!/usr/bin/env python3
import json, sys
text = {text}
if sys.argv[1:2] != ["mcp"]:
    sys.stdout.write(text)
else:
    for line in sys.stdin:
        request = json.loads(line)
        if "id" in request and {answers}:
            result = {{"content": [{{"type": "text", "text": text}}]}}
            print(json.dumps({{"jsonrpc": "2.0", "id": request["id"], "result": result}}), flush=True)
"""


def run_suite(text, answers=True):
    """Runs the suite over one small tree against a program that writes `text`, a Python expression."""
    with tempfile.TemporaryDirectory() as place:
        program = Path(place) / "fake"
        program.write_text(FAKE.format(text=text, answers=answers))
        program.chmod(0o755)
        words = [sys.executable, str(SUITE), str(program), "--answers", "1", "--rounds", "2", "--files", "3"]
        return subprocess.run(words, capture_output=True, text=True)


class Controls(unittest.TestCase):
    def test_silent_program_fails_in_every_kind(self):
        done = run_suite("''")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("0 leaks", done.stdout)
        answers = [line for line in done.stdout.splitlines() if " answers, " in line and "partial" in line]
        self.assertEqual(len(answers), 25)
        for line in answers:
            self.assertIn(" 2 answers, 0 partial, 2 without the expected text", line)

    def test_program_that_ends_at_once_fails(self):
        with tempfile.TemporaryDirectory() as place:
            program = Path(place) / "fake"
            program.write_text("#!/bin/sh\n")
            program.chmod(0o755)
            words = [sys.executable, str(SUITE), str(program), "--answers", "1", "--rounds", "2", "--files", "3"]
            done = subprocess.run(words, capture_output=True, text=True)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("test result: FAILED. 0 passed; 50 failed;", done.stdout)

    def test_program_that_is_always_partial_fails_in_every_kind(self):
        done = run_suite("'; ask again'")
        self.assertEqual(done.returncode, 1, done.stderr)
        lines = done.stdout.splitlines()
        answers = [line for line in lines if " answers, " in line and "partial" in line]
        for line in answers:
            is_call = line.startswith("mcp ")
            expected = "2 partial, 0 without" if is_call else "0 partial, 2 without"
            self.assertIn(f" 2 answers, {expected} the expected text", line)
        too_partial = [line for line in lines if "2 of 2 answers are partial, 1 too many" in line]
        self.assertEqual(len(too_partial), sum(line.startswith("mcp ") for line in answers))

    def test_program_that_shows_the_marker_leaks_in_every_kind(self):
        done = run_suite("open('src/marker.py').read()")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("50 answers over 1 trees, 50 leaks", done.stdout)


class Answers(unittest.TestCase):
    def test_answer_needs_its_text_and_in_small_trees_the_marker(self):
        asked = Asked("map", ["map"], "<map")
        self.assertEqual(asked.missing("", 3), "<map")
        self.assertEqual(asked.missing("<map>", 3), "[REDACTED")
        self.assertIsNone(asked.missing("<map>[REDACTED:token:1]", 3))
        self.assertIsNone(asked.missing("<map>", 2000))

    def test_variants_take_turns(self):
        class Order:
            def shuffle(self, names):
                pass

        deck = Deck(Order())
        variants = {0: "a", 1: "b", 2: "c"}
        self.assertEqual([deck.draw("k", variants) for _ in range(4)], ["a", "b", "c", "a"])
        self.assertEqual(deck.draw("k", {0: "a", 2: "c"}), "c")

    def test_every_kind_has_a_variant_without_a_repository(self):
        self.assertEqual(by_kind(COMMANDS).keys(), by_kind(COMMANDS, is_git=False).keys())


    def test_calls_are_partial_up_to_half(self):
        class Here:
            files, root, secrets = 2000, "", []

            def leaked(self, text):
                return set()

        for partial, too_many in [(1, {}), (2, {}), (3, {"mcp map": 1}), (4, {"mcp map": 2})]:
            tally = Tally()
            for at in range(4):
                text = "; ask again" if at < partial else "src/"
                tally.answer(Asked("mcp map", (), "src/"), "cold", text, text, Here())
            self.assertEqual((tally.too_partial(), tally.failed.total()), (too_many, 0))


class Leaks(unittest.TestCase):
    def test_escaped_values_are_leaks(self):
        value = 'amber&Dune<48"21%!@x'
        for text in [
            value,
            r"amber&Dune<48\"21%!@x",
            r"amber\u0026Dune\u003c48\u002221%!@x",
            "amber&amp;Dune&lt;48&quot;21%!@x",
            "amber&#38;Dune&#x3c;48&#34;21%!@x",
            "amber%26Dune%3C48%2221%25%21%40x",
            "amber&Dune%3C48%2221%25!@x",
            r"amber\u0026amp;Dune\u0026lt;48\\\"21%!@x",
        ]:
            self.assertTrue(any(value in reading for reading in readings(text)), text)
        self.assertFalse(any(value in reading for reading in readings("amber&Dune [REDACTED:token:1]")))

    def test_trees_plant_values_that_need_escapes(self):
        values = []
        for seed in range(20):
            with tempfile.TemporaryDirectory() as place:
                values += Tree(Path(place) / "tree", 3, seed).secrets
        for character in '&<"%!@':
            self.assertTrue(any(character in value for value in values), character)


if __name__ == "__main__":
    unittest.main()
