"""Classes in place of those of lambdas, which have no name in C++, in an emitted file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from cladpy.ir.surface import Closure


@dataclass(frozen=True, slots=True)
class Named:
    """Closures with the names that they have in the file of one gradient: others may be in the same program."""

    closures: Sequence[Closure]
    gradient: str

    def _namespace(self, closure: Closure) -> str:
        """Each has one of its own, in which names are declared for it."""
        return f"{self.gradient}_closure_{'_'.join(re.findall('[0-9]+', closure.spelling))}"

    def within(self, text: str) -> str:
        """C++ text with names for the classes."""
        for closure in self.closures:
            text = text.replace(closure.spelling, f"{self._namespace(closure)}::type")
        return text

    def classes(self, text: str) -> str:
        """The definitions of those that a text names, before it got them."""
        found: list[str] = []
        for closure in reversed(self.closures):
            if closure.spelling in text:
                inner = (f"  {member}" for member in closure.members)
                lines = [*dict.fromkeys(closure.before), "struct type {", *inner, "};", "}"]
                found.insert(0, "\n".join([f"namespace {self._namespace(closure)} {{", *lines, ""]))
                text += " ".join(closure.members)
        if not found:
            return ""
        return self.within("\n".join(["// In the place of lambdas that kernels are given.", *found]))
