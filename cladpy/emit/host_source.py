"""The user's file for a host compiler: `kernel<<<...>>>(...)`, which is not C++, calls the host executor."""

from __future__ import annotations

from cladpy.ir.surface import Program
from cladpy.source import Source


def host_source(source: Source, program: Program) -> str:
    """The text with every launch written as `cladpy::host::launch(grid, block, shared, stream, [&] { kernel(...); })`.

    Lines keep their numbers.
    """
    data = source.text.encode("utf-8", errors="surrogateescape")
    for launch in sorted(program.launches, key=lambda at: at.start, reverse=True):
        configuration = list(launch.configuration)
        configuration += ["0", "nullptr"][len(configuration) - 2 :]
        call = f"{launch.kernel}({', '.join(launch.arguments)})"
        text = f"::cladpy::host::launch({', '.join(configuration)}, [&] {{ {call}; }})".encode()
        missing = data[launch.start : launch.end].count(b"\n") - text.count(b"\n")
        data = data[: launch.start] + text + b"\n" * max(0, missing) + data[launch.end :]
    return data.decode("utf-8", errors="surrogateescape")
