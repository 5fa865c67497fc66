#!/usr/bin/env python3
"""Prints the results of make bench, with a mark at each missed target.

    report.py [--document] RESULTS

With --document, also writes the rows with a target to docs/performance.md, and their ratios to its chart. The first line of RESULTS
describes the run. `# TITLE` begins a table; the other lines are a name, a target, our value and that of a floor or peer, separated by tabs.
A value that was not measured is empty.
"""

import math
import pathlib
import re
import sys
from xml.sax.saxutils import escape

DOCUMENTS = pathlib.Path(__file__).resolve().parent.parent.parent / "docs"
BEGIN, END = "<!-- make bench: begin -->", "<!-- make bench: end -->"
# The part by which equal values may differ.
NOISE = 0.1


class Row:
    """A measurement with its target: `≤ 2`, `0`, `≤ 2 ×`, `≥ 2 ×`, `1 ×` for equal ones, `12 more`, or none."""

    def __init__(self, line):
        self.name, self.target, *values = line.split("\t")
        ours, other = (float(value) if value else None for value in values)
        self.ratio = round(ours / other, 2) if ours is not None and other else None
        self.ours, self.other = (None if value is None else round(value, 2) for value in (ours, other))

    def mark(self):
        """Returns what follows the target: nothing if it is reached."""
        if not self.target:
            return ""
        sign, limit, unit = re.fullmatch(r"([≤≥]?) ?([0-9.]+)( ×| more)?", self.target).groups()
        limit, value = float(limit), self.ratio if unit == " ×" else self.ours
        if unit == " more":
            value = None if None in (self.ours, self.other) else self.ours - self.other
        elif unit and not sign:
            limit *= 1 + NOISE
        if value is None:
            return "not measured"
        is_reached = value >= limit if sign == "≥" else value <= limit and (limit or not value)
        return "" if is_reached else "missed"

    def cells(self):
        return ["" if value is None else f"{value:g}" for value in (self.ours, self.other, self.ratio)]


def read(path):
    """Returns the description of a run, and its rows by table."""
    run, *lines = pathlib.Path(path).read_text(encoding="utf-8").splitlines()
    tables, rows = {}, []
    for line in lines:
        if line.startswith("# "):
            rows = tables.setdefault(line.removeprefix("# "), [])
        else:
            rows.append(Row(line))
    return run, tables


def text(run, tables):
    lines = [run]
    for title, rows in tables.items():
        lines += ["", title]
        for row in rows:
            ours, other, ratio = row.cells()
            lines.append(f"  {row.name:<62} {ours or '-':>9} {other:>9} {ratio:>6}  {row.target} {row.mark()}".rstrip())
    return "\n".join(lines)


def document(run, tables):
    """Returns the part of docs/performance.md between the markers."""
    promised = [row for rows in tables.values() for row in rows if row.target]
    reached = sum(not row.mark() for row in promised)
    lines = [run, "", f"{reached} of {len(promised)} targets are reached."]
    for title, rows in tables.items():
        rows = [row for row in rows if row.target]
        if not rows:
            continue
        lines += ["", f"### {title}", "", "| measurement | target | measured | floor or peer | ratio | |", "|---|--:|--:|--:|--:|---|"]
        for row in rows:
            mark = row.mark()
            lines.append(f"| {row.name} | {row.target} | {' | '.join(row.cells())} | {f'**{mark}**' if mark else ''} |")
    return "\n".join(lines)


def chart(rows):
    """Returns a bar chart of the ratios on a logarithmic scale, as SVG; the line is the floor or peer."""
    left, width, height = 380, 360, 18
    logs = [math.log2(row.ratio) for row in rows]
    low, high = math.floor(min(logs + [-1])), math.ceil(max(logs + [1]))
    total = len(rows) * height + 50

    def x(value):
        return left + (value - low) * width / (high - low)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + width + 70}" height="{total}" font-family="sans-serif" font-size="11">',
        '<rect width="100%" height="100%" fill="white"/>',
        '<text x="8" y="16">ours, as a multiple of the floor or peer; red: the target is missed</text>',
    ]
    for step in range(low, high + 1):
        parts.append(f'<line x1="{x(step):.1f}" x2="{x(step):.1f}" y1="28" y2="{total - 18}" stroke="#ddd"/>')
        parts.append(f'<text x="{x(step):.1f}" y="{total - 5}" text-anchor="middle">{2.0 ** step:g}</text>')
    for index, row in enumerate(rows):
        top, (start, end) = 30 + index * height, sorted((x(0), x(logs[index])))
        parts.append(f'<text x="{left - 8}" y="{top + 12}" text-anchor="end">{escape(row.name)}</text>')
        parts.append(
            f'<rect x="{start:.1f}" y="{top + 3}" width="{max(end - start, 1):.1f}" height="{height - 6}" '
            f'fill="{"#c63" if row.mark() else "#2a7"}"/>')
        parts.append(f'<text x="{end + 4:.1f}" y="{top + 12}">{row.ratio:g}</text>')
    parts.append(f'<line x1="{x(0):.1f}" x2="{x(0):.1f}" y1="28" y2="{total - 18}" stroke="black"/>')
    return "\n".join(parts + ["</svg>", ""])


def main():
    run, tables = read(sys.argv[-1])
    print(text(run, tables))
    if sys.argv[1] != "--document":
        return
    page = DOCUMENTS / "performance.md"
    before, rest = page.read_text(encoding="utf-8").split(BEGIN)
    after = rest.split(END)[1]
    page.write_text(f"{before}{BEGIN}\n{document(run, tables)}\n{END}{after}", encoding="utf-8")
    rows = [row for rows in tables.values() for row in rows if row.target and row.ratio]
    (DOCUMENTS / "performance.svg").write_text(chart(rows), encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main()
