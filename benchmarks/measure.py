"""`python -m benchmarks`: measures one benchmark after the other in a process beside this one, so that a crash or a
hang costs no more than the benchmark that it is in, while those to come are being compiled."""

from __future__ import annotations

import json
import multiprocessing
import re
import subprocess
import sys
import threading
import time
import traceback
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

import numpy as np

from benchmarks import verify
from benchmarks.build import Built, BuiltByHand, build_all, jobs_of
from benchmarks.check import memory_of
from benchmarks.instance import Instance, bytes_of, sets_for
from benchmarks.memory import Called, Memory
from benchmarks.program import Benchmark, Size, floor_ratios, traffic_of
from benchmarks.programs import all_benchmarks, find
from benchmarks.row import Row, Table
from cladpy.diagnostics import CladpyError

WINDOWS = 15
SECONDS = 0.4  # for the windows of one time
PATIENCE = 90.0  # seconds for one benchmark
SETS = 64  # of arguments, at most


def measure_all(
    benchmarks: list[Benchmark], backend: str, arch: str, workers: int, deadline: float, folder: Path
) -> int:
    """0 if everything was right and could be timed."""
    jobs = [job for b in benchmarks for job in jobs_of(b, backend, arch)]
    results = build_all(jobs, workers)
    begun = time.monotonic()
    worker = Worker(backend)
    device = worker.ask("device", [], PATIENCE)
    name = device if isinstance(device, str) else "an unknown device"
    order = [b.name for b in all_benchmarks()]
    stem = "benchmarks-host" if backend == "host" else "benchmarks"
    table = Table(folder, stem, f"Gradients against primals and by hand on {name}", order)
    wrong = 0
    for benchmark in benchmarks:
        if deadline - time.monotonic() < 5:
            print(f"{benchmark.name}: not begun, the time is over", flush=True)
            wrong += 1
            continue
        built = [next(results) for _ in jobs_of(benchmark, backend, arch)]
        left = max(5.0, deadline - time.monotonic())
        start = time.monotonic()
        answer = worker.ask(benchmark.name, built, min(PATIENCE, left))
        row = answer if isinstance(answer, Row) else Row(benchmark.name, "", [str(answer)])
        wrong += bool(row.problems)
        _complete(row, benchmark, built)
        if benchmark.name in table.rows:
            row.frameworks_ms = table.rows[benchmark.name].frameworks_ms or row.frameworks_ms
        table.add(row)
        print(f"{_brief(row)} ({time.monotonic() - start:.0f} s, of {time.monotonic() - begun:.0f})", flush=True)
    if backend == "cuda" and deadline - time.monotonic() > 5:
        answer = worker.ask("overhead", [], min(PATIENCE, deadline - time.monotonic()))
        table.notes["overhead"] = str(answer)
        print(answer, flush=True)
    table.write()
    results.close()
    worker.end()
    return 1 if wrong else 0


def time_frameworks(benchmarks: list[Benchmark], deadline: float, folder: Path) -> int:
    """Puts the times of JAX and PyTorch into the rows of the table that is there; 0 if there were any."""
    table = Table(folder, "benchmarks", "", [b.name for b in all_benchmarks()])
    command = [sys.executable, "-m", "benchmarks.frameworks", "--only", ",".join(b.name for b in benchmarks)]
    best: dict[str, float] = {}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        killer = threading.Timer(max(1.0, deadline - time.monotonic()), process.kill)
        killer.daemon = True
        killer.start()
        assert process.stdout is not None
        for line in process.stdout:
            name, framework, milliseconds = json.loads(line)
            print(f"{name}, {framework}: {milliseconds:.4f} ms", flush=True)
            best[name] = min(milliseconds, best.get(name, milliseconds))
            if name in table.rows:
                table.rows[name].frameworks_ms = best[name]
                table.notes["frameworks"] = "Frameworks: measured on this machine where there is a number."
                table.write()
        killer.cancel()
    return 0 if best else 1


def _brief(row: Row) -> str:
    def shown(value: float | None) -> str:
        return "-" if value is None else f"{value:.2f}"

    problems = "; ".join(p.splitlines()[0][:300] for p in row.problems if p)
    return (
        f"{row.name}: primal {row.primal_ms or 0.0:.4f} ms, ratio {shown(row.ratio(0))} / {shown(row.ratio(1))}, "
        f"floor {shown(row.floor[0])} / {shown(row.floor[1])}, ours by hand {shown(row.against(None, 0))} / "
        f"{shown(row.against(None, 1))} {problems}"
    )


def _complete(row: Row, benchmark: Benchmark, built: list[Built | BuiltByHand]) -> None:
    goals = benchmark.goals
    row.limit, row.must, row.aim, row.frameworks_ms = goals.limit, goals.must, goals.aim, goals.frameworks_ms
    for each in built:
        if each.error:
            row.problems.append(each.error)
        elif isinstance(each, Built) and not each.fresh:
            row.tape = each.tape
            row.transform_s, row.compile_s = each.transform_seconds, each.compile_seconds
            row.resources = resources_of(benchmark, each)


def resources_of(benchmark: Benchmark, built: Built) -> str:
    """Of the primal and the gradient, for the size of block that is launched."""
    run = benchmark.setup(**benchmark.small)
    threads = int(np.prod(np.atleast_1d(run.block)))
    bound = next((b for b in (128, 256, 512) if threads <= b), 1024)
    function = re.split(r"[<:]", benchmark.function)[0]
    found = []
    for name, used in built.resources:
        if f"{function}_grad" in name:
            if "count" not in name and (f"ILi{bound}E" in name or "ILi" not in name):
                found.append(f"gradient {used}")
        elif re.search(rf"\d{function}(?![a-z_])", name):
            found.insert(0, f"primal {used}")
    return ", ".join(found)


# ---- the process that runs them ----


class Worker:
    """A process that measures, started anew after a crash, a hang or an error of the device."""

    def __init__(self, backend: str) -> None:
        self._backend = backend
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None

    def ask(self, name: str, built: list[Built | BuiltByHand], seconds: float, size: Size | None = None) -> object:
        """A row, or the times at this size; a text that says what went wrong."""
        if self._process is None:
            context = multiprocessing.get_context("spawn")
            self._pipe, other = context.Pipe()
            self._process = context.Process(target=serve, args=(self._backend, other), daemon=True)
            self._process.start()
            other.close()
        assert self._pipe is not None
        try:
            self._pipe.send((name, built, size))
            if not self._pipe.poll(seconds):
                self.end()
                return f"no answer within {seconds:.0f} s"
            answer, healthy = self._pipe.recv()
        except (EOFError, OSError):
            self._process.join(5)
            code = self._process.exitcode
            self.end()
            return f"the process that measured ended with {code}"
        if not healthy:
            self.end()
        return answer

    def end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join(10)
        self._process = self._pipe = None


def serve(backend: str, pipe: Connection) -> None:
    memory = memory_of(backend)
    while True:
        try:
            name, built, size = pipe.recv()
        except EOFError:
            return
        try:
            if name == "device":
                answer: object = getattr(memory, "name", "the CPU")
            elif name == "overhead":
                from benchmarks.overhead import describe

                answer = describe()
            elif size is not None:
                answer = scaled(memory, find(name), built, size)
            else:
                answer = measure(memory, find(name), built)
            pipe.send((answer, True))
        except Exception as error:
            traceback.print_exc()
            pipe.send((f"{type(error).__name__}: {error}", False))


def measure(memory: Memory, benchmark: Benchmark, built: list[Built | BuiltByHand]) -> Row:
    """Checks, then times: what is wrong is not timed."""
    gradients = {b.fresh: b for b in built if isinstance(b, Built) and not b.error}
    hand = next((b for b in built if isinstance(b, BuiltByHand) and not b.error), None)
    chosen = benchmark.small if memory.on_host else benchmark.full
    sizes = (f"{k}={v:,}" if isinstance(v, int) else f"{k}={v}" for k, v in chosen.items())
    row = Row(benchmark.name, ", ".join(sizes))
    if False not in gradients:
        return row
    added = gradients[False]
    try:
        findings = verify.small(memory, benchmark, added, gradients.get(True), hand)
    except CladpyError as error:
        # an error of the device is not to be got over; this process ends with it
        row.problems.append(f"at a small size: {type(error).__name__}: {error}")
        raise
    row.problems += [str(f) for f in findings if not f.ok]
    wrong = {f.judged for f in findings if not f.ok}
    if "added" in wrong:
        return row

    run = benchmark.setup(**chosen)
    differentiated = [added.parameters[i] for i in added.differentiated]
    sets = 2 if memory.on_host else sets_for(bytes_of(run, differentiated, added.parameters), SETS)
    instance = Instance(memory, benchmark, run, added, sets)
    row.floor = floor_ratios(traffic_of(benchmark, run, added.parameters), run.operations)
    stop = Stopwatch(instance, WINDOWS, SECONDS)
    row.primal_ms = stop.time(instance.primal())
    found: dict[bool, float] = {}
    hands: dict[str, dict[bool, float]] = {way.mapping: {} for way in benchmark.by_hand}
    for fresh, gradient in gradients.items():
        if fresh and "fresh" in wrong:
            continue
        problems = differences(instance, gradient, hand)
        row.problems += problems
        if problems:
            continue
        memory.pool_peak()
        found[fresh] = stop.time(instance.gradient(gradient))
        if not fresh:
            row.workspace_mb = memory.pool_peak() / 1e6
            row.peak_mb = instance.bytes_per_set / 1e6 + row.workspace_mb
            row.host_us = stop.enqueuing * 1e6
        if hand is not None and not (fresh and "by hand" in wrong):
            for k, way in enumerate(benchmark.by_hand):
                hands[way.mapping][fresh] = stop.time(instance.by_hand(hand, k, fresh=fresh))
    row.spread = stop.spread
    row.gradient_ms = (found.get(True), found.get(False))
    row.by_hand_ms = {m: (t.get(True), t.get(False)) for m, t in hands.items()}
    memory.free_all()
    return row


def differences(instance: Instance, gradient: Built, hand: BuiltByHand | None) -> list[str]:
    """How a gradient is wrong at full size, if it can be seen."""
    if hand is None:
        return []
    # the last one by hand has the shortest sums
    last = len(instance.benchmark.by_hand) - 1
    return [str(f) for f in verify.full(instance, gradient, hand, last) if not f.ok]


class Stopwatch:
    """Times calls of one instance, and remembers what is said about all of them."""

    def __init__(self, instance: Instance, windows: int, seconds: float) -> None:
        self._instance, self._windows, self._seconds = instance, windows, seconds
        self.spread = 0.0  # the widest
        self.enqueuing = 0.0  # seconds of the host, of the last

    def time(self, called: Called) -> float:
        """Milliseconds of a call."""
        instance = self._instance
        times = instance.memory.time(called, instance.packs, instance.state, self._windows, self._seconds)
        self.spread = max(self.spread, times.spread)
        self.enqueuing = times.enqueuing
        return times.seconds * 1e3


def scaled(memory: Memory, benchmark: Benchmark, built: list[Built | BuiltByHand], size: Size) -> list[float | None]:
    """Milliseconds of the primal, of `=` and of `+=` at this size, each right or None."""
    gradients = {b.fresh: b for b in built if isinstance(b, Built) and not b.error}
    hand = next((b for b in built if isinstance(b, BuiltByHand) and not b.error), None)
    if False not in gradients:
        return [None, None, None]
    added = gradients[False]
    run = benchmark.setup(**size)
    differentiated = [added.parameters[i] for i in added.differentiated]
    sets = 2 if memory.on_host else sets_for(bytes_of(run, differentiated, added.parameters), SETS)
    instance = Instance(memory, benchmark, run, added, sets)
    stop = Stopwatch(instance, WINDOWS, SECONDS / 2)
    found: list[float | None] = [stop.time(instance.primal())]
    for fresh in (True, False):
        right = fresh in gradients and not differences(instance, gradients[fresh], hand)
        found.append(stop.time(instance.gradient(gradients[fresh])) if right else None)
    memory.free_all()
    return found
