"""What a gradient check found, as data and as text."""

from __future__ import annotations

from dataclasses import dataclass


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
        widened = f", bound widened by the condition number {self.condition:.1e}" if self.condition > 1 else ""
        unit = f" {self.unit}" if self.unit else ""
        mark = "ok  " if self.ok else "FAIL"
        return f"{mark} {self.what}: error {self.error:.2e}, at most {self.bound:.2e}{unit}{widened}"


@dataclass(frozen=True, slots=True)
class CheckReport:
    """All comparisons of one check. `text()` is for people; `ok` decides."""

    function: str
    findings: tuple[Finding, ...]
    race: str = ""  # where threads of the original meet
    spoilt: tuple[str, ...] = ()  # arguments in which the original leaves what is no finite number
    singular: bool = False  # whether the oracle's own derivative is no finite number

    @property
    def ok(self) -> bool:
        return bool(self.findings) and all(f.ok for f in self.findings)

    @property
    def worst(self) -> Finding:
        """The finding nearest to its bound, or furthest beyond it."""
        return max(self.findings, key=lambda f: f.excess)

    @property
    def verdict(self) -> str:
        if self.ok:
            return "the gradient agrees with the oracle"
        if self.race:
            return "the original has a race, so that it has no derivative to compare with"
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
        if self.spoilt:
            lines.append(f"  infinite or NaN after the original: {', '.join(self.spoilt)}")
        return "\n".join([*lines, *(f"  {f}" for f in shown), f"  worst: {self.worst}"])
