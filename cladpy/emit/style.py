"""How a target writes what is generated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from cladpy.emit.origins import Origins
from cladpy.ir import core


@dataclass(frozen=True, slots=True)
class Style:
    """How a target writes statements. `device` code has atomics; `checked` code reports accesses to the race check;
    `sources` has the lines of the user's files, for comments."""

    atomics: bool
    checked: bool
    sources: Mapping[str, list[str]]
    adjoint_globals: Mapping[core.Root, str]  # what the adjoints of variables at namespace scope are called
    dependent: bool = False  # whether the type of the tape is a parameter of a template
    pullbacks: str = ""  # the namespace in which a call finds them; none where the function is in it
    addresses: Mapping[str, str] = field(default_factory=dict)  # the names of adjoints, by the variable's
    kernels: bool = True  # whether kernels are launched as `kernel<<<...>>>`, which a host compiler cannot read
    workers: bool = False  # whether it is for the host, where sums over threads are those of workers
    registers: Mapping[str, int] = field(default_factory=dict)  # what pullbacks take of them, by name
    tracer: str = ""  # of a traced gradient: what its tracers are made of
    origins: Origins | None = None  # where lines are marked with what they are of
    exact: frozenset[str] = frozenset()  # the functions that are given the rows of integers that sums are made of

    @property
    def dynamic_shared(self) -> str:
        """Declares `_shared`, the memory that the launch gives. On the host the backend defines a symbol for that; no
        program of the user's own does."""
        own = "extern __shared__ __align__(16) unsigned char _shared[];"
        return own if self.kernels else "CLADPY_DYNAMIC_SHARED(_shared);"
