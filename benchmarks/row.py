"""What was found out about one benchmark, and the table of all."""

from __future__ import annotations

import json
import math
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

Pair = tuple["float | None", "float | None"]  # of `=` and of `+=`


@dataclass(slots=True)
class Row:
    name: str
    size: str
    problems: list[str] = field(default_factory=list)
    primal_ms: float | None = None
    gradient_ms: Pair = (None, None)
    by_hand_ms: dict[str, Pair] = field(default_factory=dict)  # by the mapping of threads
    floor: Pair = (None, None)
    limit: Pair = (None, None)
    must: Pair = (None, None)
    aim: Pair = (None, None)
    frameworks_ms: float | None = None
    spread: float = 0.0  # the widest of all times, relative
    host_us: float | None = None  # of the host for a call of the compiled gradient
    peak_mb: float | None = None  # arguments, adjoints and workspace
    workspace_mb: float | None = None
    tape: str = ""
    resources: str = ""
    transform_s: float | None = None
    compile_s: float | None = None

    def ratio(self, k: int) -> float | None:
        time = self.gradient_ms[k]
        return time / self.primal_ms if time is not None and self.primal_ms else None

    def against(self, mapping: str | None, k: int) -> float | None:
        """Our time in units of that of the gradient by hand: of one mapping, or the best."""
        times = [t[k] for m, t in self.by_hand_ms.items() if t[k] is not None and mapping in (None, m)]
        best = min((t for t in times if t is not None), default=None)
        ours = self.gradient_ms[k]
        return ours / best if ours is not None and best else None


def _shown(value: float | None, digits: int = 2) -> str:
    return "" if value is None else f"{value:.{digits}f}"


def _both(pair: Pair, digits: int = 2) -> str:
    return f"{_shown(pair[0], digits) or '-'} / {_shown(pair[1], digits) or '-'}" if any(pair) else ""


def _milliseconds(value: float | None) -> str:
    return "" if value is None else f"{value:.4f}" if value < 1 else f"{value:.2f}"


def _judged(row: Row) -> str:
    """Which of the figures are reached."""
    words = []
    for k, how in enumerate(("=", "+=")):
        ratio, must, aim = row.ratio(k), row.must[k], row.aim[k]
        if ratio is None or must is None:
            continue
        reached = "aim" if aim is not None and ratio <= aim else "must" if ratio <= must else "**missed**"
        words.append(f"{how} {reached}")
    return ", ".join(words)


HEADER = (
    "| benchmark | primal ms | gradient ms = / += | ratio = / += | floor | limit | must | aim | reached | "
    "by hand ms = / += | ours / by hand, same mapping | ours / best by hand | frameworks ms |"
)
DETAILS = (
    "| benchmark | size | peak MB | workspace MB | tape of a thread | registers and stack | transform s | nvcc s | "
    "host µs | spread |"
)


def _line(row: Row) -> str:
    if row.primal_ms is None:
        return f"| {row.name} | {' | '.join(['not timed', *[''] * 11])} |"
    ratios = (row.ratio(0), row.ratio(1))
    hands = "; ".join(
        f"{mapping}: {_milliseconds(t[0]) or '-'} / {_milliseconds(t[1]) or '-'}"
        for mapping, t in row.by_hand_ms.items()
    )
    same = (row.against("same", 0), row.against("same", 1))
    best = (row.against(None, 0), row.against(None, 1))
    times = f"{_milliseconds(row.gradient_ms[0]) or '-'} / {_milliseconds(row.gradient_ms[1]) or '-'}"
    cells = [
        *(row.name, _milliseconds(row.primal_ms), times, _both(ratios), _both(row.floor), _both(row.limit)),
        *(_both(row.must), _both(row.aim), _judged(row), hands, _both(same), _both(best)),
        _milliseconds(row.frameworks_ms),
    ]
    return f"| {' | '.join(cells)} |"


def _detail(row: Row) -> str:
    cells = [
        *(row.name, row.size, _shown(row.peak_mb, 0), _shown(row.workspace_mb, 0), row.tape, row.resources),
        *(_shown(row.transform_s), _shown(row.compile_s, 1), _shown(row.host_us, 1), f"{row.spread:.0%}"),
    ]
    return f"| {' | '.join(cells)} |"


def geometric_mean(values: list[float]) -> float | None:
    return math.exp(sum(math.log(v) for v in values) / len(values)) if values else None


def _summary(rows: list[Row]) -> list[str]:
    lines = []
    for k, how in enumerate(("=", "+=")):
        found = [(r.against("same", k), r.name) for r in rows]
        ratios = [(v, name) for v, name in found if v is not None]
        if ratios:
            mean, (worst, name) = geometric_mean([v for v, _ in ratios]), max(ratios)
            lines.append(
                f"- ours / by hand in the primal's mapping, `{how}`: geometric mean {mean:.2f} of {len(ratios)}, "
                f"largest {worst:.2f} ({name})"
            )
    slower = [
        r.name for r in rows if r.frameworks_ms and r.gradient_ms[0] is not None and r.gradient_ms[0] > r.frameworks_ms
    ]
    lines.append(f"- slower than the fastest framework: {', '.join(slower) or 'none'}")
    missed = [r.name for r in rows if "missed" in _judged(r)]
    lines.append(f"- figures missed: {', '.join(missed) or 'none'}")
    return lines


class Table:
    """All rows, on disk after each that is added: as JSON, with those of earlier runs, and as Markdown. A title says
    on which machine; without one it keeps that of the earlier runs."""

    def __init__(self, folder: Path, stem: str, title: str, order: list[str]) -> None:
        self._json, self._markdown = folder / f"{stem}.json", folder / f"{stem}.md"
        self._title, self._order = title, order
        self.notes: dict[str, str] = {}
        self.rows: dict[str, Row] = {}
        folder.mkdir(parents=True, exist_ok=True)
        if self._json.exists():
            stored = json.loads(self._json.read_text(encoding="utf-8"))
            if title not in ("", stored["title"]):
                return  # of another machine
            self._title, self.notes = stored["title"], stored["notes"]
            for values in stored["rows"]:
                row = Row(**{k: _untupled(v) for k, v in values.items()})
                self.rows[row.name] = row

    def add(self, row: Row) -> None:
        self.rows[row.name] = row
        self.write()

    def write(self) -> None:
        rows = [self.rows[name] for name in self._order if name in self.rows]
        stored = {"title": self._title, "notes": self.notes, "rows": [asdict(row) for row in rows]}
        self._json.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")
        self._markdown.write_text("\n".join(self._lines(rows)) + "\n", encoding="utf-8")

    def _lines(self, rows: list[Row]) -> list[str]:
        def ruled(header: str) -> list[str]:
            return [header, "|" + "---|" * (header.count("|") - 1)]

        problems = [f"- {r.name}: {' '.join(p.split())}" for r in rows for p in r.problems]
        return [
            *(f"# {self._title}", "", f"`python -m benchmarks`, {time.strftime('%Y-%m-%d')}. " + EXPLAINED, ""),
            *(*ruled(HEADER), *(_line(r) for r in rows), "", *_summary(rows), ""),
            *([*(f"- {text}" for text in self.notes.values()), ""] if self.notes else []),
            *(["## What is wrong, refused or left out", "", *problems, ""] if problems else []),
            *("## Resources", "", *ruled(DETAILS), *(_detail(r) for r in rows)),
        ]


EXPLAINED = (
    "Medians of windows of calls between two CUDA events, which enqueue behind a busy device, with arguments rotated "
    "past the L2 and cotangents restored before each window; everything that a call enqueues is in them. `=`: adjoints "
    "of inputs start at zero and the cotangent is not used afterwards; `+=`: neither is promised. Ratios are those of "
    "gradient to primal; the floor is what bytes and operations allow. Frameworks: the faster of JAX and "
    "torch.compile, as measured before."
)


def _untupled(value: Any) -> Any:
    if isinstance(value, list) and len(value) == 2 and not any(isinstance(v, str) for v in value):
        return tuple(value)
    if isinstance(value, dict):
        return {k: _untupled(v) for k, v in value.items()}
    return value
