"""The options of `cladpy.gradient`, which the command line shares."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cladpy.diagnostics import UsageError

BACKENDS = ("auto", "cuda", "hip", "host")
ACCUMULATE = ("auto", "atomic", "deterministic")
CHECKPOINT = ("auto", "all", "binomial:BYTES")
_BUDGET = re.compile(r"binomial:([1-9]\d*)([KMG]?)")
_UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30}


@dataclass(frozen=True, slots=True)
class Options:
    """What parsing, differentiating, emitting and compiling may depend on. Build it with `Options.make`."""

    std: str = "c++17"
    include_dirs: tuple[str, ...] = ()
    defines: tuple[tuple[str, str], ...] = ()
    custom_derivatives: tuple[str, ...] = ()
    arch: str | None = None
    accumulate: str = "auto"
    fresh: tuple[str, ...] = ()
    consumed: tuple[str, ...] = ()
    may_alias: bool = False
    checkpoint: str = "auto"
    split: bool = False

    @property
    def budget(self) -> int:
        """The bytes of copies that a host program may keep at a time; 0 for as many as there are."""
        given = _BUDGET.fullmatch(self.checkpoint)
        return 0 if given is None else int(given[1]) * _UNITS[given[2]]

    @staticmethod
    def make(
        *,
        std: str = "c++17",
        include_dirs: Sequence[str | Path] = (),
        defines: Mapping[str, str | int | float | None] | None = None,
        custom_derivatives: Sequence[str | Path] = (),
        arch: str | None = None,
        accumulate: str = "auto",
        fresh: str = "",
        consumed: str = "",
        may_alias: bool = False,
        checkpoint: str = "auto",
        split: bool = False,
    ) -> Options:
        """Checks and normalises. Raises UsageError for a value that is not among those allowed."""
        if accumulate not in ACCUMULATE:
            raise UsageError(f"accumulate must be one of {', '.join(ACCUMULATE)}, not {accumulate!r}")
        if checkpoint not in CHECKPOINT[:-1] and _BUDGET.fullmatch(checkpoint) is None:
            raise UsageError(
                f"checkpoint must be one of {', '.join(CHECKPOINT)}, not {checkpoint!r}; BYTES is a number above zero, "
                "perhaps followed by K, M or G"
            )
        one = (include_dirs,) if isinstance(include_dirs, (str, Path)) else include_dirs
        customs = (custom_derivatives,) if isinstance(custom_derivatives, (str, Path)) else custom_derivatives
        return Options(
            std=std,
            include_dirs=tuple(str(d) for d in one),
            defines=tuple((k, "" if v is None else str(v)) for k, v in (defines or {}).items()),
            custom_derivatives=tuple(str(d) for d in customs),
            arch=arch,
            accumulate=accumulate,
            fresh=split_names(fresh),
            consumed=split_names(consumed),
            may_alias=may_alias,
            checkpoint=checkpoint,
            split=split,
        )


def split_names(names: str) -> tuple[str, ...]:
    """`"out, in"` as `("out", "in")`."""
    return tuple(n.strip() for n in names.split(",") if n.strip())
