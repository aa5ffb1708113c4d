"""`python -m benchmarks --host`: gradients against their primals on the CPU, as users' calls run there: on all cores,
threads of a block as loops.

Every gradient is compared with central differences at a small size first. At the large size, whose arrays do not fit
into the caches together, primal and gradients are called in turn, and the table has the medians.
"""

from __future__ import annotations

import ctypes
import json
import math
import os
import platform
import statistics
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from benchmarks import verify
from benchmarks.build import build
from benchmarks.enzyme import LOOPS, enzyme_gradient
from benchmarks.frameworks import FUNCTIONS, arguments, jax_gradient
from benchmarks.instance import Instance
from benchmarks.memory import Called, HostMemory, check
from benchmarks.program import Benchmark, Run, Size

ROUNDS, SECONDS = 15, 2.0  # at most, for one benchmark
SHOWN = ("primal", "fresh", "added", "jax", "enzyme")

# Where the size for a GPU would take too long, or too much memory.
SIZES: dict[str, Size] = {
    "attention": {"heads": 4, "length": 512},
    "binomial_options": {"options": 64, "steps": 255},
    "nbody": {"n": 2048},
    "lj_neighbours": {"edge": 40},
    "lbm_d2q9": {"nx": 1024, "ny": 1024},
    "lbm_d3q19": {"nx": 96, "ny": 96, "nz": 96},
    "lbm_100_steps": {"nx": 64, "ny": 64, "nz": 64, "steps": 10},
    "xs_one_channel": {"lookups": 16384, "nuclides": 355, "points": 4000, "channels": 1},
    "xs_five_channels": {"lookups": 16384, "nuclides": 355, "points": 4000, "channels": 5},
    "eigen_3x3": {"n": 524288},
    "embedding": {"count": 8192, "columns": 768, "words": 50257, "length": 1024},
    "stencil_3d": {"nx": 256, "ny": 256, "nz": 128},
    "burgers": {"nx": 2048, "ny": 2048},
    "burgers_10_steps": {"nx": 1024, "ny": 1024, "steps": 10},
    "matmul_bias": {"rows": 512, "columns": 512, "depth": 256},
    "convolution": {"images": 4, "inputs": 16, "channels": 16, "edge": 130},
    "gemm512": {"n": 512},
    "gemm4096": {"n": 512},
    "multipoles": {"lookups": 16384, "nuclides": 355, "poles": 1000, "windows": 100},
    "layer_norm": {"rows": 16384, "columns": 768},
    "rms_norm": {"rows": 16384, "columns": 768},
    "path_greeks": {"n": 131072, "steps": 80},
    "volume_rendering": {"rays": 65536, "count": 128},
    "loopn": {"n": 1048576, "m": 64},
    "rec256": {"n": 262144, "m": 256},
    "softmax": {"rows": 256, "columns": 50257},
    "cross_entropy": {"rows": 256, "columns": 50257},
    "state_space": {"channels": 512, "steps": 1024, "sequences": 8},
    **{
        name: {"n": 8388608}
        for name in ("gelu", "silu", "residual", "square", "elem", "mathy", "bcast", "bs", "bs_all")
    },
    "blockred": {"n": 8388608},
}


def measure_host(benchmarks: Iterable[Benchmark], folder: Path, deadline: float) -> int:
    """0 if everything was right and could be timed. Benchmarks that were measured before stay in the table."""
    folder.mkdir(parents=True, exist_ok=True)
    kept = folder / "host.json"
    rows: dict[str, dict[str, Any]] = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {}
    wrong = 0
    for benchmark in benchmarks:
        if time.monotonic() > deadline:
            print(f"{benchmark.name}: not begun, the time is over", flush=True)
            wrong += 1
            continue
        try:
            row = measured(benchmark)
        except Exception as error:  # even one that should not be: the others go on
            row = {"problems": [f"{type(error).__name__}: {str(error)[:300]}"]}
        wrong += bool(row["problems"])
        rows[benchmark.name] = row
        print(_line(benchmark.name, row), flush=True)
        kept.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
        (folder / "host.md").write_text(table(rows), encoding="utf-8")
    return 1 if wrong else 0


def measured(benchmark: Benchmark) -> dict[str, Any]:
    """A row: milliseconds of the primal and of the gradients."""
    built = {fresh: build(benchmark, fresh, "host", "", workers=True) for fresh in (False, True)}
    if not benchmark.inputs:
        del built[True]
    problems = [b.error for b in built.values() if b.error]
    if problems:
        return {"problems": problems}
    memory = HostMemory()
    found = verify.small(memory, benchmark, built[False], built.get(True), None)
    problems = [str(f) for f in found if not f.ok]
    size = SIZES.get(benchmark.name, benchmark.full)
    run = benchmark.setup(**size)
    instance = Instance(memory, benchmark, run, built[False], 1)
    calls = {"primal": instance.primal(), "added": instance.gradient(built[False])}
    if True in built:
        calls["fresh"] = instance.gradient(built[True])
    others = {"jax": _in_jax(benchmark, built[False].parameters, size)}
    others["enzyme"] = _by_enzyme(benchmark, built[False].parameters, run)
    taken = _in_turn(instance, calls, {name: other for name, other in others.items() if other is not None})
    times = {name: statistics.median(t) * 1e3 for name, t in taken.items()}
    memory.free_all()
    shown = ", ".join(f"{k}={v:,}" for k, v in size.items())
    return {"size": shown, "machine": machine(), **times, "problems": problems}


def _in_turn(
    instance: Instance, calls: dict[str, Called], others: dict[str, Callable[[], object]]
) -> dict[str, list[float]]:
    """Seconds of each call, warmed up, with the same arguments every time."""
    taken: dict[str, list[float]] = {name: [] for name in (*calls, *others)}
    begun = time.monotonic()
    for turn in range(ROUNDS + 1):
        for name, called in calls.items():
            instance.restore()
            called.before(0)
            record = called.record
            start = time.perf_counter()
            check(called.function(ctypes.byref(record), instance.packs[0]))
            if turn:
                taken[name].append(time.perf_counter() - start)
        for name, other in others.items():
            start = time.perf_counter()
            other()
            if turn:
                taken[name].append(time.perf_counter() - start)
        if turn >= 3 and time.monotonic() - begun > SECONDS:
            break
    return taken


def _in_jax(benchmark: Benchmark, parameters: tuple[str, ...], size: Size) -> Callable[[], object] | None:
    """The gradient of the same computation in JAX on the CPU, compiled; None where there is none, or no JAX."""
    if benchmark.name not in FUNCTIONS:
        return None
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    try:
        import jax
    except ImportError:
        return None
    at, inputs = arguments(benchmark, list(parameters), size)
    gradient = jax_gradient(FUNCTIONS[benchmark.name], at, inputs, 1)
    return lambda: jax.block_until_ready(gradient(0))


def _by_enzyme(benchmark: Benchmark, parameters: tuple[str, ...], run: Run) -> Callable[[], object] | None:
    """Enzyme's gradient of the same loop; None where there is none, or no Enzyme."""
    if benchmark.name not in LOOPS:
        return None
    try:
        (output,) = benchmark.output_names
        values = dict(zip(parameters, run.values, strict=True))
        return enzyme_gradient(benchmark.name, values, output, benchmark.input_names)
    except ImportError:
        return None


def ratio(row: dict[str, Any], which: str) -> float | None:
    return row[which] / row["primal"] if row.get("primal") and row.get(which) else None


def _line(name: str, row: dict[str, Any]) -> str:
    shown = ", ".join(f"{w} {row[w]:.2f} ms" for w in SHOWN if w in row)
    ratios = " / ".join(f"{r:.2f}" for r in (ratio(row, "fresh"), ratio(row, "added")) if r is not None)
    return f"{name}: {shown}; ratio {ratios} {'; '.join(p.splitlines()[0] for p in row['problems'])}"


def table(rows: dict[str, dict[str, Any]]) -> str:
    return "\n".join([*_text(rows), ""])


def _text(rows: dict[str, dict[str, Any]]) -> Iterator[str]:
    yield "# Gradients against primals on a CPU"
    yield ""
    machines = list(dict.fromkeys(row.get("machine", "a machine that is not known") for row in rows.values()))
    if len(machines) == 1:
        yield f"`python -m benchmarks --host` on {machines[0]}."
    else:
        yield "`python -m benchmarks --host`, on several machines:"
        yield from (f"({number}) {machine}." for number, machine in enumerate(machines, 1))
    yield "Times are medians of calls in turn; `=` is the gradient with `fresh` and `consumed`, `+=` that without."
    yield "JAX computes the same from arrays, on the CPU, if it is installed and has such a form; Enzyme differentiates"
    yield "the same as a loop in C++ (benchmarks/enzyme.py), on one core, where `enzyme_ad` is installed."
    yield ""
    yield "| benchmark | size | primal, ms | `=`, ms | `+=`, ms | JAX, ms | Enzyme, ms | `=` / primal | `+=` / primal |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for name, row in rows.items():
        if row["problems"] or "primal" not in row:
            yield f"| {name} | {'; '.join(p.splitlines()[0] for p in row['problems'])} | | | | | | | |"
            continue
        cells = [f"{row[w]:.2f}" if w in row else "" for w in SHOWN]
        ratios = [f"{r:.2f}" if r is not None else "" for r in (ratio(row, "fresh"), ratio(row, "added"))]
        where = f" ({machines.index(row['machine']) + 1})" if len(machines) > 1 and "machine" in row else ""
        yield f"| {name}{where} | {' | '.join([row['size'], *cells, *ratios])} |"
    yield ""
    for which, sign in (("fresh", "="), ("added", "+=")):
        found = [r for row in rows.values() if not row["problems"] and (r := ratio(row, which)) is not None]
        if found:
            mean = math.exp(statistics.fmean(map(math.log, found)))
            yield f"`{sign}`: {mean:.2f} as a geometric mean of {len(found)}, {max(found):.2f} at most."
    for name, key in (("JAX", "jax"), ("Enzyme", "enzyme")):
        beside = [row[key] / min(row[w] for w in ("fresh", "added") if w in row) for row in rows.values() if key in row]
        if beside:
            mean = math.exp(statistics.fmean(map(math.log, beside)))
            slower = sum(r < 1 for r in beside)
            yield (
                f"{name}: {mean:.2f} times the better of the two as a geometric mean of {len(beside)}, "
                f"faster in {slower}."
            )


def machine() -> str:
    return f"{_processor()}, {os.cpu_count()} cores, Python {platform.python_version()}"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or "an unknown processor"
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())
