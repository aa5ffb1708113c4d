"""What host code calls beside its own functions: kernels, the CUDA runtime, memory of the C library.

The calls are made, on the host backend's CUDA runtime. What moves, sets or begins memory goes through
`cladpy_oracle::hosted`, which does the same to tangents; all else has nothing to do with them.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from cladpy.ir import surface as s
from cladpy.ir.types import Pointer, Scalar, Struct, Type, Void, size_of, strip_reference
from cladpy.resources import custom_derivatives_dir

if TYPE_CHECKING:
    from cladpy.check.expressions import Expressions

# Classes that the runtime fills, and their members with a meaning on the host. The program's class is laid out as its
# own headers say.
_FILLED = {
    "cudaDeviceProp": [
        "name",
        "totalGlobalMem",
        "sharedMemPerBlock",
        "sharedMemPerBlockOptin",
        "sharedMemPerMultiprocessor",
        "totalConstMem",
        "memPitch",
        "regsPerBlock",
        "warpSize",
        "maxThreadsPerBlock",
        "maxThreadsDim",
        "maxGridSize",
        "major",
        "minor",
        "multiProcessorCount",
        "canMapHostMemory",
        "unifiedAddressing",
        "managedMemory",
        "maxThreadsPerMultiProcessor",
        "regsPerMultiprocessor",
    ],
    "cudaFuncAttributes": ["maxThreadsPerBlock"],
    "cudaPointerAttributes": ["type", "device", "devicePointer", "hostPointer"],
}


def is_host_call(name: str) -> bool:
    """Whether the function is one of the host backend's CUDA runtime, or handles memory as C does."""
    return name in _memory() or name in _runtime()


@cache
def _memory() -> frozenset[str]:
    """The functions of `cladpy_oracle::hosted`, which are called as in C."""
    text = (Path(__file__).parent / "include" / "cladpy_oracle" / "hosted.h").read_text(encoding="utf-8")
    return frozenset(re.findall(r"\b(\w*alloc|free|mem(?:cpy|move|set)|cuda[A-Z]\w+)\((?=\w)", text))


@cache
def _runtime() -> frozenset[str]:
    """The functions that the host backend has."""
    folder = custom_derivatives_dir() / "cladpy" / "host"
    texts = ((folder / name).read_text(encoding="utf-8") for name in ("runtime_api.h", "runtime_memory.h"))
    return frozenset(name for text in texts for name in re.findall(r"\b(cuda[A-Z]\w*)\(", text))


def launch(emit: Expressions, e: s.Call) -> str:
    """A launch of a kernel as C++ text; what it is given is evaluated once, the configuration first."""
    assert e.launch is not None
    configuration = [
        f"const dim3 grid = hosted::extents({emit.rvalue(e.launch.grid)}); ",
        f"const dim3 block = hosted::extents({emit.rvalue(e.launch.block)}); ",
        f"const std::size_t shared = {emit.rvalue(e.launch.shared_mem)}; ",
    ]
    if e.launch.stream is not None:
        configuration.append(f"(void)({emit.rvalue(e.launch.stream)}); ")
    lets = [f"const {_given_as(a)} a{i} = {emit.rvalue(a)}; " for i, a in enumerate(e.arguments)]
    passed = ", ".join(f"a{i}" for i in range(len(lets)))
    call = f"{emit.functions[e.callee]}({passed})"
    run = f"(void)cladpy::host::launch(grid, block, shared, nullptr, [&] {{ {call}; }}); "
    return f"[&] {{ {''.join(configuration)}{''.join(lets)}{run}}}()"


def _given_as(argument: s.Expr) -> str:
    """A pointer to void is given to what may be a pointer to numbers by now."""
    is_untyped = isinstance(argument.type, Pointer) and isinstance(argument.type.pointee, Void)
    return "hosted::untyped" if is_untyped else "auto"


def host_call(emit: Expressions, e: s.Call, name: str) -> str:
    """A call of a function that `is_host_call` knows."""
    where = "hosted::" if name in _memory() else "::"
    arguments = _arguments(emit, e)
    filled = _filled(e)
    if filled is None:
        text = f"{where}{name}({', '.join(arguments)})"
    else:
        members = (f for f in filled.fields if f.name in _FILLED[filled.spelling])
        copies = (f"std::memcpy(place->bytes + {f.offset}, &own.{f.name}, {size_of(f.type)}); " for f in members)
        call = f"::{name}({', '.join(['&own', *arguments[1:]])})"
        text = (
            f"[&] {{ auto *place = {arguments[0]}; ::{filled.spelling} own{{}}; const auto error = {call}; "
            f"blank(*place); {''.join(copies)}return error; }}()"
        )
    return text if isinstance(e.type, Void | Pointer) else f"(({emit.classes.spell(e.type)})({text}))"


def _filled(e: s.Call) -> Struct | None:
    """The class of the runtime that the first argument leads to, where it is one that is filled."""
    first = e.arguments[0].type if e.arguments else None
    match first:
        case Pointer(Struct() as type, False) if type.spelling in _FILLED:
            return type
        case _:
            return None


def _arguments(emit: Expressions, e: s.Call) -> list[str]:
    """As C++ takes them: lvalues for references, and integers as the enumerations that they are."""
    texts = []
    for position, argument in enumerate(e.arguments):
        parameters = e.callee.parameters
        type: Type | None = parameters[position] if position < len(parameters) else None
        if type is not None and type != strip_reference(type):
            texts.append(emit.bound(argument))
            continue
        text = emit.plain(argument)
        enumeration = type.enum if isinstance(type, Scalar) else ""
        texts.append(f"static_cast<{enumeration}>({text})" if enumeration else text)
    return texts
