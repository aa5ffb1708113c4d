"""What the templates put together: functions and their launches, as text."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from cladpy.emit.split import KernelTapeText, SplitText
from cladpy.ir.shared import NO_SHARED, SharedMemory
from cladpy.variants.variant import Step


@dataclass(frozen=True, slots=True)
class FunctionText:
    """What a template puts together."""

    name: str
    role: str
    qualifiers: str  # each with a blank behind it
    signature: tuple[str, ...]  # declarations of the parameters
    defaulted: tuple[str, ...]  # the same with what a caller may leave out
    names: tuple[str, ...]  # their names
    primal: int  # how many of them are the primal's
    tape: str  # "", "local" or "workspace"
    slots: int
    body: str
    count: str = ""
    count_result: str = ""
    count_signature: tuple[str, ...] = ()
    count_at_launch: bool = False  # whether the host knows how many slots a thread needs
    memory: SharedMemory = NO_SHARED  # which one logical block after the other uses
    count_memory: SharedMemory = NO_SHARED
    log: bool = False  # whether counting stores, and undoes that from a log
    whole_grid: bool = False
    storage: str = ""  # what it is given to keep things in
    logs: bool = False  # whether what it calls logs stores
    guarded: bool = False  # whether more may be kept than was counted
    program: bool = False  # whether it has the state of a host program
    waits: bool = False  # for kernels, because host code works on the same memory
    pointers: tuple[str, ...] = ()  # declarations of those to what it allocates
    split: SplitText | None = None  # where its two sweeps are apart
    tape_class: KernelTapeText | None = None  # of a kernel in the split form
    budget: int = 0  # of the copies that are kept, in bytes
    left: tuple[str, ...] = ()  # adjoints of the caller's, where a step overwrites the caller's memory
    standing: bool = False  # whether a kernel's blocks may run several of the original
    first: str = ""  # what is done before these, and after them
    last: str = ""
    staging: str = ""  # the bytes of shared memory for sums of a block's own, in terms of the launch function
    narrow: bool = False  # whether nothing on its tape takes more than four bytes
    sizes: tuple[int, ...] = ()  # of blocks, for each of which a kernel is compiled, or none
    teams: bool = False  # whether loops of it are run by several threads at once
    phases: str = ""  # the body of a kernel for a whole block
    checked: str = ""  # what is looked at where the program asks for it: see <cladpy/checked.h>

    @property
    def captures(self) -> str:
        """How a lambda that calls it captures what it is given: by value, but for what it refers to."""
        referred = (n for n, s in zip(self.names, self.signature, strict=False) if re.search(rf"&\s*{n}\b", s))
        return ", ".join(["=", *(f"&{name}" for name in referred)])


@dataclass(frozen=True, slots=True)
class StepText:
    """A step of a variant, and its kernel as text."""

    step: Step
    kernel: FunctionText


@dataclass(frozen=True, slots=True)
class VariantText:
    """What a launch may run in place of a kernel: what the launch function declares before it tests the `condition`."""

    header: str
    verb: str
    steps: tuple[StepText, ...]
    declared: tuple[str, ...]
    condition: str
    end: str

    @property
    def asked(self) -> str:
        """The argument of the launch function by which a caller asks for one of the steps."""
        return next((s.step.asked for s in self.steps if s.step.asked), "")


@dataclass(frozen=True, slots=True)
class SumText:
    """An adjoint whose contributions are added as integers first; `length` is the launch function's parameter that says
    how many numbers there are, empty for `count`."""

    adjoint: str
    element: str
    count: int
    length: str


@dataclass(frozen=True, slots=True)
class GlobalText:
    """The adjoint of a variable at namespace scope, an array of `count` elements, and the function that gives its
    address."""

    variable: str
    name: str
    count: int
    declaration: str
    accessor: str
    pointer: str  # the type that it returns
    first: str
    on_device: bool


@dataclass(frozen=True, slots=True)
class Part:
    """A gradient with its pullbacks: the one asked for, or that of a kernel which it launches, which stands in a
    namespace."""

    functions: list[FunctionText]
    main: FunctionText
    launch_name: str
    pullbacks: str
    namespace: str
    single: tuple[str, ...]
    recursive: bool
    sums: list[SumText]
    lengths: tuple[str, ...]
    length_parameters: tuple[str, ...]
    variants: tuple[VariantText, ...]

    @property
    def for_others(self) -> Part:
        """The same, where other files call what is asked for."""
        main = replace(self.main, qualifiers=self.main.qualifiers.replace("inline ", ""))
        return replace(self, functions=[*self.functions[:-1], main], main=main)
