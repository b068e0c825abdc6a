# Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The plots of docs/measured.md, as SVG text."""
import math

_HEAD = '<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" font-family="sans-serif" font-size="11">\n<rect width="{w}" height="{h}" fill="white"/>'
_COLOURS = {"high": "#b2182b", "medium": "#ef8a62", "low": "#fddbc7", "remark": "#d1e5f0", "absorbed": "#f7f7f7", "none": "#67a9cf"}
TICKS = (1, 1.5, 2, 3, 5, 10, 20, 50, 100)


def _write(path, parts):
    with open(path, "w", encoding="utf-8") as out:
        out.write("\n".join(parts) + "\n</svg>\n")


def ratios(pairs, path):
    """A bar a pair, by the ratio of its times, on a logarithmic scale; the colour is the severity given."""
    rows = sorted(pairs, key=lambda pair: -pair["ratio"])
    left, step, width = 190, 14, 760
    height = step * len(rows) + 50
    top = max(pair["ratio"] for pair in rows)
    x = lambda ratio: left + (width - left - 60) * max(0, math.log(ratio)) / math.log(top)
    parts = [_HEAD.format(w=width, h=height)]
    for tick in TICKS:
        if tick <= top:
            parts.append(f'<line x1="{x(tick):.1f}" x2="{x(tick):.1f}" y1="25" y2="{height - 20}" stroke="#ddd"/><text x="{x(tick):.1f}" y="18" text-anchor="middle">{tick:g}</text>')
    for i, pair in enumerate(rows):
        y = 30 + step * i
        parts.append(f'<text x="{left - 6}" y="{y + 10}" text-anchor="end">{pair["name"]}</text>'
                     f'<rect x="{left}" y="{y + 1}" width="{max(1, x(pair["ratio"]) - left):.1f}" height="{step - 3}" fill="{_COLOURS[pair["severity"]["slow"]]}" stroke="#888" stroke-width="0.5"/>'
                     f'<text x="{x(pair["ratio"]) + 4:.1f}" y="{y + 10}">{pair["ratio"]:.2f}</text>')
    for i, (name, colour) in enumerate(_COLOURS.items()):
        parts.append(f'<rect x="{width - 90}" y="{height - 110 + 16 * i}" width="12" height="12" fill="{colour}" stroke="#888"/><text x="{width - 74}" y="{height - 100 + 16 * i}">{name}</text>')
    _write(path, parts)


def scatter(pairs, path):
    """Estimated against measured slowdown, logarithmic; hollow: left out of the fitting."""
    size, margin = 420, 45
    rows = [pair for pair in pairs if pair["estimate"] > 0]
    top = max(max(pair["ratio"], pair["estimate"]) for pair in rows)
    at = lambda value: (size - 2 * margin) * (math.log(max(value, 0.7)) - math.log(0.7)) / (math.log(top) - math.log(0.7))
    parts = [_HEAD.format(w=size, h=size),
             f'<line x1="{margin}" y1="{size - margin}" x2="{size - margin}" y2="{margin}" stroke="#bbb"/>']
    for tick in TICKS:
        if tick <= top:
            parts.append(f'<text x="{margin + at(tick):.1f}" y="{size - margin + 14}" text-anchor="middle">{tick:g}</text>'
                         f'<text x="{margin - 6}" y="{size - margin - at(tick) + 4:.1f}" text-anchor="end">{tick:g}</text>')
    parts.append(f'<text x="{size / 2}" y="{size - 8}" text-anchor="middle">estimated</text><text x="12" y="{size / 2}" text-anchor="middle" transform="rotate(-90 12 {size / 2})">measured</text>')
    for pair in rows:
        fill = "none" if pair["held_out"] else "#67a9cf"
        parts.append(f'<circle cx="{margin + at(pair["estimate"]):.1f}" cy="{size - margin - at(pair["ratio"]):.1f}" r="4" fill="{fill}" stroke="#2166ac"><title>{pair["name"]}</title></circle>')
    _write(path, parts)
