"""The options of a gradient. Each is declared here: its default, what it takes, and how the command line spells it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from cladpy import given
from cladpy.diagnostics import UsageError
from cladpy.quoting import KEYWORDS
from cladpy.targets import TARGETS

BACKENDS = ("auto", *TARGETS)
ACCUMULATE = ("auto", "atomic", "deterministic")
OPENMP = ("auto", "off")
CHECKPOINT = ("auto", "all", "binomial:BYTES")
_BUDGET = re.compile(r"binomial:([1-9]\d*)([KMG]?)")
_UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30}
_WORD = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_MACRO = re.compile(r"[A-Za-z_]\w*(\([\w\s,.]*\))?")


@dataclass(frozen=True, slots=True)
class Flag:
    """An option on the command line: a switch where the default is False; one that may be repeated where it is ()."""

    spelling: str
    help: str
    metavar: str | None = None
    choices: tuple[str, ...] = ()
    default: object = None  # where it is written in another way than the option's
    shows_default: bool = False
    read: Callable[[Any], Any] = lambda value: value  # what `Options.make` takes, of what stands there
    of_files: bool = False  # of a command that writes a file alone: how its text may be used


def _option(default: object, check: Callable[[str, Any], object], flag: Flag | None = None) -> Any:
    """`check` normalises what is given for the option of that name, or raises UsageError, which names it."""
    return field(default=default, metadata={"check": check, "flag": flag})


def _accumulate(name: str, value: object) -> str:
    return given.choice(name, value, ACCUMULATE)


def _openmp(name: str, value: object) -> str:
    return given.choice(name, value, OPENMP)


def _names(name: str, value: object) -> tuple[str, ...]:
    return split_names(given.names(name, value))


def _checkpoint(name: str, value: object) -> str:
    if not isinstance(value, str) or (value not in CHECKPOINT[:-1] and _BUDGET.fullmatch(value) is None):
        raise UsageError(
            f"{name} must be one of {', '.join(CHECKPOINT)}, not {given.shown(value)}; BYTES is a number "
            "above zero, perhaps followed by K, M or G"
        )
    return value


def _namespace(name: str, value: object) -> str:
    found = given.text(name, value, "the name of a namespace, such as 'mine' or 'mine::inner'")
    parts = found.split("::") if found else []
    if not all(_WORD.fullmatch(p) and p not in KEYWORDS for p in parts) or parts[:1] in (["std"], ["cladpy"]):
        raise UsageError(f"{name} must be the name of a namespace of your own, not {given.shown(value)}")
    return found


def _read_macros(texts: Sequence[str]) -> dict[str, str]:
    """`X` means `X=1`, as for every compiler."""
    defines = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not _MACRO.fullmatch(name):
            raise UsageError(f"-D{text}: {name!r} is not the name of a macro")
        defines[name] = value if equals else "1"
    return defines


def _read_headers(names: Sequence[str]) -> Sequence[str]:
    for name in names:
        if not Path(name).exists():
            raise UsageError(f"--custom-derivatives: there is no {name!r}")
    return names


@dataclass(frozen=True, slots=True)
class Options:
    """What parsing, differentiating, emitting and compiling may depend on. Build it with `Options.make`."""

    include_dirs: tuple[str, ...] = _option(
        (), given.paths, Flag("-I", "Directory to look for includes in.", metavar="DIR")
    )
    defines: tuple[tuple[str, str], ...] = _option(
        (), given.macros, Flag("-D", "Macro to define.", metavar="NAME[=VALUE]", read=_read_macros)
    )
    std: str = _option("c++17", given.standard, Flag("--std", "C++ standard; -std=… works too.", shows_default=True))
    arch: str | None = _option(None, given.architecture, Flag("--arch", "GPU architecture.", metavar="sm_XX"))
    openmp: str = _option(
        "auto", _openmp, Flag("--openmp", "off: its directives mean nothing, as without -fopenmp.", choices=OPENMP)
    )
    custom_derivatives: tuple[str, ...] = _option(
        (),
        given.existing,
        Flag("--custom-derivatives", "Headers with your own pullbacks.", metavar="DIR", read=_read_headers),
    )
    kokkos: str | None = _option(
        None, given.folder, Flag("--kokkos", "Where Kokkos is installed; default: Kokkos_ROOT.", metavar="PATH")
    )
    accumulate: str = _option("auto", _accumulate, Flag("--accumulate", "How adjoints are added.", choices=ACCUMULATE))
    fresh: tuple[str, ...] = _option(
        (), _names, Flag("--fresh", "Arguments whose adjoints start at zero.", metavar="NAMES", default="")
    )
    consumed: tuple[str, ...] = _option(
        (), _names, Flag("--consumed", "Arguments whose adjoints nobody reads after.", metavar="NAMES", default="")
    )
    may_alias: bool = _option(False, given.flag, Flag("--may-alias", "Pointer arguments may overlap."))
    checkpoint: str = _option(
        "auto",
        _checkpoint,
        Flag(
            "--checkpoint",
            "What host programs keep: all that is overwritten, or so many bytes (K, M, G).",
            metavar="|".join(CHECKPOINT),
        ),
    )
    split: bool = _option(False, given.flag, Flag("--split", "The gradient in two halves, with a tape between them."))
    # Runs on the host look after every access.
    checked: bool = _option(False, given.flag)
    # The gradient stops at an adjoint that is infinite or no number.
    trace_nonfinite: bool = _option(
        False, given.flag, Flag("--trace-nonfinite", "It tells where an adjoint is infinite or no number.")
    )
    namespace: str = _option(
        "", _namespace, Flag("--namespace", "Namespace that the gradient is called in.", metavar="NAME", of_files=True)
    )
    inline: bool = _option(
        False, given.flag, Flag("--inline", "Several files may include it, if they may the original.", of_files=True)
    )
    header: bool = _option(
        False, given.flag, Flag("--header", "Declarations beside it, as OUT.h; it is compiled alone.", of_files=True)
    )

    @property
    def budget(self) -> int:
        """The bytes of copies that a host program may keep at a time; 0 for as many as there are."""
        given = _BUDGET.fullmatch(self.checkpoint)
        return 0 if given is None else int(given[1]) * _UNITS[given[2]]

    @staticmethod
    def make(**values: Any) -> Options:
        """Checks and normalises. Raises UsageError, with the option's name, for a value that it does not take."""
        checks = {option.name: option.metadata["check"] for option in fields(Options)}
        options = Options(**{name: checks[name](name, v) if name in checks else v for name, v in values.items()})
        if options.header and (options.inline or options.split):
            reason = "inline, which needs none" if options.inline else "the split form, which is a class"
            raise UsageError(f"header does not go with {reason}")
        return options

    @staticmethod
    def among(values: dict[str, Any]) -> Options:
        """`make` of those values whose names are options."""
        return Options.make(**{option.name: values[option.name] for option in fields(Options) if option.name in values})

    @staticmethod
    def flags(of_files: bool = False) -> list[tuple[str, object, Flag]]:
        """The options of the command line, by name and with their defaults, in the order of its help: those of all
        commands, or those that are `of_files`."""
        found = ((option, option.metadata["flag"]) for option in fields(Options) if option.metadata["flag"] is not None)
        default = ((o, o.default if flag.default is None else flag.default, flag) for o, flag in found)
        return [(o.name, value, flag) for o, value, flag in default if flag.of_files is of_files]


def split_names(names: str) -> tuple[str, ...]:
    """`"out, in"` as `("out", "in")`; `mask<double, 3>` is one name."""
    return tuple(n.strip() for n in re.split(r",(?![^<>]*>)", names) if n.strip())
