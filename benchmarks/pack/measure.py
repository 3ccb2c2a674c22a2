"""One run of one program: how long, how much work, how much memory.

Owns starting, stopping and accounting for a process. Knows no tool by name and
compares nothing.
"""

import os
import resource
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path

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


def run(job: Job) -> Run:
    """Runs the job in a process group of its own, so that stopping it after
    the limit also stops what it started."""
    with open(job.stdout, "wb") as out, open(job.stderr, "wb") as err:
        start = time.perf_counter()
        child = subprocess.Popen(
            job.command,
            cwd=job.folder,
            env=job.environment,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            start_new_session=True,
        )
        stopper = Stopper(child.pid, job.limit)
        usage = wait(child, stopper)
        wall = time.perf_counter() - start
    return Run(
        wall=wall,
        cpu=usage.ru_utime + usage.ru_stime,
        peak=usage.ru_maxrss * PEAK_UNIT,
        status=child.returncode,
        stopped=stopper.fired,
    )


def wait(child: subprocess.Popen, stopper: "Stopper") -> resource.struct_rusage:
    """Waits with `wait4`, the one call that gives this child's own figures:
    its time with that of the children it waited for, and the peak of the
    largest single process among them."""
    try:
        _, status, usage = os.wait4(child.pid, 0)
    except BaseException:
        stopper.stop()
        raise
    finally:
        stopper.cancel()
    child.returncode = os.waitstatus_to_exitcode(status)
    return usage


class Stopper:
    """Ends a process group after a number of seconds, unless cancelled."""

    def __init__(self, group: int, seconds: float) -> None:
        self.group = group
        self.fired = False
        self.timer = threading.Timer(seconds, self.fire)
        self.timer.daemon = True
        self.timer.start()

    def fire(self) -> None:
        self.fired = True
        self.stop()

    def stop(self) -> None:
        try:
            os.killpg(self.group, signal.SIGKILL)
        except ProcessLookupError:
            pass  # It ended by itself in this very moment.

    def cancel(self) -> None:
        self.timer.cancel()
