"""The flags that stand for jumps once control flow is structured."""

from __future__ import annotations

from dataclasses import dataclass

from cladpy.normalize.places import Cell
from cladpy.order.scan import Jump


@dataclass(slots=True)
class Exits:
    """The flags that say that control has left a construct early."""

    returned: Cell
    broken: Cell | None = None
    continued: Cell | None = None

    def flags(self, kinds: frozenset[Jump]) -> list[Cell]:
        found = []
        if Jump.RETURN in kinds:
            found.append(self.returned)
        if Jump.BREAK in kinds and self.broken is not None:
            found.append(self.broken)
        if Jump.CONTINUE in kinds and self.continued is not None:
            found.append(self.continued)
        return found
