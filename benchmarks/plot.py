"""Lines over powers of two, as SVG."""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT = 720, 420
LEFT, RIGHT, TOP, BOTTOM = 64, 170, 44, 52
COLOURS = ("#3366aa", "#bb5522", "#448844", "#884488", "#777777", "#aa8800")
DASHES = ("", "7 3", "2 3", "9 3 2 3", "4 2", "1 2")  # so that colours are not needed to tell lines apart


@dataclass(frozen=True, slots=True)
class Series:
    name: str
    points: list[tuple[float, float]]


def plot(title: str, across: str, up: str, series: list[Series]) -> str:
    """Both axes are logarithmic to the base of two."""
    xs = [math.log2(x) for s in series for x, _ in s.points] or [0.0, 1.0]
    ys = [math.log2(y) for s in series for _, y in s.points] or [0.0, 1.0]
    x_low, x_high = math.floor(min(xs)), max(math.ceil(max(xs)), math.floor(min(xs)) + 1)
    y_low, y_high = min(0, math.floor(min(ys))), max(1, math.ceil(max(ys)))

    def place(x: float, y: float) -> tuple[float, float]:
        across_share = (x - x_low) / (x_high - x_low)
        up_share = (y - y_low) / (y_high - y_low)
        return LEFT + across_share * (WIDTH - LEFT - RIGHT), HEIGHT - BOTTOM - up_share * (HEIGHT - TOP - BOTTOM)

    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
        'font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        f'<text x="{LEFT}" y="24" font-size="15">{escape(title)}</text>',
    ]
    step = max(1, (x_high - x_low) // 8)
    for x in range(x_low, x_high + 1, step):
        px, bottom = place(x, y_low)
        lines.append(f'<line x1="{px:.1f}" y1="{TOP}" x2="{px:.1f}" y2="{bottom:.1f}" stroke="#dddddd"/>')
        power = f'2<tspan dy="-5" font-size="9">{x}</tspan>'
        lines.append(f'<text x="{px:.1f}" y="{bottom + 18:.1f}" text-anchor="middle">{power}</text>')
    for y in range(y_low, y_high + 1):
        left, py = place(x_low, y)
        lines.append(f'<line x1="{left}" y1="{py:.1f}" x2="{WIDTH - RIGHT}" y2="{py:.1f}" stroke="#dddddd"/>')
        lines.append(f'<text x="{left - 8}" y="{py + 4:.1f}" text-anchor="end">{2.0**y:g}</text>')
    middle = (TOP + HEIGHT - BOTTOM) / 2
    lines.append(
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 12}" text-anchor="middle">{escape(across)}</text>'
    )
    lines.append(f'<text transform="translate(18 {middle}) rotate(-90)" text-anchor="middle">{escape(up)}</text>')
    for k, one in enumerate(series):
        colour, dash = COLOURS[k % len(COLOURS)], DASHES[k % len(DASHES)]
        at = [place(math.log2(x), math.log2(y)) for x, y in one.points]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in at)
        style = f'fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="{dash}"'
        lines.append(f'<polyline points="{path}" {style}/>')
        lines += (f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in at)
        row = TOP + 14 + 20 * k
        lines.append(
            f'<line x1="{WIDTH - RIGHT + 14}" y1="{row - 4}" x2="{WIDTH - RIGHT + 44}" y2="{row - 4}" {style}/>'
        )
        lines.append(f'<text x="{WIDTH - RIGHT + 50}" y="{row}">{escape(one.name)}</text>')
    return "\n".join([*lines, "</svg>"]) + "\n"
