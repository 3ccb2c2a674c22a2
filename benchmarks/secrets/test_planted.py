"""Tests of the planting: `python3 benchmarks/secrets/test_planted.py`. No scanner is run."""

import random
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent))

import planted


class Planting(unittest.TestCase):
    def test_marks_are_no_part_of_a_document(self):
        one, other = planted.documents("=== a.env\nA=⟦xyz⟧\nB=⟨n⟩\n=== b/c.py\n1\n")
        self.assertEqual((one.path, one.text), ("a.env", "A=xyz\nB=n"))
        self.assertEqual((one.secrets, one.harmless), ([range(2, 5)], [range(8, 9)]))
        self.assertEqual((other.path, other.text), ("b/c.py", "1\n"))

    def test_all_cases_are_read(self):
        cases = [one for file in planted.CASES.glob("*.txt") for one in planted.documents(file.read_text())]
        self.assertGreater(sum(len(one.secrets) for one in cases), 300)
        self.assertGreater(sum(len(one.harmless) for one in cases), 300)

    def test_host_is_split_before_a_line_at_the_margin(self):
        host = "import a\n\ndef b():\n    c\n\n    d\n"
        splits = {planted.around(host, ".py", random.Random(seed)) for seed in range(20)}
        self.assertEqual(splits, {("import a\n\n", "\ndef b():\n    c\n\n    d\n"), (host, "\n")})

    def test_json_stays_json(self):
        before, after = planted.around('{"a": 1}\n', ".json", random.Random(1))
        self.assertEqual(planted.json.loads(before + "[2]" + after), {"package": {"a": 1}, "planted": [2]})

    def test_secret_must_be_covered_to_its_end(self):
        (case,) = planted.documents("=== a.env\nA=⟦xyz⟧\nB=⟨n⟩\n")
        one = planted.Planted("a.env", case, 3, "12\n" + case.text)

        def judged(*regions):
            missed, false = planted.judge(one, planted.spans(one.text, regions))
            return len(missed), len(false)

        self.assertEqual(judged((2, 3, 2, 6)), (0, 0))
        self.assertEqual(judged((2, 3, 2, 5)), (1, 0))
        self.assertEqual(judged((2, 3, 2, 6), (3, 3, 3, 4)), (0, 1))
        self.assertEqual(judged((1, 1, 1, 3)), (1, 0))


if __name__ == "__main__":
    unittest.main()
