"""Reading and writing a partial's text: which operands it uses, and how to put the program's own names into it."""

from __future__ import annotations

import re
from collections.abc import Mapping

OPERANDS = ("x", "y", "z", "w")
RESULT = "r"
# The quotient of an adjoint x by y, which is zero where the adjoint is.
OVER = "cladpy::over(x, y)"
# An adjoint x times what is zero where a number is not taken.
CHOSEN = "cladpy::chosen(x, y)"
_WORD = re.compile(r"(?<![\w.:])(?:[xyzwrT])\b(?!::)")


def used(partial: str) -> frozenset[str]:
    """The operands (and `r`) that a partial needs, such as {"x", "r"}."""
    return frozenset(_WORD.findall(partial)) - {"T"}


def substitute(partial: str, names: Mapping[str, str]) -> str:
    """The partial with operands, `r` and `T` replaced as `names` says; what it does not name stays.

    What is put in must be an identifier, a literal, a parenthesised expression or, for `T`, a type.
    """
    return _WORD.sub(lambda match: names.get(match.group(), match.group()), partial)
