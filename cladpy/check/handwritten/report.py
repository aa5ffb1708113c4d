"""What was found of a hand-written backward, as data and as text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cladpy.check.handwritten.referee import Wrong
from cladpy.check.report import CheckReport, Examined

# Arrays of no more numbers are printed.
_SHOWN = 32
_NAMED = 8


@dataclass(frozen=True, slots=True)
class BackwardReport:
    """Whether a backward is right. `text()` is for people; `ok` decides."""

    forward: str
    backward: str
    matched: str
    inputs: int  # that it was compared at
    wrong: Wrong | None = None
    names: tuple[str, ...] = ()  # of the forward's parameters, in order
    check: CheckReport | None = None  # by all witnesses, at the input that was given
    order: str = ""  # what depends on the order of threads
    race: str = ""
    conventions: tuple[Examined, ...] = ()
    factor: float = 1.0  # of all gradients, which is a convention
    notes: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        return not self.wrong and not self.order and not self.race and (self.check is None or self.check.ok)

    @property
    def verdict(self) -> str:
        if self.ok:
            told = [f"a factor of {self.factor:.6g} on all gradients"] if self.factor != 1 else []
            told += ["numbers at kinks"] if self._kinks else []
            return "the backward is right" + (f", but for conventions: {' and '.join(told)}" if told else "")
        if self.race or self.order:
            return "the backward's threads race"
        return "the backward is wrong"

    @property
    def _kinks(self) -> tuple[Examined, ...]:
        more = () if self.check is None else self.check.conventions
        known = {e.name for e in self.conventions}
        return (*self.conventions, *(e for e in more if e.name not in known))

    def text(self, verbose: bool = False) -> str:
        inputs = f"{self.inputs} input{'s'[: self.inputs != 1]}"
        lines = [f"{self.backward} as the backward of {self.forward}: {self.verdict} ({inputs})"]
        lines.append(f"  matched: {self.matched}")
        if self.race:
            lines.append(f"  race: {self.race}")
        if self.order:
            lines.append(f"  {self.order}")
        if self.wrong is not None:
            lines += self._of_wrong(self.wrong)
        elif self.check is not None and not self.check.ok:
            lines += [f"  {f}" for f in self.check.findings if not f.ok]
            lines += [f"    {e}" for e in self.check.examined if e.verdict == "wrong"][:_NAMED]
        if self.conventions:
            e = self.conventions[0]
            told = f"the backward has {e.gradient:.9g} there"
            told += "" if e.oracle is None else f", our gradient {e.oracle:.9g}"
            lines.append(f"  only conventions differ, as at {e.name}: there is a {e.verdict}, and {told}")
        lines += [f"  {note}" for note in self.notes]
        if verbose and self.check is not None:
            lines += [f"  {f}" for f in self.check.findings]
        return "\n".join(lines)

    def _of_wrong(self, wrong: Wrong) -> list[str]:
        at = wrong.input
        lines = [f"  {wrong.failure}"] if wrong.failure else []
        lines += [f"  {_told(e)}" for e in wrong.elements[:_NAMED]]
        lines.append(f"  the smallest input found ({at.kind}):")
        values = [*zip(self.names, at.arguments, strict=True), *at.own.items()]
        lines += [f"    --set {name}={_shown(value)}" for name, value in values]
        if at.forward.grid is not None and at.forward.block is not None:
            lines.append(f"    --grid {_listed(at.forward.grid)} --block {_listed(at.forward.block)}")
        lines += [f"    the cotangent of {name.removeprefix('::')}: {_shown(c)}" for name, c in wrong.cotangents]
        return lines


def _told(e: Examined) -> str:
    told = f"the gradient by {e.name}: the backward has {e.gradient:.9g}"
    told += "" if e.oracle is None else f", the derivative is {e.oracle:.9g}"
    if e.between is None or e.between == (e.oracle, e.oracle):
        return told
    given = f"differences of the forward give {e.between[0]:.9g} to {e.between[1]:.9g}"
    return f"{told}, {given}" if e.oracle is None else f"{told} ({given})"


def _listed(extents: Sequence[int]) -> str:
    return ",".join(map(str, extents))


def _shown(value: Any) -> str:
    """A value as `--set` takes it."""
    if isinstance(value, np.ndarray) and value.dtype.names is None:
        if value.size > _SHOWN:
            return f"an array of {'x'.join(map(str, value.shape))}"
        return "[" + ",".join(_shown(v) for v in value.reshape(-1)) + "]"
    if isinstance(value, np.floating | float):
        short = f"{value:.6g}"
        return short if np.asarray(float(short)).astype(np.asarray(value).dtype) == value else repr(float(value))
    return "null" if value is None else str(value)
