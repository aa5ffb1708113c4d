"""Functions of PyTorch extensions, adopted as they are: which are differentiated, in how long, and whether their
gradients agree with central differences.

    python -m benchmarks.adoption CASES.py [NAME...] [--jobs 2] [--seconds 240]

CASES.py is not part of the repository, as the extensions are not. Its `cases()` gives a dict of names, each with a
dict: `files`, `function`, `args` (a callable that makes the arguments of a call), and as needed `options` of `adopt`,
`fixed` (positions that get no gradient), `step` of the differences and `tolerance`.

Prints a table: of the first call and its gradient the seconds, and those of the processor (this one's and of the
compiler's), with an empty cache; and in a second process the seconds with what the first has left in it.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import runpy
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Case:
    """A function, and a call of it."""

    files: Sequence[str]
    function: str
    args: Any
    options: dict[str, Any] = field(default_factory=dict)
    fixed: Sequence[int] = ()
    step: float | None = None
    tolerance: float | None = None


def cases(path: Path) -> dict[str, Case]:
    """What a file of cases describes."""
    return {name: Case(**given) for name, given in runpy.run_path(str(path))["cases"]().items()}


def tensors(value: Any) -> list[Any]:
    """The tensors in what a function gives."""
    import torch

    if isinstance(value, torch.Tensor):
        return [value]
    return [x for v in value for x in tensors(v)] if isinstance(value, list | tuple) else []


class Call:
    """A call whose results, and what it has changed of its arguments, come to one number."""

    def __init__(self, case: Case) -> None:
        import torch

        from cladpy.torch import adopt

        files = list(case.files)
        self.function = adopt(files[0] if len(files) == 1 else files, case.function, **case.options)
        self.args = case.args()
        self.floating = [
            k for k, x in enumerate(self.args) if isinstance(x, torch.Tensor) and x.is_floating_point() and x.numel()
        ]
        self.wanted = [k for k in self.floating if k not in case.fixed]
        self.weights: list[Any] = []

    def loss(self, args: Sequence[Any]) -> Any:
        import torch

        given = [x.clone() if isinstance(x, torch.Tensor) else x for x in args]
        results = [r for r in tensors(self.function(*given)) if r.is_floating_point()]
        before = [self.args[k] for k in self.floating]
        changed = [given[k] for k in self.floating]
        if not self.weights:
            torch.manual_seed(1)
            self.weights = [torch.randn(y.shape, dtype=torch.float64) for y in (*results, *changed)]
            for k, (x, y) in enumerate(zip(before, changed, strict=True), len(results)):
                self.weights[k] *= not torch.equal(x, y)  # what it leaves alone is no result
        both = zip((*results, *changed), self.weights, strict=True)
        return sum((y.double() * w).sum() for y, w in both)

    def gradients(self) -> list[Any]:
        import torch

        live = [x.clone().requires_grad_() if k in self.wanted else x for k, x in enumerate(self.args)]
        found = torch.autograd.grad(self.loss(live), [live[k] for k in self.wanted], allow_unused=True)
        return [torch.zeros_like(self.args[k]) if d is None else d for k, d in zip(self.wanted, found, strict=True)]

    def errors(self, gradients: Sequence[Any], step: float | None) -> list[float]:
        """Of each argument's gradient along a direction at random, relative."""
        import torch

        found = []
        for k, gradient in zip(self.wanted, gradients, strict=True):
            x = self.args[k]
            width = step or (1e-6 if x.dtype == torch.float64 else 5e-2 if x.dtype == torch.float16 else 2e-3)
            direction = torch.randn(x.shape, dtype=torch.float64)
            expected = (gradient.double() * direction).sum().item()

            def at(h: float, k: int = k, x: Any = x, direction: Any = direction) -> float:
                args = [*self.args]
                args[k] = (x.double() + h * direction).to(x.dtype)
                return float(self.loss(args))

            differences = [(at(h) - at(-h)) / (2 * h) for h in (width, width / 4, width * 4)]
            found.append(min(abs(d - expected) / (abs(d) + abs(expected) + 1e-3) for d in differences))
        return found


def used() -> float:
    """Seconds of the processor."""
    both = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(r.ru_utime + r.ru_stime for r in both)


def tried(case: Case, *, is_first: bool) -> dict[str, Any]:
    """What comes of a case, in this process."""
    import torch

    torch.set_num_threads(1)
    begin, processor = time.perf_counter(), used()
    try:
        call = Call(case)
        call.loss(call.args)
        gradients = call.gradients()
        found: dict[str, Any] = {"seconds": time.perf_counter() - begin, "processor": used() - processor}
        if is_first:
            found["errors"] = call.errors(gradients, case.step)
            single = any(call.args[k].dtype != torch.float64 for k in call.wanted)
            found["agree"] = max(found["errors"]) < (case.tolerance or (2e-2 if single else 1e-4))
    except Exception as error:
        return {"error": f"{type(error).__name__}: {str(error).splitlines()[0]}"}
    return found


def outcome(path: Path, name: str, seconds: float) -> str:
    """A row of the table."""
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "CLADPY_CACHE_DIR": cache}
        runs: list[dict[str, Any]] = []
        for form in ("first", "again"):
            command = [sys.executable, "-m", "benchmarks.adoption", str(path), name, "--one", form]
            try:
                done = subprocess.run(
                    command, env=environment, capture_output=True, text=True, timeout=seconds, check=False
                )
                lines = done.stdout.splitlines()
                runs.append(json.loads(lines[-1]) if lines else {"error": f"ended with status {done.returncode}"})
            except subprocess.TimeoutExpired:
                runs.append({"error": f"more than {seconds:g} s"})
            if "error" in runs[-1]:
                return f"| {name} | {runs[-1]['error']} | | |"
    first, again = runs
    agrees = "agrees" if first["agree"] else "**does not agree**"
    cold = f"{first['seconds']:.0f} ({first['processor']:.0f})"
    return f"| {name} | {agrees}, {max(first['errors']):.0e} | {cold} | {again['seconds']:.1f} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", type=Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=240)
    parser.add_argument("--one", choices=("first", "again"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    known = cases(given.cases)
    if given.one:
        print(json.dumps(tried(known[given.names[0]], is_first=given.one == "first")))
        return
    print("| function | gradient | first, s (processor) | again, s |\n| --- | --- | --- | --- |")
    with ThreadPoolExecutor(given.jobs) as pool:
        for row in pool.map(lambda name: outcome(given.cases, name, given.seconds), given.names or known):
            print(row, flush=True)


if __name__ == "__main__":
    main()
