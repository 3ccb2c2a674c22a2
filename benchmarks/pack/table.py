"""The figures as Markdown, for a terminal and for a document.

Owns words and columns. Computes nothing that the JSON does not hold.
"""

HEADER = (
    "tool",
    "time s",
    "× floor",
    "CPU s",
    "× floor",
    "memory MB",
    "output MB",
    "files",
    "tokens it says",
    "time per output byte, × floor",
)


def corpus_table(corpus: dict, smallest_peak: int) -> str:
    title = f"### {corpus['name']}: {corpus['files']:,} files, {megabytes(corpus['bytes'])} MB"
    lines = [title, "", line(HEADER), line(["---"] + ["---:"] * (len(HEADER) - 1))]
    lines += [line(cells(row, smallest_peak)) for row in corpus["tools"]]
    notes = [f"- {row['label']}: {row['trouble']}" for row in corpus["tools"] if row["trouble"]]
    return "\n".join([*lines, "", *notes, *against(corpus)]).rstrip()


def cells(row: dict, smallest_peak: int) -> list[str]:
    ratios, finished = row["ratios"], not row["trouble"]
    # A run that was stopped would have needed at least this much.
    bound = "> " if row["stopped"] else ""
    return [
        row["label"],
        bound + seconds(row["wall_s"]),
        bound + times(ratios["wall"]),
        bound + seconds(row["cpu_s"]),
        bound + times(ratios["cpu"]),
        peak(row["peak_bytes"], smallest_peak),
        megabytes(row["output_bytes"]) if finished else "-",
        count(row["files"]) if finished else "-",
        count(row["tokens_said"]) if finished else "-",
        times(ratios.get("wall_per_output_byte")),
    ]


def against(corpus: dict) -> list[str]:
    groups = {
        "counting": "cold beside the best peer that counts tokens",
        "cached": "warm beside the best peer that has the counts of an earlier run",
        "without_tokens": "cold beside the best peer that counts no tokens",
    }
    compared = corpus["peers_against_ours"]
    return [
        f"- infiniloom {words}: {beside(corpus, compared[name])}"
        for name, words in groups.items()
        if compared[name]
    ]


def beside(corpus: dict, compared: dict) -> str:
    names = {"wall": "time", "cpu": "CPU", "wall_per_output_byte": "time per output byte"}
    labels = {row["tool"]: row["label"] for row in corpus["tools"]}
    parts = []
    for key, word in names.items():
        one = compared[key]
        parts.append(f"{word} {times(one['times'])} times ours ({labels[one['peer']]})")
    return "; ".join(parts)


def closing(record: dict) -> str:
    machine = record["machine"]
    facts = (
        f"{record['date']}, {machine['cpu']}, {machine['cores']} cores, "
        f"{machine['memory_gib']} GiB, {machine['system']}, Python {machine['python']}; "
        f"load average {record['load_before']} before, {record['load_after']} after"
    )
    versions = ", ".join(f"{name} {version}" for name, version in record["versions"].items())
    absent = [f"- not measured: {row['tool']}: {row['reason']}" for row in record["missing"]]
    return "\n".join([facts, "", f"Versions: {versions}.", *absent])


def line(values: list[str] | tuple[str, ...]) -> str:
    return f"| {' | '.join(values)} |"


def seconds(value: float) -> str:
    return f"{value:.3f}" if value < 1 else f"{value:.2f}" if value < 10 else f"{value:.1f}"


def times(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:.2f}" if value < 10 else f"{value:.1f}" if value < 100 else f"{value:,.0f}"


def count(value: int | None) -> str:
    return "-" if value is None else f"{value:,}"


def megabytes(value: int | None) -> str:
    return "-" if value is None else f"{value / 1e6:,.2f}" if value < 1e7 else f"{value / 1e6:,.1f}"


def peak(value: int, smallest: int) -> str:
    """The system charges a program with what its parent held when it was
    started, so nothing smaller than that can be seen."""
    return f"≤ {smallest / 1e6:.0f}" if value <= smallest * 1.05 else f"{value / 1e6:,.0f}"
