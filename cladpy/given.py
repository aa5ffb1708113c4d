"""What Python gives for an option, checked: whatever it is, an error names the option and says what it takes."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Mapping, Sequence
from typing import Any

from cladpy.diagnostics import UsageError

_MACRO = re.compile(r"[A-Za-z_]\w*(\([\w\s,.]*\))?", re.ASCII)
_STANDARD = re.compile(r"(c|gnu)\+\+(98|03|0x|11|1y|14|1z|17|2a|20|2b|23|2c|26)")
_ARCH = re.compile(r"((sm_|compute_)?\d+\.?\d[a-z]?|gfx[0-9a-f]+(:[a-z]+[+-])*)", re.ASCII)


def shown(value: object) -> str:
    """A value as messages show it: in a line, and not all of a large one."""
    try:
        text = " ".join(repr(value).split())
    except Exception:
        text = f"an object of type {type(value).__name__}"
    return text if len(text) <= 60 else f"{text[:56]} ..."


def text(name: str, value: object, wanted: str) -> str:
    """A string. Raises UsageError for anything else, with what was `wanted`."""
    if not isinstance(value, str):
        raise UsageError(f"{name} must be {wanted}, not {shown(value)}")
    return str(value)


def names(name: str, value: object) -> str:
    """Names of arguments in one string."""
    if isinstance(value, list | tuple) and value and all(isinstance(v, str) for v in value):
        joined = ", ".join(value)
        raise UsageError(f"{name} must be one string of names, not {shown(value)}\nhint: write {name}={joined!r}")
    return text(name, value, "a string of names, separated by commas")


def flag(name: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise UsageError(f"{name} must be True or False, not {shown(value)}")
    return value


def choice(name: str, value: object, choices: Sequence[str]) -> str:
    if not isinstance(value, str) or value not in choices:
        raise UsageError(f"{name} must be one of {', '.join(choices)}, not {shown(value)}")
    return value


def path(name: str, value: object, wanted: str) -> str:
    """A path as a string."""
    if not isinstance(value, str | os.PathLike):
        raise UsageError(f"{name} must be {wanted}, not {shown(value)}")
    found: Any = os.fspath(value)
    if not isinstance(found, str) or not found or not _is_plain(found):
        raise UsageError(f"{name} must be {wanted}, not {shown(value)}")
    return found


def _is_plain(text: str) -> bool:
    """Whether a system can be given it: no null, and nothing that is neither Unicode nor a byte of a file's name."""
    try:
        return b"\0" not in os.fsencode(text)
    except UnicodeEncodeError:
        return False


def paths(name: str, value: object) -> tuple[str, ...]:
    """Paths, or a single one."""
    wanted = "a path, or a sequence of paths"
    if isinstance(value, str | os.PathLike):
        return (path(name, value, wanted),)
    if isinstance(value, Mapping | bytes) or not isinstance(value, Sequence):
        raise UsageError(f"{name} must be {wanted}, not {shown(value)}")
    return tuple(path(f"{name}[{k}]", v, "a path") for k, v in enumerate(value))


def folder(name: str, value: object) -> str | None:
    """The path of a folder that is there, or None."""
    found = None if value is None else path(name, value, "the path of a folder")
    if found is not None and not os.path.isdir(found):
        raise UsageError(f"{name}: there is no folder {found!r}")
    return found


def existing(name: str, value: object) -> tuple[str, ...]:
    """Paths of files and folders that are there."""
    found = paths(name, value)
    for place in found:
        if not os.path.exists(place):
            raise UsageError(f"{name}: there is no {place!r}")
    return found


def standard(name: str, value: object) -> str:
    """A C++ standard as a compiler takes it."""
    if not isinstance(value, str) or _STANDARD.fullmatch(value) is None:
        raise UsageError(f"{name} must be a C++ standard such as c++17, c++20 or gnu++17, not {shown(value)}")
    return value


def architecture(name: str, value: object) -> str | None:
    """A GPU architecture; None for the one that is there."""
    if value is None:
        return None
    if not isinstance(value, str) or _ARCH.fullmatch(value) is None:
        hint = f"\nhint: write {name}='sm_{value}'" if type(value) is int and value > 0 else ""
        raise UsageError(f"{name} must be a GPU architecture such as 'sm_90' or 'gfx90a', not {shown(value)}{hint}")
    return value


def macros(name: str, value: object) -> tuple[tuple[str, str], ...]:
    """Macros by their names; None is an empty one."""
    if value is None:
        return ()
    if not isinstance(value, Mapping):
        hint = ""
        if isinstance(value, str) and _MACRO.fullmatch(value.partition("=")[0]):
            macro, equals, content = value.partition("=")
            hint = f"\nhint: write {name}={{{macro!r}: {content if equals else '1'!r}}}"
        raise UsageError(f"{name} must map names of macros to values, not {shown(value)}{hint}")
    return tuple((_macro(name, key), _replacement(name, key, content)) for key, content in value.items())


def _macro(name: str, key: object) -> str:
    if not isinstance(key, str) or _MACRO.fullmatch(key) is None:
        raise UsageError(f"{name}: {shown(key)} is not the name of a macro")
    return key


def _replacement(name: str, key: str, value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, str):
        if "\n" in value or not _is_plain(value):
            raise UsageError(f"{name}[{key!r}] must be one line, not {shown(value)}")
        return value
    if isinstance(value, int) or (isinstance(value, float) and math.isfinite(value)):
        return str(value)
    raise UsageError(f"{name}[{key!r}] must be a string, a finite number or None, not {shown(value)}")
