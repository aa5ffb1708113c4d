"""How long compilers take for gradients, in proportion to the lines emitted.

usage: python -m benchmarks.compile_time [--output FILE] [--every N] [--only NAME] [--sizes N]

Emits the gradients of chains of values (`benchmarks.chains`), of straight-line kernels, and of the kernels of the
tests' table, a unit for each file (every N-th with --every N, none with 0), and runs each stage of nvcc by itself, g++
on the host backend's text, and hipcc where it is. Times are the processor's; what the headers take is taken off, and of
the table's files what the original takes.
Ends with 1 if a stage takes longer for a line than the limit, or does not end in ten minutes.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.chains import integers, poles, polynomials, products, squarings
from benchmarks.transform import straight_line
from cladpy.derivative import Derivative
from cladpy.diagnostics import ToolchainError
from cladpy.options import Options
from cladpy.pipeline import differentiate
from cladpy.resources import include_dirs
from cladpy.source import Source
from cladpy.toolchain.discovery import Tool, find_hipcc, find_host_compiler, find_nvcc

# Milliseconds for a line, where there are a hundred lines. LLVM's allocation of registers for AMD's GPUs looks for what
# to evict among all that is live at once: where that is more than there are registers, as in the chains of a thousand
# steps, its time grows with the square. ptxas takes longer for a line where a kernel has thousands.
LIMIT = 10.0
LIMITS = {"ptxas": 15.0, "hipcc": 50.0}
_LIMITS = ", ".join([f"{LIMIT:g} ms", *(f"{stage} {limit:g} ms" for stage, limit in LIMITS.items())])
SECONDS = 600
STAGES = ("cudafe++", "cicc", "ptxas", "g++", "hipcc")
RESULTS = Path(__file__).parent / "results" / "compile-time.md"

FAMILIES: tuple[tuple[str, Callable[[int], str], tuple[int, ...]], ...] = (
    ("squarings", squarings, (10, 100, 1000)),
    ("complex products", products, (10, 100, 1000)),
    ("polynomials", polynomials, (10, 100, 1000)),
    ("integers", integers, (10, 100, 1000)),
    ("poles", poles, (1, 4, 16)),
    ("straight-line", straight_line, (1000, 5000)),
)


@dataclass(frozen=True)
class Unit:
    name: str
    texts: dict[str, str]  # by the target
    lines: dict[str, int]
    transformed: float  # seconds
    originals: dict[str, str] | None = None  # of the table: the same without what is emitted


def seconds_of(command: list[str], folder: Path, environment: dict[str, str]) -> float:
    """The processor's time. Raises ToolchainError where the command fails, or does not end."""

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))

    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=limited,  # which a compiler's own processes inherit
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise ToolchainError(f"{Path(command[0]).name} failed or did not end: {done.stderr[-500:]}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def places(target: str) -> list[str]:
    return [part for folder in include_dirs(target) for part in ("-I", folder)]


def stages_of_nvcc(tool: Tool, folder: Path) -> dict[str, float]:
    """The commands that nvcc says it would run, one by one."""
    flags = ["-std=c++17", "-arch=sm_90", "-O3", "--expt-relaxed-constexpr", "--extended-lambda", *places("cuda")]
    command = [tool.path, *tool.flags, *flags, "--dryrun", "-cubin", "unit.cu", "-o", "unit.cubin"]
    environment = {**dict(tool.environment), "TMPDIR": str(folder)}
    # what runs on a GPU, and what the host's compiler would be given
    found: dict[str, float] = {}
    for wanted in (command, [part.replace("-cubin", "-cuda") for part in command]):
        shown = subprocess.run(
            wanted, cwd=folder, env={**os.environ, **environment}, capture_output=True, text=True, check=True
        )
        lines = [line.removeprefix("#$ ") for line in shown.stderr.splitlines() if line.startswith("#$ ")]
        settings = "\n".join(
            f"export {line}" for line in lines if re.match(r"(PATH|CICC_PATH|NVVMIR_LIBRARY_DIR)=", line)
        )
        for line in lines:
            if re.match(r"\w+=|rm ", line):
                continue
            taken = seconds_of(["bash", "-c", f"{settings}\n{line}"], folder, environment)
            stage = next((s for s in STAGES[:3] if re.match(rf'"?[^ ]*{re.escape(s)}"? ', line)), "")
            if stage and (stage == "cudafe++") == (wanted is not command):
                found[stage] = found.get(stage, 0.0) + taken
    return found


def measure(unit: Unit, texts: dict[str, str]) -> dict[str, float]:
    """The seconds of each stage; those of a compiler that failed are infinitely many. Those whose compiler is not here
    are left out."""
    found: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "unit.cu").write_text(texts["cuda"])
        (folder / "unit.cpp").write_text(texts["host"])
        (folder / "unit.hip").write_text(texts["hip"])
        try:
            found |= stages_of_nvcc(find_nvcc(), folder)
        except ToolchainError as error:
            print(f"{unit.name}: {error}", file=sys.stderr)
            found |= dict.fromkeys(STAGES[:3], float("inf"))
        try:
            host = find_host_compiler()
            flags = ["-std=c++17", "-O2", "-pthread", "-ffp-contract=off", *places("host"), "-c", "unit.cpp"]
            found["g++"] = seconds_of([host.path, *host.flags, *flags], folder, {})
        except ToolchainError as error:
            print(f"{unit.name}: {error}", file=sys.stderr)
            found["g++"] = float("inf")
        try:
            hip = find_hipcc()
            flags = ["-x", "hip", "--offload-arch=gfx90a", "--cuda-device-only", "-std=c++17", "-O3", *places("hip")]
            found["hipcc"] = seconds_of([hip.path, *hip.flags, *flags, "-c", "unit.hip"], folder, dict(hip.environment))
        except ToolchainError as error:  # some versions of HIP lack what CUDA has
            print(f"{unit.name}: {error}", file=sys.stderr)
    return found


def of_family(name: str, text: str, size: int) -> Unit:
    start = time.process_time()
    derivatives = {
        target: differentiate(Source.load(text), "kernel", "x, y", Options.make(), target)
        for target in ("cuda", "host", "hip")
    }
    taken = (time.process_time() - start) / len(derivatives)
    texts = {target: d.code for target, d in derivatives.items()}
    return Unit(f"{name} {size}", texts, {t: lines_of(d) for t, d in derivatives.items()}, taken)


def lines_of(derivative: Derivative) -> int:
    return derivative.fragment.count("\n")


def of_table(every: int, only: str) -> Iterator[Unit]:
    """A unit for each file of the tests' table (of those named like `only`, every so many), with all its gradients."""
    from tests.emitted.units import derivative_of, fragments, unit_of
    from tests.kernels.cases import GRADIENTS

    files = sorted({case.file for case in GRADIENTS if only in f"table: {case.file}"})
    for file in files[::every]:
        cases = [case for case in GRADIENTS if case.file == file]
        texts, originals, lines, seconds = {}, {}, {}, 0.0
        for target in ("cuda", "host", "hip"):
            start = time.process_time()
            derivatives = [derivative_of(str(c.path), c.function, c.args, target) for c in cases]
            seconds = time.process_time() - start
            with tempfile.TemporaryDirectory() as folder:
                unit = unit_of(file, cases[0].path.read_text(), derivatives, Path(folder))
                source = f'#include "source/{file}.cu"'
                texts[target] = unit.read_text().replace(source, cases[0].path.read_text())
                originals[target] = texts[target].replace(fragments(derivatives), "")
            lines[target] = sum(map(lines_of, derivatives))
        yield Unit(f"table: {file}", texts, lines, seconds, originals)


def row(unit: Unit, base: dict[str, float]) -> tuple[str, bool]:
    """A line of the table, and whether no stage takes longer for a line than its limit."""
    found = measure(unit, unit.texts)
    if unit.originals is not None:
        base = measure(unit, unit.originals)
    within, cells = True, []
    for stage in STAGES:
        if stage not in found or base.get(stage) == float("inf"):  # no compiler, or one that does not take the original
            cells.append("-")
            continue
        lines = unit.lines[{"g++": "host", "hipcc": "hip"}.get(stage, "cuda")]
        net = max(0.0, found[stage] - base.get(stage, 0.0))
        within &= lines < 100 or net * 1e3 / lines <= LIMITS.get(stage, LIMIT)
        cells.append(f"{net:.2f} ({net * 1e3 / lines:.2f})")
    lines = unit.lines["cuda"]
    return f"| {unit.name} | {lines} | {unit.transformed:.2f} | {' | '.join(cells)} |", within


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.compile_time", description=__doc__)
    parser.add_argument("--output", type=Path, default=RESULTS)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="of the files of the tests' table; 0: none")
    parser.add_argument("--only", default="", help="only the programs named like this; nothing is written")
    parser.add_argument("--sizes", type=int, default=3, metavar="N", help="only so many sizes of each family")
    options = parser.parse_args()

    empty = "__global__ void kernel(const double *x, double *y, int n) { y[threadIdx.x] = x[threadIdx.x]; }\n"
    headers = of_family("headers", empty, 0)
    base = measure(headers, headers.texts)
    head = f"headers: {', '.join(f'{stage} {seconds:.2f} s' for stage, seconds in base.items())}"
    print(head, flush=True)
    chains = (
        of_family(name, make(size), size)
        for name, make, sizes in FAMILIES
        if options.only in name
        for size in sizes[: options.sizes]
    )
    rows, missed = [], []
    for units in (chains, of_table(options.every, options.only) if options.every else ()):
        for unit in units:
            line, within = row(unit, base)
            rows.append(line)
            print(line, flush=True)
            if not within:
                missed.append(unit.name)
    if not options.only:
        options.output.write_text(
            f"# The compilers' time\n\n`{' '.join(['python -m benchmarks.compile_time', *sys.argv[1:]])}`\n\n"
            "Seconds of the processor for each stage, and in parentheses milliseconds for a line emitted, without\n"
            f"what the headers and one small kernel take ({head}),\nor in the table the original. "
            "Kernels that may want many registers are compiled for up to four sizes of blocks. "
            f"No stage may take more than {_LIMITS} for a line, where there are a hundred.\n\n"
            f"| program | lines | transformed | {' | '.join(STAGES)} |\n|---|---|---|{'---|' * len(STAGES)}\n"
            + "\n".join(rows)
            + "\n"
        )
    print("above the limit: " + ", ".join(missed) if missed else f"all at most {_LIMITS} for a line")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
