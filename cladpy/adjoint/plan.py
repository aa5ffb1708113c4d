"""What a sweep is told from outside: how adjoints in memory are updated, which pullbacks calls use."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from cladpy.analysis.races import Accumulation
from cladpy.analysis.replays import Replays
from cladpy.analysis.uniform import Varying
from cladpy.ir import core
from cladpy.ir.code import Update
from cladpy.ir.types import Type


@dataclass(frozen=True, slots=True)
class PullbackReference:
    """A function that computes a call's adjoints: those of the arguments at the positions `adjoints`."""

    name: str
    adjoints: tuple[int, ...]
    storage: bool = False  # whether it is given the tape
    seeded: bool = True  # whether it is given the adjoint of what the function returns, if it returns something
    # after all else: the numbers beside pointers, by position, the text of the member as in core.Leaf, and its type
    besides: tuple[tuple[int, str, Type], ...] = ()
    reads: frozenset[int] = frozenset()  # by a host program: the arguments whose memory it must find as the call did
    counted: tuple[tuple[int, Type], ...] = ()  # of a kernel: the arguments whose numbers it is told the count of


@dataclass(frozen=True, slots=True)
class ForwardReference:
    """A function that does what the original does, exactly, and says in the log what it overwrites if it is given
    one."""

    name: str
    storage: bool


@dataclass(frozen=True, slots=True)
class LaunchInTwo:
    """The gradient of a kernel in two, as `adjoint.kept_values` has it: what the two are called, how many numbers of
    each type they keep per thread, and the arguments whose memory the second does not read."""

    keep: str
    reverse: str
    types: tuple[tuple[Type, int], ...]
    unread: frozenset[int]
    renewing: str = ""  # what the second is called that leaves cotangents and replaces adjoints, where there is one


@dataclass(frozen=True, slots=True)
class RenewingLaunch:
    """The gradient of a kernel that leaves cotangents and replaces adjoints, as `adjoint.renewal` has it: what it is
    called, or that the launch function `gathers` if it is asked to, and what zeroes the cotangents that it leaves; the
    condition under which it may, over the kernel's parameters `values`, by position; the arguments that it reads, each
    with the one that it stores to at the same elements; and the numbers that these depend on."""

    name: str
    clear: str
    condition: core.Expr | None
    values: Mapping[core.Value, int]
    pairs: tuple[tuple[int, int], ...]
    key: tuple[int, ...]
    gathers: bool = False


def never_kept(call: core.Call, active: tuple[int, ...]) -> LaunchInTwo | None:
    return None


def never_renewed(call: core.Call, active: tuple[int, ...]) -> RenewingLaunch | None:
    return None


@dataclass(frozen=True, slots=True)
class Plan:
    accumulation: Accumulation
    fresh: frozenset[core.Root]  # whose adjoints are promised to be zero
    consumed: frozenset[core.Root]  # whose adjoints nobody looks at afterwards
    varying: Varying | None  # what differs between the lanes of a warp; None where that is not known
    request: Callable[[core.Call, tuple[int, ...]], PullbackReference]
    forward: Callable[[core.Call], ForwardReference | None]  # None where the original is called as it is
    repeatable: Callable[[core.Call], bool]  # whether a launch may be made again
    split: bool = False  # whether the forward sweep, which gives the results, and the reverse sweep are apart
    replays: Replays | None = None  # of a host program that makes steps again; None where none is
    kept_values: Callable[[core.Call, tuple[int, ...]], LaunchInTwo | None] = never_kept
    renewing: Callable[[core.Call, tuple[int, ...]], RenewingLaunch | None] = never_renewed
    traced: bool = False  # whether adjoints that are not finite are told, and each is added by its own thread

    def update(self, load: core.Load) -> Update:
        """How the adjoint of what is loaded is added to."""
        if load.root.kind in (core.RootKind.LOCAL, core.RootKind.HEAP):
            return Update.PLAIN
        update = self.accumulation.added(load)
        alike = self.varying is not None and not self.varying.expr(load.index)
        if update is Update.ATOMIC and alike and not self.traced:
            return Update.REDUCED
        return update

    def take(self, store: core.Store) -> Update:
        return Update.PLAIN if store.root.kind is core.RootKind.LOCAL else self.accumulation.take(store)

    def once(self, load: core.Load) -> int | None:
        """Up to which depth of loops the element that is read is given nothing before, where it begins at zero."""
        return self.accumulation.last.get(load) if load.root in self.fresh else None

    def alone(self, statement: core.Load | core.Store) -> bool:
        """Whether no other thread has to do with the adjoint of the element, nor this one by another access."""
        return self.accumulation.once.get(statement) == 0

    def together(self, load: core.Load) -> int | None:
        """The same, if other loops that add to the element did so where this one does."""
        return self.accumulation.together.get(load) if load.root in self.fresh else None

    def stays(self, store: core.Store) -> bool:
        """Whether the adjoint of what is stored may stay where it was taken."""
        return store.root in self.consumed and store in self.accumulation.once

    def pullback(self, call: core.Call, active: tuple[int, ...]) -> PullbackReference:
        return self.request(call, active)
