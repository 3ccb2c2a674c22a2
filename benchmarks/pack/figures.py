"""From runs to figures: the best of each tool, and its ratios to the floor.

Owns the arithmetic and the form of the JSON. Prints and draws nothing.
"""

from corpus import Corpus
from session import Result
from tools import OURS, OURS_WARM, OWN_KEYS

FLOOR = "floor"


def corpus_figures(corpus: Corpus, results: list[Result], rounds: int) -> dict:
    floor = next(best(result) for result in results if result.found.tool.key == FLOOR)
    rows = [tool_figures(result, floor) for result in results]
    return {
        "name": corpus.name,
        "files": corpus.files,
        "bytes": corpus.bytes,
        "tree": corpus.tree,
        "uncommitted_changes": corpus.changes,
        "rounds": rounds,
        "tools": rows,
        "peers_against_ours": against(rows),
    }


def best(result: Result) -> dict:
    """The least time and the least CPU of all runs, each by itself, because
    what else the machine does can only add to them; the largest memory."""
    return {
        "wall_s": min(run.wall for run in result.runs),
        "cpu_s": min(run.cpu for run in result.runs),
        "peak_bytes": max(run.peak for run in result.runs),
        "output_bytes": result.output_bytes,
        "files": result.files,
    }


def tool_figures(result: Result, floor: dict) -> dict:
    tool, own = result.found.tool, best(result)
    return {
        "tool": tool.key,
        "label": tool.label,
        "version": result.found.version,
        "arguments": [*tool.arguments],
        "environment": tool.environment,
        "primed": tool.primed,
        "trouble": result.trouble,
        "stopped": any(run.stopped for run in result.runs),
        **{name: rounded(value) for name, value in own.items()},
        "tokens_said": result.tokens,
        "counts_tokens": counts(result),
        "ratios": ratios(own, floor, finished=not result.trouble),
        "runs": [
            {"wall_s": round(run.wall, 4), "cpu_s": round(run.cpu, 4), "load": load}
            for run, load in zip(result.runs, result.loads, strict=True)
        ],
    }


def counts(result: Result) -> bool:
    """A tool that could not finish is taken at its habit."""
    return bool(result.found.tool.tokens) if result.trouble else result.tokens is not None


def ratios(own: dict, floor: dict, finished: bool) -> dict:
    """To the floor. A tool without a result has only its time, as a lower
    bound: its bytes and files mean nothing."""
    whole = {name: ratio(own[key], floor[key]) for name, key in WHOLE.items()}
    if not finished:
        return {name: whole[name] for name in ("wall", "cpu")}
    per_byte = {
        f"{name}_per_output_byte": ratio(whole[name], whole["output_bytes"])
        for name in ("wall", "cpu")
    }
    return whole | per_byte


WHOLE = {
    "wall": "wall_s",
    "cpu": "cpu_s",
    "peak": "peak_bytes",
    "output_bytes": "output_bytes",
    "files": "files",
}


def ratio(part: float | None, whole: float | None) -> float | None:
    if part is None or not whole:
        return None
    return significant(part / whole)


def significant(value: float) -> float:
    """Four digits: more would be noise."""
    return float(f"{value:.4g}")


def rounded(value: float | None) -> float | int | None:
    return round(value, 4) if isinstance(value, float) else value


def against(rows: list[dict]) -> dict:
    """Ours beside the best peer of a kind: cold beside those that count tokens and beside
    those that do not, warm beside those that find the counts of an unchanged tree in a
    cache of their own. Null without a peer."""
    well = {row["tool"]: row for row in rows if not row["trouble"]}
    others = [row for key, row in well.items() if key not in OWN_KEYS and key != FLOOR]
    counting = [row for row in others if row["counts_tokens"]]
    groups = {
        "counting": (OURS, [row for row in counting if not row["primed"]]),
        "cached": (OURS_WARM, [row for row in counting if row["primed"]]),
        "without_tokens": (OURS, [row for row in others if not row["counts_tokens"]]),
    }
    return {
        name: beside(well[own.key], some) if own.key in well and some else None
        for name, (own, some) in groups.items()
    }


def beside(ours: dict, peers: list[dict]) -> dict:
    """How many times ours the best peer takes, by each measure."""
    measures = {
        "wall": lambda row: row["wall_s"],
        "cpu": lambda row: row["cpu_s"],
        "wall_per_output_byte": lambda row: row["ratios"]["wall_per_output_byte"],
    }
    compared = {}
    for name, value in measures.items():
        best_peer = min(peers, key=value)
        times = ratio(value(best_peer), value(ours))
        compared[name] = {"peer": best_peer["tool"], "label": best_peer["label"], "times": times}
        compared[name]["value"] = value(best_peer)
    return compared
