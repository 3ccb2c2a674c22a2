"""The figures as tables in Markdown. Computes nothing that is not in the JSON."""

from collections.abc import Iterable

# Categories with fewer secrets are in the JSON only.
FEW = 10


def rows(head: list[str], body: Iterable[list]) -> str:
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *body]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines) + "\n"


def speed(name: str, record: dict) -> str:
    head = ["scanner", "s", "CPU s", "times floor", "MB/s", "MB per CPU s", "MB of memory"]
    keys = ["wall_s", "cpu_s", "times_floor", "mb_per_s", "mb_per_cpu_s", "peak_mb"]
    title = f"### {name}: {record['files']:,} files, {record['bytes'] / 1e6:.1f} MB"
    return titled(title, record) + rows(head, measured(record, keys))


def gate(name: str, record: dict) -> str:
    head = ["", "s", "CPU s", "times floor"]
    body = measured(record, ["wall_s", "cpu_s", "times_floor"])
    cost = record["gate"]
    closing = f"\nThe gate: {cost['wall_s']} times the time, {cost['cpu_s']} times the CPU.\n"
    return titled(f"### pack of {name}", record) + rows(head, body) + closing


def start(record: dict) -> str:
    body = [
        [name, one["trouble"], "", ""]
        if "wall_s" not in one
        else [name, f"{one['wall_s'] * 1e3:.1f}", f"{one['cpu_s'] * 1e3:.1f}", one["times_floor"]]
        for name, one in record["tools"].items()
    ]
    head = ["scanner", "ms", "CPU ms", "times floor"]
    return titled("### start, one small file", record) + rows(head, body)


def titled(title: str, record: dict) -> str:
    before, after = record["load"]
    return f"{title} (load {before} to {after})\n\n"


def measured(record: dict, keys: list[str]) -> list[list]:
    return [
        [name, *(one.get(key, "") for key in keys)]
        if "wall_s" in one
        else [name, one["trouble"], *[""] * (len(keys) - 1)]
        for name, one in record["tools"].items()
    ]


def quality(split: str, record: dict) -> str:
    ways = list(next(iter(record["total"].values())))
    head = ["P R F1", *ways]
    body = [
        [name, *(f"{f['p']:.3f} {f['r']:.3f} {f['f1']:.3f}" for f in some.values())]
        for name, some in record["total"].items()
    ]
    title = (
        f"### CredData, {split}: {record['repositories']} repositories, "
        f"{record['secrets']:,} secrets among {record['labels']:,} labels\n\n"
    )
    return title + rows(head, body) + "\n" + categories(record["categories"])


def categories(record: dict) -> str:
    body = []
    for name, row in record["line"].items():
        secrets = max(right + missed for right, _, missed in row)
        if secrets >= FEW:
            body.append([name, secrets, *map(short, row)])
    return rows(["`line`: P R F1", "secrets", *record["tools"]], body)


def short(counts: list[int]) -> str:
    right, wrong, missed = counts
    shares = (
        right / max(right + wrong, 1),
        right / max(right + missed, 1),
        2 * right / max(2 * right + wrong + missed, 1),
    )
    return " ".join(f"{one:.2f}".removeprefix("0") for one in shares)


def examples(record: dict) -> str:
    tools = [name for name in record["positive"] if name != "texts"]
    body = [
        [tool, *(f"{part[tool]['found']} of {part['texts']}, {part[tool]['share']:.3f}"
                 if tool in part else "" for part in record.values())]
        for tool in tools
    ]
    return "### examples of kingfisher's rules\n\n" + rows(["found in", *record], body)
