"""Host programs that launch kernels: the oracle against the originals, and the gradients against the oracle."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import cladpy
from cladpy.check.oracle import Oracle
from cladpy.diagnostics import Sink
from cladpy.frontend import parse
from cladpy.options import Options
from cladpy.runtime.host_runtime import RuntimeWatch, watching_runtime
from cladpy.source import Source
from tests.made import Made, rows_of
from tests.oracle import Judged, assert_gradient, judged, parts_of
from tests.programs.case import Program
from tests.programs.cases import CASES
from tests.programs.original import Original
from tests.sampling import one_in

FEW = ("blas-product-00", "given-partly-numbers", "reductions-standard_score")
# All that have no gradient yet, by whose check the oracle would be judged; and a few others.
JUDGED = [case for case in CASES if case.refused or case.id in FEW]


@pytest.mark.parametrize("case", JUDGED, ids=lambda case: case.id)
def test_oracle(case: Program) -> None:
    """Its values are the original's, its tangents what central differences of the original say. Where there is a
    gradient, its check says so."""
    options, source = Options.make(), Source.load(case.path)
    program = parse(source, case.function, options, Sink({source.name: source.text}))
    oracle, original = Oracle(program, options, source), Original(program, options, source)
    names = [p.name for p in oracle.function.parameters]
    args = case.arguments()
    rng = np.random.default_rng(3)
    independent = [name.strip() for name in case.args.split(",")]
    direction = {name: rng.uniform(-1, 1, np.shape(args[names.index(name)])) for name in independent}
    found = oracle.tangent(None, None, args, direction)
    finals, value = original.run(args)
    for name, final in zip(names, finals, strict=True):
        np.testing.assert_array_equal(found.values[name], final)
    if value is not None:
        assert found.result == value
    weights = {name: rng.uniform(0.5, 1.5, np.shape(v)) for name, v in found.tangents.items() if v is not None}

    def functional(step: float) -> Any:
        moved = [
            v + np.asarray(step * direction[n], np.asarray(v).dtype) if n in direction else v
            for n, v in zip(names, args, strict=True)
        ]
        outputs, result = original.run(moved)
        by_value = {n for n, v in zip(names, args, strict=True) if np.ndim(v) == 0}
        total = np.longdouble(0 if result is None else result)
        return total + sum((w * outputs[names.index(n)]).sum() for n, w in weights.items() if n not in by_value)

    expected = found.result_tangent + sum((w * found.tangents[n]).sum() for n, w in weights.items() if np.ndim(w))
    size = found.result_magnitude + sum((w * found.magnitudes[n]).sum() for n, w in weights.items() if np.ndim(w))
    assert size > 0
    steps, bound = ((1e-1, 1e-2, 1e-3), 2e-3) if oracle.single_precision else ((1e-3, 1e-4, 1e-5, 1e-6), 1e-7)
    errors = [abs((functional(h) - functional(-h)) / (2 * h) - expected) / size for h in steps]
    assert min(errors) <= bound


@pytest.fixture(scope="module")
def made(request: pytest.FixtureRequest) -> Made[Judged]:
    return Made(request, judged_program, parts_of)


def judged_program(case: Program) -> Judged:
    # the split form of a host function is differentiated by itself
    split = case.id in DIVIDED or one_in(8, case.id)
    return judged(str(case.path), case.function, case.args, split=split)


@pytest.mark.parametrize("case", rows_of("programs", CASES))
@pytest.mark.filterwarnings("ignore:.*CP0241")  # a free of the caller's memory, which a gradient leaves alone
def test_gradient(case: Program, made: Made[Judged]) -> None:
    if case.refused:
        with pytest.raises(cladpy.DifferentiationError, match=rf"\[{case.refused}\]"):
            cladpy.gradient(str(case.path), case.function, case.args, backend="host")
        return
    given = case.arguments()
    more = {"variables": case.contents(), "made": made.of(case) or judged_program(case)}
    assert_gradient(str(case.path), case.function, case.args, None, None, given, **more)


def _failing_cases() -> list[Program]:
    """Programs that allocate, copy and launch in every way, and that look at no error themselves."""
    wanted = (
        "copies-sum_of_squares",
        "copies-temporaries",
        "time_loops-by_std_swap",
        "kept_values-lattice_of_its_own",
        "calls-energy",
        "network-recurrent",
        "blas-product-00",
        "device_algorithms-sums",
    )
    return [case for case in CASES if case.id in wanted]


@pytest.mark.parametrize("case", _failing_cases(), ids=lambda case: case.id)
def test_a_failure_at_any_call_is_told_and_leaks_nothing(case: Program) -> None:
    gradient = cladpy.gradient(str(case.path), case.function, case.args, backend="host")
    names = [p.name for p in gradient.derivative.parameters]

    def execute(fail_at: int) -> tuple[RuntimeWatch, list[Any]]:
        args = case.arguments()
        adjoints = [np.ones(np.shape(args[names.index(n.strip())]) or 1) for n in case.args.split(",")]
        with watching_runtime(fail_at) as watch:
            try:
                gradient.execute(*args, *adjoints)
            finally:
                assert watch.left == 0
        return watch, adjoints

    watch, expected = execute(0)
    told = 0
    for call in range(1, watch.calls + 1):
        try:
            found = execute(call)[1]
        except cladpy.BackendError as error:
            told += 1
            assert re.search(r"made to fail|out of memory|invalid argument|too many resources", str(error))
            continue
        # there was another way, such as memory of the host, or what is computed again, which may round otherwise
        for one, other in zip(found, expected, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-10)
    assert told > watch.calls // 2
    assert_same(execute(0)[1], expected)


# Local arrays that steps write, memory of the caller's by turns, pointers in memory, nothing at all.
DIVIDED = (
    "decisions-root",
    "time_loops-ring",
    "time_loops-on_the_callers",
    "kinds-by_symbols",
    "copies-squares-nothing",
)


def test_a_copy_of_a_part_of_an_object_is_an_error() -> None:
    case = next(c for c in CASES if c.file == "mixed_objects")
    gradient = cladpy.gradient(str(case.path), "partly", "given", backend="host")
    cells = case.arguments()[0]
    with pytest.raises(cladpy.BackendError, match="a copy of a part of an object"):
        gradient.execute(cells, len(cells), np.zeros_like(cells))


def assert_same(found: list[Any], expected: list[Any]) -> None:
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one, other)
