"""What is known to be wrong: gradients that are not PyTorch's although the function is smooth there.

By row and kind of input, with the reason. The test asserts that each of them fails still: what has been mended has to
be taken out.
"""

from __future__ import annotations

from tests.torch_reference.operation import Point, Row

KNOWN: dict[tuple[str, str], str] = {}

KNOWN["sequences-box_distance-box_distance", "halves"] = (
    "the root of a sum of squares at 0 is NaN, as docs/math.md says and PyTorch has it for this way to write it; what "
    "PyTorch has for a norm is 0"
)
KNOWN["reductions-cummax-cummax_warp", "duplicates"] = (
    "lanes of a scan share ties pairwise, and not with all lanes before them: at a kink, an element's sum over the "
    "outputs is none that an order of the equal numbers gives"
)


def known(row: Row, point: Point) -> str | None:
    """Why it is wrong there, if that is known."""
    return KNOWN.get((row.id, point.kind))
