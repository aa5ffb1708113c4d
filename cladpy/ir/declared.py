"""The parameters of a user's function as C++ declares them, where the types here say less: they do not tell volatile
memory from other memory, and `spell` does not say which enumeration a number is of. They say more of pointers to void,
which any pointer can be passed for."""

from __future__ import annotations

from collections.abc import Sequence

from cladpy.ir.symbols import FunctionSymbol
from cladpy.ir.types import Pointer, Scalar, Type, Void, spell


def parameter_types(function: FunctionSymbol, types: Sequence[Type]) -> str:
    """The list by which it is told from others of its name. `types` are those of its parameters, without arrays."""
    declared = [of if _is_untyped(of) else type for of, type in zip(function.parameters, types, strict=True)]
    return ", ".join(said or spell(type) for said, type in zip(_said(function, types), declared, strict=True))


def arguments(function: FunctionSymbol, types: Sequence[Type], texts: Sequence[str]) -> str:
    """The arguments of a call whose `texts` have the `types` of its parameters."""
    return ", ".join(
        (f"const_cast<{said}>({text})" if "*" in said else f"static_cast<{said}>({text})") if said else text
        for said, text in zip(_said(function, types), texts, strict=True)
    )


def _said(function: FunctionSymbol, types: Sequence[Type]) -> list[str]:
    """Of each parameter its type in C++ if the type here says less, else ""."""
    volatile = function.volatile or ("",) * len(types)
    return [v or (t.enum if isinstance(t, Scalar) else "") for v, t in zip(volatile, types, strict=True)]


def _is_untyped(type: Type) -> bool:
    return isinstance(type, Pointer) and isinstance(type.pointee, Void)
