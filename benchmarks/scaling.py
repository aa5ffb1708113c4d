"""`python -m benchmarks --scaling`: how the ratio of gradient to primal goes with the number of threads, and with the
work of each, for four programs of different kinds each."""

from __future__ import annotations

import json
import time
from pathlib import Path

from benchmarks.build import Built, BuiltByHand, build_all, jobs_of
from benchmarks.measure import PATIENCE, Worker
from benchmarks.plot import Series, plot
from benchmarks.programs import all_benchmarks

THREADS = [1 << k for k in range(10, 27, 2)]
WORK = [1 << k for k in range(0, 13, 2)]
ON_HOST = 3  # points, to try the script


def scale(backend: str, arch: str, workers: int, deadline: float, folder: Path) -> int:
    """Measures, keeps what it finds in scaling.json after each point, and draws. 0 if all could be measured."""
    chosen = [b for b in all_benchmarks() if b.by_threads or b.by_work]
    jobs = [job for b in chosen for job in jobs_of(b, backend, arch)]
    built: dict[str, list[Built | BuiltByHand]] = {}
    for job, result in zip(jobs, build_all(jobs, workers), strict=True):
        built.setdefault(job[0], []).append(result)
    worker = Worker(backend)
    kept: dict[str, dict[str, list[list[float | None]]]] = {}
    missing = 0
    folder.mkdir(parents=True, exist_ok=True)
    for kind, extents in (("threads", THREADS), ("work", WORK)):
        for benchmark in chosen:
            sized = benchmark.by_threads if kind == "threads" else benchmark.by_work
            for extent in extents[:ON_HOST] if backend == "host" else extents:
                left = deadline - time.monotonic()
                if sized is None or left < 5:
                    missing += sized is not None
                    continue
                answer = worker.ask(benchmark.name, built[benchmark.name], min(PATIENCE, left), sized(extent))
                if not isinstance(answer, list):
                    print(f"{benchmark.name}, {extent} {kind}: {answer}", flush=True)
                    missing += 1
                    continue
                kept.setdefault(kind, {}).setdefault(benchmark.name, []).append([float(extent), *answer])
                _write(folder, kept)
                print(f"{benchmark.name}, {extent} {kind}: {_words(answer)}", flush=True)
    worker.end()
    draw(folder)
    return 1 if missing else 0


def _words(times: list[float | None]) -> str:
    primal, fresh, added = times
    shown = [f"{t / primal:.2f}" if t is not None and primal else "wrong" for t in (fresh, added)]
    return f"primal {primal or 0.0:.4f} ms, ratio {' / '.join(shown)}"


def _write(folder: Path, kept: object) -> None:
    (folder / "scaling.json").write_text(json.dumps(kept) + "\n", encoding="utf-8")


def draw(folder: Path) -> None:
    """The plots of what was measured: scaling-threads.svg and scaling-work.svg."""
    kept = json.loads((folder / "scaling.json").read_text(encoding="utf-8"))
    titles = {
        "threads": ("threads", "Ratio by the number of threads"),
        "work": ("steps", "Ratio by the work of a thread"),
    }
    for kind, (axis, title) in titles.items():
        series = [
            Series(name, [(p[0], p[2] / p[1]) for p in points if p[2] is not None and p[1]])
            for name, points in kept.get(kind, {}).items()
        ]
        text = plot(title, axis, "gradient / primal (=)", [s for s in series if s.points])
        (folder / f"scaling-{kind}.svg").write_text(text, encoding="utf-8")
