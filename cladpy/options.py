"""The options of `cladpy.gradient`, which the command line shares."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cladpy import given
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
    checked: bool = False  # runs on the host look after every access
    trace_nonfinite: bool = False  # the gradient stops at an adjoint that is infinite or no number

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
        checked: bool = False,
        trace_nonfinite: bool = False,
    ) -> Options:
        """Checks and normalises. Raises UsageError, with the option's name, for a value that it does not take."""
        accumulate = given.choice("accumulate", accumulate, ACCUMULATE)
        if not isinstance(checkpoint, str) or (
            checkpoint not in CHECKPOINT[:-1] and _BUDGET.fullmatch(checkpoint) is None
        ):
            raise UsageError(
                f"checkpoint must be one of {', '.join(CHECKPOINT)}, not {given.shown(checkpoint)}; BYTES is a number "
                "above zero, perhaps followed by K, M or G"
            )
        return Options(
            std=given.standard("std", std),
            include_dirs=given.paths("include_dirs", include_dirs),
            defines=given.macros("defines", defines),
            custom_derivatives=given.existing("custom_derivatives", custom_derivatives),
            arch=given.architecture("arch", arch),
            accumulate=accumulate,
            fresh=split_names(given.names("fresh", fresh)),
            consumed=split_names(given.names("consumed", consumed)),
            may_alias=given.flag("may_alias", may_alias),
            checkpoint=checkpoint,
            split=given.flag("split", split),
            checked=given.flag("checked", checked),
            trace_nonfinite=given.flag("trace_nonfinite", trace_nonfinite),
        )


def split_names(names: str) -> tuple[str, ...]:
    """`"out, in"` as `("out", "in")`."""
    return tuple(n.strip() for n in names.split(",") if n.strip())
