"""What statements do besides giving values and variables their content. Each class of statements says it, as `effects`:
the type checker names one that does not wherever its effects are asked for. What stands in the blocks of a statement is
not its own."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import ClassVar


class Memory(Enum):
    """Which memory a statement has to do with."""

    NONE = "none"
    NAMED = "named"  # what its fields name
    ANY = "any"  # what others lead to, too


class Waits(Enum):
    """Who waits for each other: all of them have to come to the statement, or none."""

    NOBODY = "nobody"
    WARP = "warp"
    BLOCK = "block"

    @property
    def somebody(self) -> bool:
        return self is not Waits.NOBODY


@dataclass(frozen=True, slots=True)
class Effects:
    reads: Memory
    writes: Memory
    waits: Waits
    calls: bool  # another function, which may do more than to compute
    begins: bool  # whether memory begins here, so that nothing which names it moves across
    keeps: bool  # whether it puts something by, or takes it: such statements pair up in their order
    shows: bool  # what is seen outside of the program's memory, such as what it prints

    COMPUTES: ClassVar[Effects]
    READS: ClassVar[Effects]
    WRITES: ClassVar[Effects]
    UPDATES: ClassVar[Effects]
    BEGINS: ClassVar[Effects]
    KEEPS: ClassVar[Effects]
    CALLS: ClassVar[Effects]
    CALLS_AND_KEEPS: ClassVar[Effects]
    SHOWS: ClassVar[Effects]
    STEP: ClassVar[Effects]
    OF_BLOCK: ClassVar[Effects]
    OF_WARP: ClassVar[Effects]
    ELSEWHERE: ClassVar[Effects]

    @property
    def only_computes(self) -> bool:
        """Whether it may be run again, or not at all, where nobody asks for its values."""
        stays = self.writes is Memory.NONE and not self.waits.somebody
        return stays and not (self.calls or self.begins or self.keeps or self.shows)

    @property
    def moves_freely(self) -> bool:
        """Whether what has to do with other memory, and other variables, may stand before it as well as behind it."""
        near = self.writes is not Memory.ANY and not self.waits.somebody
        return near and not (self.calls or self.begins or self.keeps or self.shows)


def _effects(
    reads: Memory = Memory.NONE,
    writes: Memory = Memory.NONE,
    waits: Waits = Waits.NOBODY,
    *,
    calls: bool = False,
    begins: bool = False,
    keeps: bool = False,
    shows: bool = False,
) -> Effects:
    return Effects(reads, writes, waits, calls, begins, keeps, shows)


Effects.COMPUTES = _effects()
Effects.READS = _effects(Memory.NAMED)
Effects.WRITES = _effects(writes=Memory.NAMED)
Effects.UPDATES = _effects(Memory.NAMED, Memory.NAMED)
Effects.BEGINS = _effects(begins=True)
Effects.KEEPS = _effects(keeps=True)
Effects.CALLS = _effects(Memory.ANY, Memory.ANY, calls=True)
Effects.CALLS_AND_KEEPS = _effects(Memory.ANY, Memory.ANY, calls=True, keeps=True)
Effects.SHOWS = _effects(shows=True)
Effects.STEP = _effects(Memory.ANY, Memory.ANY, calls=True, shows=True)  # of a host program
Effects.OF_BLOCK = _effects(waits=Waits.BLOCK)
Effects.OF_WARP = _effects(waits=Waits.WARP)
Effects.ELSEWHERE = _effects(writes=Memory.ANY)
