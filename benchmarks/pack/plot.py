"""The figures as one picture: how many times the floor each tool takes.

Owns the SVG. Colours follow the reader's light or dark scheme, and the ground
is painted, so that it can be read wherever it is shown.
"""

import math
from xml.sax.saxutils import escape

from tools import OWN_KEYS

WIDTH = 820
LEFT = 236  # room for the names of the tools
RIGHT = 172  # room for the figures behind the longest bar
TOP = 64
BAR = 16
STEP = 23
TITLE = 30  # room for the name of a corpus
GAP = 14
FOOT = 34

STYLE = """
  svg { font: 13px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; }
  .ground { fill: #ffffff; } text { fill: #1f2328; }
  .faint { fill: #59636e; font-size: 12px; } .grid { stroke: #d1d9e0; stroke-width: 1; }
  .head { font-size: 15px; font-weight: 600; } .name { font-weight: 600; }
  .ours { fill: #0969da; } .counts { fill: #8b98a5; } .blind { fill: #c6ced6; }
  .halo { paint-order: stroke; stroke: #ffffff; stroke-width: 5px; }
  .open { stroke: #59636e; stroke-width: 1.5; stroke-dasharray: 4 3; fill-opacity: 0.35; }
  @media (prefers-color-scheme: dark) {
    .ground { fill: #0d1117; } text { fill: #f0f6fc; }
    .faint { fill: #9198a1; } .grid { stroke: #30363d; }
    .ours { fill: #4493f8; } .counts { fill: #7d8590; } .blind { fill: #484f58; }
    .halo { stroke: #0d1117; } .open { stroke: #9198a1; }
  }
"""

KINDS = (
    ("ours", "infiniloom, counts tokens"),
    ("counts", "counts tokens"),
    ("blind", "does not count tokens"),
)


def draw(record: dict) -> str:
    panels = [(corpus, bars(corpus)) for corpus in record["corpora"]]
    end = scale_end([bar for _, several in panels for bar in several])
    body: list[str] = []
    y = TOP
    for corpus, several in panels:
        body += panel(corpus, several, y, end)
        y += TITLE + len(several) * STEP + GAP
    height = y + FOOT
    parts = [opening(height), *heading(), *grid(y, end), *body, *foot(record, y), "</svg>"]
    return "\n".join(parts) + "\n"


def bars(corpus: dict) -> list[dict]:
    """What has a time, the fastest first; what was stopped comes last. A tool
    that failed has no bar: its time says nothing."""
    rows = [row for row in corpus["tools"] if row["tool"] != "floor"]
    shown = [row for row in rows if not row["trouble"] or row["stopped"]]
    return sorted(shown, key=lambda row: (row["stopped"], row["ratios"]["wall"]))


def scale_end(rows: list[dict]) -> int:
    """The power of ten, counted in tens, at which the axis ends."""
    largest = max((row["ratios"]["wall"] for row in rows), default=10)
    return max(1, math.ceil(math.log10(largest)))


def place(ratio: float, end: int) -> float:
    """How far right of the axis, on a log scale that starts at the floor."""
    share = math.log10(max(ratio, 1)) / end
    return round(share * (WIDTH - LEFT - RIGHT), 1)


def opening(height: int) -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}"'
    size = f'width="{WIDTH}" height="{height}" role="img"'
    words = "Time of each packer as a multiple of reading the same files with cat"
    ground = f'<rect class="ground" width="{WIDTH}" height="{height}" rx="6"/>'
    return f"{head} {size}>\n<title>{words}</title>\n<style>{STYLE}</style>\n{ground}"


def heading() -> list[str]:
    title = "Time to pack a repository, as a multiple of reading it with cat"
    lines = [text(16, 24, title, "head")]
    x = 16
    for kind, words in KINDS:
        lines.append(f'<rect class="{kind}" x="{x}" y="37" width="12" height="12" rx="2"/>')
        lines.append(text(x + 18, 48, words, "faint"))
        x += 42 + round(len(words) * 6.6)
    return lines


def grid(bottom: int, end: int) -> list[str]:
    lines = []
    for power in range(end + 1):
        x = LEFT + place(10**power, end)
        lines.append(f'<line class="grid" x1="{x}" y1="{TOP}" x2="{x}" y2="{bottom - 6}"/>')
        lines.append(text(x, bottom + 10, f"{10**power:,}×", "faint", "middle"))
    return lines


def panel(corpus: dict, rows: list[dict], y: int, end: int) -> list[str]:
    facts = f"{corpus['files']:,} files, {corpus['bytes'] / 1e6:,.0f} MB"
    name = escape(corpus["name"])
    lines = [
        f'<text class="halo name" x="16" y="{y + 19}">{name}'
        f'<tspan class="faint" font-weight="400" dx="8">{facts}</tspan></text>'
    ]
    for index, row in enumerate(rows):
        lines += bar(row, y + TITLE + index * STEP, end)
    return lines


def bar(row: dict, y: int, end: int) -> list[str]:
    ratio = row["ratios"]["wall"]
    width = max(2, place(ratio, end))
    look = kind(row) + (" open" if row["stopped"] else "")
    weight = "name" if row["tool"] in OWN_KEYS else ""
    return [
        text(LEFT - 10, y + 13, row["label"], weight, "end"),
        f'<rect class="{look}" x="{LEFT}" y="{y}" width="{width}" height="{BAR}" rx="2"/>',
        text(LEFT + width + 8, y + 13, figure(row), f"halo {weight}".strip()),
    ]


def kind(row: dict) -> str:
    if row["tool"] in OWN_KEYS:
        return "ours"
    return "counts" if row["counts_tokens"] else "blind"


def figure(row: dict) -> str:
    ratio, wall = row["ratios"]["wall"], row["wall_s"]
    if row["stopped"]:
        return f"stopped at {wall:.0f} s"
    short = f"{ratio:.1f}" if ratio < 10 else f"{ratio:,.0f}"
    return f"{short}× ({wall:.2f} s)" if wall < 10 else f"{short}× ({wall:.0f} s)"


def foot(record: dict, y: int) -> list[str]:
    machine = record["machine"]
    words = (
        f"{record['date']}, {machine['cores']} cores, {machine['memory_gib']} GiB; "
        "best time of each tool, in turns, log scale"
    )
    return [text(16, y + 28, words, "faint")]


def text(x: float, y: float, words: str, look: str = "", anchor: str = "start") -> str:
    style = f' class="{look}"' if look else ""
    side = f' text-anchor="{anchor}"' if anchor != "start" else ""
    return f'<text{style} x="{x}" y="{y}"{side}>{escape(words)}</text>'
