"""Is a gradient right? Against gradients written by hand, element by element, and against central differences of the
primal along a random direction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.build import Built, BuiltByHand
from benchmarks.instance import Instance
from benchmarks.memory import Memory
from benchmarks.program import Benchmark

DOUBLE_TOLERANCE = 1e-9
LARGEST = 100.0  # one element may be that much worse than all together


@dataclass(frozen=True, slots=True)
class Finding:
    judged: str  # "added" or "fresh" for the gradient of that kind, "by hand" for one that is written by hand
    what: str
    error: float
    bound: float

    @property
    def ok(self) -> bool:
        return self.error <= self.bound

    def __str__(self) -> str:
        return f"{self.what}: {self.error:.1e}, at most {self.bound:.0e}{'' if self.ok else ': WRONG'}"


def tolerance(benchmark: Benchmark, like: NDArray[Any]) -> float:
    return DOUBLE_TOLERANCE if like.dtype == np.float64 else benchmark.tolerance


def small(
    memory: Memory, benchmark: Benchmark, added: Built, fresh: Built | None, by_hand: BuiltByHand | None
) -> list[Finding]:
    """Of a size that is quick everywhere: all that can be compared."""
    run = benchmark.setup(**benchmark.small)
    rng = np.random.default_rng(11)
    starts = {
        name: rng.normal(0.0, 1.0, np.atleast_1d(np.asarray(value)).shape)
        for name, value in zip(added.parameters, run.values, strict=True)
        if name in benchmark.input_names
    }
    found = []
    instance = Instance(memory, benchmark, run, added, starts=starts)
    adjoints = _adjoints(instance, instance.gradient(added))
    if by_hand is not None:
        for k, way in enumerate(benchmark.by_hand):
            wanted = _adjoints(instance, instance.by_hand(by_hand, k, fresh=False))
            found += _compared(benchmark, adjoints, wanted, "added", f"by hand ({way.mapping}), +=")
    contributions = {
        name: value - starts[name] if name in starts else value
        for name, value in adjoints.items()
        if name not in benchmark.output_names
    }
    found.append(central_differences(instance, contributions))

    instance = Instance(memory, benchmark, run, added)
    wanted = {name: value.astype(added_type(instance, name)) for name, value in contributions.items()}
    if fresh is not None:
        found += _compared(benchmark, _adjoints(instance, instance.gradient(fresh)), wanted, "fresh", "= against +=")
    if by_hand is not None:
        for k, way in enumerate(benchmark.by_hand):
            overwritten = _adjoints(instance, instance.by_hand(by_hand, k, fresh=True))
            found += _compared(benchmark, overwritten, wanted, "by hand", f"by hand ({way.mapping}), =")
    memory.free_all()
    return found


def added_type(instance: Instance, name: str) -> np.dtype[Any]:
    return instance.like(f"d_{name}").dtype


def _adjoints(instance: Instance, called: Any) -> dict[str, NDArray[Any]]:
    instance.restore()
    instance.call(called)
    return {name: instance.get(f"d_{name}") for name in instance.adjoints}


def _compared(
    benchmark: Benchmark,
    found: Mapping[str, NDArray[Any]],
    wanted: Mapping[str, NDArray[Any]],
    judged: str,
    what: str,
) -> list[Finding]:
    from benchmarks.memory import norms

    findings = []
    for name, value in wanted.items():
        error, largest = norms(found[name], value)
        bound = tolerance(benchmark, found[name])
        findings.append(Finding(judged, f"{name} {what}", max(error, largest / LARGEST), bound))
    return findings


def central_differences(instance: Instance, adjoints: Mapping[str, NDArray[Any]]) -> Finding:
    """The derivative along a random direction of what the cotangents weigh the outputs with."""
    benchmark = instance.benchmark
    rng = np.random.default_rng(5)
    single = any(instance.like(f"d_{name}").dtype == np.float32 for name in instance.adjoints)
    step = (1e-2 if single else 1e-5) * benchmark.step
    directions = {name: rng.normal(0.0, 1.0, np.shape(instance.values[name])) for name in adjoints}
    outputs = benchmark.output_names + benchmark.updated_names
    weights = {name: instance.like(f"d_{name}").astype(float) for name in outputs}
    primal = instance.primal()

    def weighed(sign: float) -> float:
        instance.restore()
        kept = dict(instance.values)
        for name, direction in directions.items():
            moved = np.asarray(instance.values[name] + sign * step * direction)
            if isinstance(instance.values[name], np.ndarray):
                instance.set(name, moved.astype(instance.like(name).dtype))
            else:
                instance.values[name] = np.asarray(instance.values[name]).dtype.type(moved)
        instance.packs[0] = instance._pack(0)
        instance.call(primal)
        instance.values = kept
        total = sum(float((instance.get(n).astype(float) * w).sum()) for n, w in weights.items())
        for name in directions:
            if isinstance(instance.values[name], np.ndarray):
                instance.set(name, instance.like(name))
        instance.packs[0] = instance._pack(0)
        return total

    wanted = (weighed(1.0) - weighed(-1.0)) / (2 * step)
    products = [float((adjoints[n].astype(float) * d).sum()) for n, d in directions.items()]
    scale = sum(float(np.linalg.norm(adjoints[n].astype(float) * d)) for n, d in directions.items())
    error = abs(sum(products) - wanted) / scale if scale else float("inf")
    bound = benchmark.difference_tolerance if single else 1e-5
    return Finding("added", "central differences", error if error == error else float("inf"), bound)


def full(instance: Instance, built: Built, by_hand: BuiltByHand, position: int) -> list[Finding]:
    """At full size, in the memory where it runs: a gradient against one that is written by hand."""
    memory, benchmark = instance.memory, instance.benchmark
    wanted = {}
    instance.restore()
    instance.call(instance.by_hand(by_hand, position, fresh=built.fresh))
    for name in instance.adjoints:
        like = instance.like(f"d_{name}")
        if name not in benchmark.output_names:
            wanted[name] = memory.allocate(like.nbytes)
            memory.copy(wanted[name], instance.address(f"d_{name}"), like.nbytes)
    instance.restore()
    instance.call(instance.gradient(built))
    found = []
    for name, at in wanted.items():
        like = instance.like(f"d_{name}")
        error, largest = memory.difference(instance.address(f"d_{name}"), at, like)
        what = f"{name} at full size, {'=' if built.fresh else '+='}"
        found.append(
            Finding(
                "fresh" if built.fresh else "added",
                what,
                max(error, largest / LARGEST),
                10 * tolerance(benchmark, like),
            )
        )
    return found
