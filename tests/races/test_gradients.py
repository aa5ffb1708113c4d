"""No kernel of the tables, and none that a host program launches, adds to an adjoint in a way that another thread could
disturb."""

from __future__ import annotations

import os
import re

import pytest

from tests.generator import generate, generate_block, generate_pattern
from tests.kernels.case import Case
from tests.kernels.cases import GRADIENTS
from tests.made import Made, rows_of
from tests.programs.cases import CASES as PROGRAMS
from tests.races.watched import Watched, launches, parts_of, watched_case, watched_derivative
from tests.sampling import one_in

THREADS = re.compile(r"__shared__|atomic|__shfl|__ballot|__match|__reduce|__syncwarp|cooperative_groups|gridDim")


def watched_cases() -> list[Case]:
    """Kernels, since functions are run by one thread, but for one that does nothing: the first row of one in two in
    which threads meet, and of one in eight of the others; and one in twelve host programs. With CLADPY_TEST_ALL in the
    environment, all of all."""
    kernels = [case for case in GRADIENTS if case.grid is not None and case.id != "nothing_left-to-itself"]
    programs = [case for case in PROGRAMS if not case.refused]
    if os.environ.get("CLADPY_TEST_ALL"):
        return [*kernels, *programs]
    first = {(case.file, case.function, case.args): case for case in reversed(kernels)}
    meet = {case.file: bool(THREADS.search(case.path.read_text())) for case in kernels}
    rows = [case for case in kernels if first[case.file, case.function, case.args] is case]
    chosen = [case for case in rows if one_in(2 if meet[case.file] else 8, case.id)]
    return [*chosen, *(case for case in programs if one_in(12, case.id))]


CASES = watched_cases()


@pytest.fixture(scope="module")
def made(request: pytest.FixtureRequest) -> Made[Watched]:
    return Made(request, watched_case, parts_of)


@pytest.mark.parametrize("case", rows_of("races", CASES))
def test_no_race(case: Case, made: Made[Watched]) -> None:
    watched = made.of(case) or watched_case(case)
    # else nothing would be watched; a host program may do without kernels, and a gradient without statements
    code = watched.derivative.code
    assert (
        case.grid is None
        or "// reverse sweep" not in code
        or any(form in code for form in ("plain_", "atomic_add", "exchange", "reduce_add", "block_add", "add_row"))
    )
    for grid, block in launches(case):
        found = watched.report(grid, block, case.arguments(), case.contents(), case.shared_mem)
        assert found == "", f"grid {grid}, block {block}: {found}"


@pytest.mark.parametrize("seed", range(300, 310))
def test_no_race_in_random_kernels(seed: int) -> None:
    program = generate(seed)
    watched = Watched(watched_derivative(program.text, program.function, program.args))
    found = watched.report(program.grid, program.block, program.values)
    assert found == "", found


@pytest.mark.parametrize("seed", range(300, 316))
def test_no_race_in_random_blocks(seed: int) -> None:
    program = generate_block(seed)
    watched = Watched(watched_derivative(program.text, program.function, program.args))
    found = watched.report(program.grid, program.block, program.values, shared_mem=program.shared_mem)
    assert found == "", found


@pytest.mark.parametrize("seed", range(300, 312))
def test_no_race_in_random_patterns(seed: int) -> None:
    program = generate_pattern(seed)
    watched = Watched(watched_derivative(program.text, program.function, program.args, **program.options))
    found = watched.report(program.grid, program.block, program.values)
    assert found == "", found
