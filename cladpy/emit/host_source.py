"""The user's file for a host compiler: `kernel<<<...>>>(...)`, which is not C++, calls the host executor."""

from __future__ import annotations

import re

from cladpy.ir.surface import Program
from cladpy.source import Source

# Calls, increments and assignments.
_EFFECT = re.compile(r"\(|\+\+|--|(?<![=!<>])=(?!=)")


def host_source(source: Source, program: Program) -> str:
    """The text with every launch written as `cladpy::host::launch(grid, block, shared, stream, [&] { kernel(...); })`.

    Lines keep their numbers. Arguments that may do something are evaluated before, once and not by every thread; others
    stay where they are, so that a kernel's parameters are given what they would be given.
    """
    data = source.text.encode("utf-8", errors="surrogateescape")
    for launch in sorted(program.launches, key=lambda at: at.start, reverse=True):
        configuration = list(launch.configuration)
        configuration += ["0", "nullptr"][len(configuration) - 2 :]
        effects = [i for i, argument in enumerate(launch.arguments) if _EFFECT.search(argument)]
        given = [f"cladpy_{i}" if i in effects else argument for i, argument in enumerate(launch.arguments)]
        text = f"::cladpy::host::launch({', '.join(configuration)}, [&] {{ {launch.kernel}({', '.join(given)}); }})"
        if effects:
            lets = "".join(f"auto cladpy_{i} = {launch.arguments[i]}; " for i in effects)
            text = f"[&] {{ {lets}return {text}; }}()"
        missing = data[launch.start : launch.end].count(b"\n") - text.count("\n")
        data = (
            data[: launch.start]
            + text.encode("utf-8", errors="surrogateescape")
            + b"\n" * max(0, missing)
            + data[launch.end :]
        )
    return data.decode("utf-8", errors="surrogateescape")
