"""What a result file says about its run: command, date, machine and build, as `cargo xtask
bench` writes them. For scripts that run without it. No path and no name of a machine."""

import datetime
import os
import platform
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def facts(program: str) -> dict:
    """Returns the facts of the run of this script, which measures `program`."""
    script = Path(sys.argv[0]).resolve().relative_to(ROOT)
    words = [word if "benchmarks/results/" in word else Path(word).name or word for word in sys.argv[1:]]
    return {
        "command": " ".join(["python3", str(script), *words]),
        "date": datetime.date.today().isoformat(),
        "machine": machine(),
        "build": build(program),
    }


def machine() -> dict:
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "memory_gib": round(memory / 2**30),
        "system": f"{platform.system().lower()} {platform.machine()}",
        "load_before": round(os.getloadavg()[0], 2),
    }


def build(program: str) -> dict:
    """Returns version and commit, which the program prints, and the profile of its path."""
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    # `infiniloom 0.1.0 (2d322b7017 2026-11-16)`
    commit = version.partition("(")[2].rstrip(")").split(" ")[0]
    parts = Path(program).resolve().parts
    profile = parts[parts.index("target") + 1] if "target" in parts else None
    return {"version": version, "commit": commit or None, "profile": profile}
