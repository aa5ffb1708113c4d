"""Chains of values, each made of the one before: in a template nvcc looks through the initialiser of each `const` that
it meets, and through what that names, anew for each mention."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from benchmarks.chains import integers, poles, polynomials, products, squarings
from cladpy.emit.ways import LONGEST
from tests.emitted.units import HIP, compiled, derivative_of, unit_of
from tests.kernels.cases import GRADIENTS

CHAINS: tuple[tuple[Callable[[int], str], int], ...] = (
    (squarings, 40),
    (products, 40),
    (polynomials, 60),
    (integers, 40),
    (poles, 2),
)
_DECLARED = re.compile(
    r"^\s*(?:for \()?(?:const )?(?:unsigned |long )*[\w:]+(?:<[^=]*>)? [*&]*(?:const )?"
    r"(?P<name>\w+) = (?P<init>[^;]*)"
)


def ways(code: str) -> Iterator[int]:
    """How many variables nvcc meets on its way from each that has an initialiser."""
    lengths: dict[str, int] = {}
    for line in code.splitlines():
        if line.startswith("}"):
            lengths = {}  # the next function has its own
        found = _DECLARED.match(line)
        if found:
            lengths[found["name"]] = 1 + sum(lengths.get(w, 0) for w in re.findall(r"[A-Za-z_]\w*", found["init"]))
            yield lengths[found["name"]]


@pytest.mark.parametrize("target", ["cuda", "host"])
@pytest.mark.parametrize(("chain", "depth"), CHAINS, ids=lambda a: getattr(a, "__name__", a))
def test_no_way_is_long(chain: Callable[[int], str], depth: int, target: str) -> None:
    code = derivative_of(chain(depth), "kernel", "x, y", target).fragment
    assert max(ways(code)) <= LONGEST
    # it is one where what is declared first and then assigned has an initialiser instead
    assert max(ways(re.sub(r"(?m)^( *\w+ \w+);\n *(\w+ = .*)$", r"\1 = \2", code))) > 100 * LONGEST


def test_kernels_of_the_table() -> None:
    for case in GRADIENTS[::16]:
        code = derivative_of(str(case.path), case.function, case.args, "cuda").fragment
        assert max(ways(code), default=0) <= 2 * LONGEST, case.id  # in the heads of loops, which are not divided


@pytest.mark.parametrize("target", ["cuda", HIP, "host"])
def test_they_compile(target: str, tmp_path: Path) -> None:
    """All in one unit; where one does not end, it is stopped (`units.LONGEST_SECONDS`)."""
    texts, derivatives = [], []
    for chain, depth in CHAINS:
        name = chain.__name__
        texts.append(f"namespace {name}_of {{\n{chain(depth)}}}\n")
    text = "\n".join(texts)
    for chain, _ in CHAINS:
        derivatives.append(derivative_of(text, f"{chain.__name__}_of::kernel", "x, y", target))
    result = compiled(unit_of("chains", text, derivatives, tmp_path), target)
    assert result, result.output
