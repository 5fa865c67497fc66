#!/usr/bin/env python3
"""Converts the results of make bench.

    bench_report.py text <TABLE        prints the tab-separated table of bench.sh, with "missed" after a target
    bench_report.py json SINK <TABLE   prints it as JSON
    bench_report.py docs FILE          writes the JSON of FILE to docs/performance.md, the rows with a target, and its chart
"""

import json
import math
import pathlib
import re
import subprocess
import sys
from xml.sax.saxutils import escape

DOCS = pathlib.Path(__file__).resolve().parent.parent / "docs"
BEGIN, END = "<!-- make bench: begin -->", "<!-- make bench: end -->"


def number(text):
    return None if text == "-" else float(text)


# The part by which equal values may differ.
NOISE = 0.1


def missed(row):
    """Whether a row misses its target: `≤ 2`, `0`, `≤ 2 ×`, `≥ 2 ×`, `1 ×` for equal ones, or `12 more`."""
    found = re.fullmatch(r"([≤≥]? ?)([0-9.]+)( ×| more)?", row["target"])
    if not found:
        return False
    sign, limit, unit = found[1].strip(), float(found[2]), found[3]
    value = row["ratio"] if unit == " ×" else row["ours"]
    if unit == " more":
        value = None if row["other"] is None else row["ours"] - row["other"]
    elif unit and not sign:
        limit *= 1 + NOISE
    if value is None:
        return False
    if sign == "≥":
        return value < limit
    return value > limit or (limit == 0 and value != 0)


def target(row):
    return row["target"] + (", missed" if missed(row) else "")


def read_rows():
    for line in sys.stdin.read().splitlines()[1:]:
        name, ours, other, ratio, goal = line.split("\t")
        yield {"name": name, "ours": float(ours), "other": number(other), "ratio": number(ratio), "target": goal}


def to_text():
    print("what\tours\tfloor/peer\tratio\ttarget")
    for row in read_rows():
        cells = ["-" if row[key] is None else f"{row[key]:.2f}" for key in ("ours", "other", "ratio")]
        print("\t".join([row["name"], *cells, target(row)]))


def to_json(sink):
    rows = list(read_rows())
    commit = subprocess.run(["git", "describe", "--always", "--dirty"], capture_output=True, text=True).stdout.strip()
    json.dump({"commit": commit, "sink": sink, "rows": rows}, sys.stdout, ensure_ascii=False, indent=1)
    print()


def table(rows):
    lines = ["| measurement | ours | floor or peer | ratio | target |", "|---|--:|--:|--:|---|"]
    for row in rows:
        if not row["target"]:
            continue
        cells = ["" if row[key] is None else f"{row[key]:g}" for key in ("ours", "other", "ratio")]
        lines.append(f"| {row['name']} | {' | '.join(cells)} | {target(row)} |")
    return "\n".join(lines)


def chart(rows):
    """Returns a bar chart of the ratios on a logarithmic scale; the line is the floor or peer."""
    rows = [row for row in rows if row["ratio"]]
    left, width, height = 380, 360, 18
    logs = [math.log2(row["ratio"]) for row in rows]
    low, high = math.floor(min(logs + [-1])), math.ceil(max(logs + [1]))
    scale = width / (high - low)
    x = lambda value: left + (value - low) * scale
    total = len(rows) * height + 50
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + width + 70}" height="{total}" '
        'font-family="sans-serif" font-size="11">',
        f'<rect width="100%" height="100%" fill="white"/>',
        f'<text x="8" y="16">ours, as a multiple of the floor or peer; shorter is better, except for calls a second</text>',
    ]
    for step in range(low, high + 1):
        parts.append(f'<line x1="{x(step):.1f}" x2="{x(step):.1f}" y1="28" y2="{total - 18}" stroke="#ddd"/>')
        parts.append(f'<text x="{x(step):.1f}" y="{total - 5}" text-anchor="middle">{2.0 ** step:g}</text>')
    for index, row in enumerate(rows):
        top, place = 30 + index * height, math.log2(row["ratio"])
        start, end = sorted((x(0), x(place)))
        parts.append(f'<text x="{left - 8}" y="{top + 12}" text-anchor="end">{escape(row["name"])}</text>')
        parts.append(
            f'<rect x="{start:.1f}" y="{top + 3}" width="{max(end - start, 1):.1f}" height="{height - 6}" '
            f'fill="{"#2a7" if place <= 0 else "#c63"}"/>'
        )
        parts.append(f'<text x="{end + 4:.1f}" y="{top + 12}">{row["ratio"]:g}</text>')
    parts.append(f'<line x1="{x(0):.1f}" x2="{x(0):.1f}" y1="28" y2="{total - 18}" stroke="black"/>')
    return "\n".join(parts + ["</svg>", ""])


def to_docs(path):
    result = json.loads(pathlib.Path(path).read_text())
    page = DOCS / "performance.md"
    text = page.read_text()
    begin, end = text.index(BEGIN) + len(BEGIN), text.index(END)
    note = f"Commit {result['commit']}, output `{result['sink']}`."
    page.write_text(f"{text[:begin]}\n{note}\n\n{table(result['rows'])}\n{text[end:]}")
    (DOCS / "performance.svg").write_text(chart(result["rows"]))


if __name__ == "__main__":
    if sys.argv[1:] == ["text"]:
        to_text()
    elif len(sys.argv) == 3 and sys.argv[1] == "json":
        to_json(sys.argv[2])
    elif len(sys.argv) == 3 and sys.argv[1] == "docs":
        to_docs(sys.argv[2])
    else:
        sys.exit(__doc__)
