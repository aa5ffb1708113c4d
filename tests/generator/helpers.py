"""What some statements name, before the program that has them."""

from __future__ import annotations

import re

from tests.generator.as_numbers import CUSTOM, NUMBERS
from tests.generator.constructs import MACROS
from tests.generator.indirect import TEMPLATES
from tests.generator.marked import INCLUDED, MARKED
from tests.generator.offsets import READERS

_NAMED = (
    (r"CLADPY_NONDIFFERENTIABLE|\bHalf<|\bWhole<|\blimited\(|\bpartly\(", INCLUDED),
    (r"\bHalf<|\bWhole<|\blimited\(|\bpartly\(", MARKED),
    (r"\btaken<|\bput<", READERS),
    (r"\bFour<", NUMBERS),
    (r"\bturned\(", CUSTOM),
)


def with_helpers(texts: list[str]) -> str:
    """The program of these definitions."""
    text = "\n\n".join(texts)
    before = [MACROS, TEMPLATES, *(helper for named, helper in _NAMED if re.search(named, text))]
    return "\n\n".join([*before, text]) + "\n"
