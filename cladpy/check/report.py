"""What a gradient check found, as data and as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Finding:
    """One comparison: `error` is relative to the scale of what was compared, `bound` is the largest that passes.

    `unit` is what both are counted in, or nothing where they are plain numbers.
    """

    what: str
    error: float
    bound: float
    condition: float = 1.0
    unit: str = ""
    singular: bool = False  # neither side is a finite number

    @property
    def ok(self) -> bool:
        return self.error <= self.bound  # false for NaN

    @property
    def excess(self) -> float:
        """The error in units of its bound; infinite for an error that is not a number."""
        if self.error != self.error:
            return float("inf")
        return self.error / self.bound if self.bound else self.error

    def __str__(self) -> str:
        if self.singular:
            return f"none {self.what}: infinite or NaN on both sides"
        widened = f", bound widened by the condition number {self.condition:.1e}" if self.condition > 1 else ""
        unit = f" {self.unit}" if self.unit else ""
        mark = "ok  " if self.ok else "FAIL"
        return f"{mark} {self.what}: error {self.error:.2e}, at most {self.bound:.2e}{unit}{widened}"


@dataclass(frozen=True, slots=True)
class Examined:
    """An element of an argument that differences were made along, where something is to be told."""

    name: str
    verdict: str  # "smooth", "kink", "jump", "undecided" or "wrong"
    gradient: float
    between: tuple[float, float] | None  # what differences give
    oracle: float | None  # its number where that is another convention

    def __str__(self) -> str:
        told = f"{self.name}: the gradient has {self.gradient:.9g}"
        if self.between is None:
            return f"{told}; differences tell nothing"
        low, high = self.between
        return f"{told}, differences of the original give {low:.9g} to {high:.9g}"


# So many elements are named in one line.
_NAMED = 8


@dataclass(frozen=True, slots=True)
class CheckReport:
    """All comparisons of one check. `text()` is for people; `ok` decides."""

    function: str
    findings: tuple[Finding, ...]
    race: str = ""  # where threads of the original meet
    spoilt: tuple[str, ...] = ()  # arguments in which the original leaves what is no finite number
    singular: bool = False  # whether the oracle's own derivative is no finite number
    examined: tuple[Examined, ...] = ()  # elements of which there is something to tell
    omitted: str = ""  # why there are no differences
    unwritten: str = ""  # shared memory that the original reads where no thread has written
    untold: tuple[str, ...] = ()  # how arguments may be one memory so that nothing can be said, and why

    @property
    def ok(self) -> bool:
        return bool(self.findings) and all(f.ok for f in self.findings)

    def beside(self, how: str, other: CheckReport | None, why: str) -> CheckReport:
        """This and what was found where arguments are one memory: what is wrong, else the worst; or why nothing was."""
        if other is None:
            return replace(self, untold=(*self.untold, f"{how}: {why}"))
        told = [f for f in other.findings if not f.ok] or [other.worst]
        found = [replace(f, what=f"with {how}: {f.what}") for f in told]
        examined = [replace(e, name=f"with {how}: {e.name}") for e in other.examined]
        return replace(self, findings=(*self.findings, *found), examined=(*self.examined, *examined))

    @property
    def conventions(self) -> tuple[Examined, ...]:
        """Elements where the gradient is one of several numbers that may be called the derivative."""
        return tuple(e for e in self.examined if e.verdict in ("kink", "jump") or e.oracle is not None)

    @property
    def worst(self) -> Finding:
        """The finding nearest to its bound, or furthest beyond it."""
        return max(self.findings, key=lambda f: f.excess)

    @property
    def verdict(self) -> str:
        if self.ok:
            return "the gradient agrees with the oracle" + (", but for conventions" if self.conventions else "")
        if self.race:
            return "the original has a race, so that it has no derivative to compare with"
        if self.unwritten:
            return "the original reads shared memory that it has not written, so that there is nothing to compare with"
        if self.spoilt:
            return "the original ends in infinite values or NaN, so that there is nothing to compare with"
        if self.singular:
            return "the derivative is infinite or NaN at this point, so that there is nothing to compare with"
        return "the gradient is wrong"

    def text(self, verbose: bool = False) -> str:
        shown = [f for f in self.findings if verbose or not f.ok]
        good = sum(f.ok for f in self.findings)
        lines = [f"{self.function}: {self.verdict} ({good}/{len(self.findings)} comparisons)"]
        if self.race:
            lines.append(f"  race in the original: {self.race}")
        elif self.unwritten and not self.ok:
            lines.append(f"  not written in shared memory: {self.unwritten}")
        if self.spoilt:
            lines.append(f"  infinite or NaN after the original: {', '.join(self.spoilt)}")
        lines += [f"  {f}" for f in shown]
        lines += [f"    {e}" for e in self.examined if e.verdict == "wrong"][:_NAMED]
        lines += [f"  {line}" for line in self._told()]
        if verbose:
            undecided = [e for e in self.examined if e.verdict == "undecided"]
            if undecided:
                lines.append(f"  undecided by differences, for noise or jumps: {_listed(undecided)}")
            if self.omitted:
                lines.append(f"  without differences: {self.omitted}")
            lines += [f"  not compared with {told}" for told in self.untold]
        return "\n".join([*lines, f"  worst: {self.worst}"])

    def _told(self) -> Iterator[str]:
        """Where only conventions differ."""
        told = (
            ("kink", "there is a kink, and the gradient is in the range of the derivatives from both sides"),
            ("jump", "the function jumps, and the gradient is the derivative of the side that the value is of"),
            ("smooth", "the function is smooth, and the gradient its derivative"),
        )
        for verdict, why in told:
            found = [e for e in self.conventions if e.verdict == verdict]
            if found:
                yield f"only conventions differ at {_listed(found)}: {why}"
        others = [e for e in self.examined if e.oracle is not None]
        if others:
            yield f"the oracle has another convention at {_listed(others)}"


def _listed(elements: Sequence[Examined]) -> str:
    names = ", ".join(e.name for e in elements[:_NAMED])
    more = len(elements) - _NAMED
    return names + (f" and {more} more" if more > 0 else "")
