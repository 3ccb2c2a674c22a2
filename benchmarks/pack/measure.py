"""One run of one program: how long, how much work, how much memory.

Owns starting, stopping and accounting for a process, with the help of
launch.py. Knows no tool by name and compares nothing.
"""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

LAUNCH = str(Path(__file__).resolve().parent / "launch.py")

# What `ru_maxrss` counts in: kilobytes on Linux, bytes on macOS.
PEAK_UNIT = 1 if sys.platform == "darwin" else 1024


@dataclass(frozen=True)
class Job:
    """What to run, and where its output goes."""

    command: list[str]
    folder: Path
    environment: dict[str, str]
    stdout: Path
    stderr: Path
    limit: float


@dataclass(frozen=True)
class Run:
    """What one run cost. `status` is the exit code, negative for a signal."""

    wall: float
    cpu: float
    peak: int
    status: int
    stopped: bool


class Unstarted(Exception):
    """A program that the system would not start."""


def run(job: Job) -> Run:
    """The starting of the launcher is not part of what is measured."""
    reading, writing = os.pipe()
    with open(job.stdout, "wb") as out, open(job.stderr, "wb") as err, open(reading) as report:
        command = [sys.executable, "-I", "-S", LAUNCH, str(job.limit), str(writing), *job.command]
        try:
            launcher = subprocess.Popen(
                command,
                cwd=job.folder,
                env=job.environment,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                pass_fds=(writing,),
                # An interrupt of the terminal is ours to pass on.
                start_new_session=True,
            )
        finally:
            os.close(writing)
        return read(wait(launcher, report), job)


def wait(launcher: subprocess.Popen, report) -> str:
    """The launcher writes at its end. Whatever ends us ends it, and with it
    the program."""
    try:
        said = report.read()
        launcher.wait()
    except BaseException:
        launcher.terminate()
        launcher.wait()
        raise
    return said


def read(said: str, job: Job) -> Run:
    if not said:
        why = job.stderr.read_text(errors="replace").strip().splitlines()[-1:]
        raise Unstarted(f"cannot run {job.command[0]}: {' '.join(why)}")
    wall, cpu, peak, status, stopped = said.split()
    return Run(
        wall=float(wall),
        cpu=float(cpu),
        peak=int(peak) * PEAK_UNIT,
        status=int(status),
        stopped=stopped == "1",
    )
