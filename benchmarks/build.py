"""From a benchmark to libraries: its gradients, and those by hand, compiled in parallel and kept in the cache."""

from __future__ import annotations

import re
import shutil
import subprocess
import time
from collections.abc import Generator, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from benchmarks.program import Benchmark
from benchmarks.programs import find
from cladpy.diagnostics import ToolchainError
from cladpy.ir.symbols import FunctionKind
from cladpy.options import Options
from cladpy.pipeline import differentiate
from cladpy.runtime.built import build_library
from cladpy.source import Source
from cladpy.toolchain import compile_cuda, compile_host

HERE = Path(__file__).resolve().parent
PROGRAMS = HERE / "programs"
HEADER = HERE / "by_hand.h"


@dataclass(frozen=True, slots=True)
class Built:
    """A compiled gradient, or what went wrong."""

    benchmark: str
    fresh: bool
    error: str = ""
    library: Path = Path()
    parameters: tuple[str, ...] = ()
    differentiated: tuple[int, ...] = ()  # positions of the parameters that have adjoints
    kernel: bool = True
    is_program: bool = False
    tape: str = ""  # what a thread's tape takes
    transform_seconds: float = 0.0
    compile_seconds: float = 0.0
    resources: tuple[tuple[str, str], ...] = ()  # of each kernel


@dataclass(frozen=True, slots=True)
class BuiltByHand:
    """The compiled gradients of a benchmark that were written by hand: `run_0`, `run_1`, … for `+=`, then for `=`."""

    benchmark: str
    error: str = ""
    library: Path = Path()
    resources: tuple[tuple[str, str], ...] = ()


def build(benchmark: Benchmark, fresh: bool, backend: str, arch: str, *, workers: bool = False) -> Built:
    """The gradient; `fresh` with the promises that allow `=`, for the host with or without `workers`."""
    start = time.perf_counter()
    try:
        source = Source.load(benchmark.source)
        options = Options.make(
            fresh=benchmark.inputs if fresh else "", consumed=benchmark.outputs if fresh else "", arch=arch or None
        )
        derivative = differentiate(source, benchmark.function, benchmark.args, options, backend)
        transformed = time.perf_counter()
        library = build_library(derivative, arch or None, workers=workers)
        compiled = time.perf_counter()
    except Exception as error:  # even one that should not be: the others go on
        return Built(benchmark.name, fresh, f"{type(error).__name__}: {str(error)[:1500]}")
    path = Path(str(library.handle._name))
    if derivative.globals:  # their libraries are copies, each with variables of its own
        return Built(benchmark.name, fresh, "a benchmark's kernel has no variables at namespace scope")
    taken = path.with_suffix(".seconds")  # of a library that was in the cache, when it was compiled
    if not taken.exists():
        taken.write_text(str(compiled - transformed), encoding="utf-8")
    return Built(
        benchmark.name,
        fresh,
        "",
        path,
        tuple(p.name for p in derivative.parameters),
        tuple(a.parameter for a in derivative.adjoints),
        derivative.kind is FunctionKind.KERNEL,
        derivative.is_program,
        tape_of(derivative.code),
        transformed - start,
        float(taken.read_text(encoding="utf-8")),
        resources(path) if backend == "cuda" else (),
    )


def build_by_hand(benchmark: Benchmark, backend: str, arch: str) -> BuiltByHand:
    try:
        path = compile_by_hand(benchmark, backend, arch)
    except ToolchainError as error:
        return BuiltByHand(benchmark.name, f"{type(error).__name__}: {str(error)[:1500]}")
    return BuiltByHand(benchmark.name, "", path, resources(path) if backend == "cuda" else ())


def compile_by_hand(benchmark: Benchmark, backend: str, arch: str) -> Path:
    """A library with an entry for each that the benchmark names, as cladpy's own libraries have. Raises
    ToolchainError."""
    expressions = [b.expression.format(fresh=fresh) for fresh in ("false", "true") for b in benchmark.by_hand]
    text = f'#include "{HEADER}"\n#include "{benchmark.file}_by_hand.cu"\n'
    for k, expression in enumerate(expressions):
        text += (
            f'extern "C" __attribute__((visibility("default"))) int run_{k}(const benchmarks::launch_record *at, '
            f"void **args) {{ return benchmarks::call(&{expression}, at, args); }}\n"
        )
    files = [HEADER, benchmark.folder / f"{benchmark.file}_by_hand.cu", benchmark.source]
    if backend == "cuda":
        return compile_cuda(text, dependencies=files, include_directories=[benchmark.folder], arch=arch or None)
    # the host backend finds the arrays of a launch in the text that it compiles
    return compile_host(text, dependencies=files, include_directories=[benchmark.folder])


def architecture() -> str:
    """Of the first GPU, as `sm_90`; nothing where that cannot be found out."""
    tool = shutil.which("nvidia-smi")
    if tool is None:
        return ""
    command = [tool, "--query-gpu=compute_cap", "--format=csv,noheader"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = re.match(r"(\d+)\.(\d+)", done.stdout)
    return f"sm_{found[1]}{found[2]}" if found else ""


def tape_of(code: str) -> str:
    """What a thread keeps for the reverse sweep, as the gradient's text has it."""
    local = [8 * int(slots) for slots in re.findall(r"cladpy::local_tape<(\d+)>", code)]
    parts = [f"{max(local)} B local"] if local else []
    states = [
        16
        * int(levels)
        * sum(1 if "bool" in n else 4 if re.search(r"\b(float|int)\b", n) else 8 for n in numbers.split(","))
        for levels, numbers in re.findall(r"cladpy::checkpoint_memory<(\d+), ([^>]+)>", code)
    ]
    if states:
        parts.append(f"{sum(states)} B checkpoints")
    if re.search(r"cladpy::(narrow_workspace|workspace|guarded|logging)_tape", code):
        parts.append("workspace")
    return ", ".join(parts) or "none"


def resources(library: Path) -> tuple[tuple[str, str], ...]:
    """Registers and stack of each kernel, where cuobjdump is there to ask."""
    tool = shutil.which("cuobjdump") or shutil.which("cuobjdump", path="/usr/local/cuda/bin")
    if tool is None:
        return ()
    done = subprocess.run([tool, "-res-usage", str(library)], capture_output=True, text=True, check=False)
    found = re.findall(r"Function (\S+):\s*REG:(\d+) STACK:(\d+)", done.stdout)
    return tuple((name, f"{registers} registers, {stack} B stack") for name, registers, stack in found)


Job = tuple[str, str, str, str]  # a benchmark; "added", "fresh" or "by hand"; backend; architecture


def run_job(job: Job) -> Built | BuiltByHand:
    name, what, backend, arch = job
    benchmark = find(name)
    if what == "by hand":
        return build_by_hand(benchmark, backend, arch)
    return build(benchmark, what == "fresh", backend, arch)


def jobs_of(benchmark: Benchmark, backend: str, arch: str) -> Iterator[Job]:
    """What to compile; where all is updated in place, nothing can be promised."""
    yield benchmark.name, "added", backend, arch
    if benchmark.inputs:
        yield benchmark.name, "fresh", backend, arch
    if benchmark.by_hand:
        yield benchmark.name, "by hand", backend, arch


def build_all(jobs: list[Job], workers: int) -> Generator[Built | BuiltByHand, None, None]:
    """In the order of the jobs, each as soon as it is there; others go on meanwhile."""
    if workers <= 1:
        yield from map(run_job, jobs)
        return
    pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"))
    try:
        yield from pool.map(run_job, jobs)
    finally:
        pool.shutdown(cancel_futures=True)
