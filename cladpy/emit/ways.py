"""Which variables of emitted code have an initialiser: all but a few on long chains, which are declared before.

Kernels are templates, for the sake of their launch bounds. In a template the front ends of nvcc ask of every mention of
a `const` variable, and of every address that is passed, whether it depends on the template's parameters. They look for
that through the initialisers of the variables that are named, of those which these name, and so on, anew for each
mention: in a chain of squarings each step doubles the way, and one of twenty-eight does not end. No way leads on from a
variable that is assigned what it holds. So one is declared without an initialiser where its way would be long.
"""

from __future__ import annotations

import re

# The longest way, in mentions of variables. A mention takes the front ends together about half a microsecond.
LONGEST = 200

_WORD = re.compile(r"[A-Za-z_]\w*")


class Ways:
    """How long the ways from the variables of one function are."""

    def __init__(self) -> None:
        self.lengths: dict[str, int] = {}

    def begin(self, name: str, initializer: str) -> int:
        """A variable that has an initialiser in any case, such as a loop's; the length of its way."""
        self.lengths[name] = 1 + sum(self.lengths.get(word, 0) for word in _WORD.findall(initializer))
        return self.lengths[name]

    def fits(self, name: str, initializer: str) -> bool:
        """Whether a variable may have that initialiser; if not, it is assigned."""
        fits = self.begin(name, initializer) <= LONGEST
        if not fits:
            self.lengths[name] = 1
        return fits

    def declared(self, name: str, type_and_name: str, initializer: str, *, const: bool) -> list[str]:
        """The declaration of a variable with the value of an initialiser."""
        if self.fits(name, initializer):
            return [f"{'const ' if const else ''}{type_and_name} = {initializer};"]
        return [f"{type_and_name};", f"{name} = {initializer};"]
