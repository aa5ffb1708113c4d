"""Values of `cladpy check --set name=value`: numbers, lists, and a few ways to fill an array."""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from cladpy.check.arguments import Array, contents, element_dtype, is_buffer
from cladpy.check.sizes import extents, size
from cladpy.derivative import GlobalVariable, variables_called
from cladpy.diagnostics import UsageError
from cladpy.ir.symbols import Symbol
from cladpy.ir.types import (
    BFLOAT16,
    FLOAT,
    Pointer,
    Scalar,
    Struct,
    Type,
    holds_pointers,
    is_integer,
    scalar_of,
    strip_reference,
    vector_in,
)
from cladpy.ir.views import view_class, words_of
from cladpy.runtime.passing import is_handle
from cladpy.runtime.scalars import bfloat16_bits
from cladpy.runtime.structs import dtype_of, members_of, overlap, uniform_scalar

FORMS = (
    "a number, random, random:N, random:NxM, zeros:N, ones:N, linspace:a:b:N or a list such as [1,2,3]; "
    "sizes may have names of integers that are set"
)


@dataclass(frozen=True, slots=True)
class Values:
    """A value for every parameter, in order; and values of variables at namespace scope, by qualified name."""

    arguments: list[Any]
    variables: dict[str, Any]


def read_settings(
    parameters: Sequence[Symbol],
    variables: Sequence[GlobalVariable],
    settings: Sequence[str],
    rng: np.random.Generator,
) -> Values:
    """The values that `settings` give. A variable that is given none stays as it is; it is written with `::` before it
    where a parameter has the same name.

    Raises UsageError as `argument_values` does.
    """
    own = {p.name for p in parameters}
    named: dict[str, Type] = {}
    theirs, others = [], []
    for setting in settings:
        name, equals, text = setting.partition("=")
        head, dot, member = name.strip().partition(".")
        meant = [] if head in own else variables_called(head, variables)
        if len(meant) != 1:
            others.append(setting)
        else:
            named[meant[0].name] = meant[0].type
            theirs.append(f"{meant[0].name}{dot}{member}{equals}{text}")
    return Values(argument_values(parameters, others, rng), _values(named, theirs, rng))


def argument_values(parameters: Sequence[Symbol], settings: Sequence[str], rng: np.random.Generator) -> list[Any]:
    """A value for every parameter, in order; `p.x=...` sets a member of a parameter of class type.

    Raises UsageError where a parameter has none, where a name is unknown or set twice, and where a value does not fit.
    """
    return list(_values({p.name: p.type for p in parameters}, settings, rng).values())


def _values(types: Mapping[str, Type], settings: Sequence[str], rng: np.random.Generator) -> dict[str, Any]:
    """A value for every name. Raises UsageError as `argument_values` does."""
    given: dict[str, str] = {}
    for setting in settings:
        name, equals, text = setting.partition("=")
        name = name.strip()
        if not equals:
            raise UsageError(f"--set takes name=value, got {setting!r}")
        if name.partition(".")[0] not in types:
            raise UsageError(f"--set {name}: no such parameter; there are {', '.join(types)}")
        if name in given:
            raise UsageError(f"--set {name}: given twice")
        given[name] = text.strip()
    for name in given:
        outer = next((o for o in given if name.startswith(f"{o}.")), None)
        if outer is not None:
            raise UsageError(f"--set {name}: {outer} is set as a whole already")
    filled = _Filled(given, rng, _integers(types, given))
    values = {name: filled.value(name, type) for name, type in types.items()}
    if filled.missing:
        names = ", ".join(f"'{name}'" for name, _ in filled.missing)
        name, type = filled.missing[0]
        raise UsageError(f"no value for {names}: give one with --set, such as --set {name}={_example(type)}")
    unused = next((name for name in given if name not in filled.used), None)
    if unused is not None:
        owner, _, member = unused.rpartition(".")
        raise UsageError(f"--set {unused}: {owner} has no member '{member}' that can be set")
    return values


def sizes_in(parameters: Sequence[Symbol], settings: Sequence[str]) -> dict[str, int]:
    """The integers among what is set, by which sizes may be written."""
    given = {name.strip(): text.strip() for name, _, text in (setting.partition("=") for setting in settings)}
    return _integers({p.name: p.type for p in parameters}, given)


def _integers(types: Mapping[str, Type], given: Mapping[str, str]) -> dict[str, int]:
    """Those that are numbers, and those that are written with others."""
    texts = {name: text for name, text in given.items() if is_integer(strip_reference(types.get(name, FLOAT)))}
    found = {name: int(text) for name, text in texts.items() if text.isdecimal()}
    for _ in texts:
        for name in texts.keys() - found.keys():
            with contextlib.suppress(ValueError):
                found[name] = size(texts[name], found)
    return found


def _example(type: Type) -> str:
    view = view_class(type)
    if view is not None:
        return "random:" + "x".join(["8"] * len(words_of(view).extents) or ["1"])
    if is_buffer(type):
        inner = strip_reference(type)
        return "random:4x64" if isinstance(inner, Pointer) and isinstance(inner.pointee, Pointer) else "random:64"
    return "1"


@dataclass(slots=True)
class _Filled:
    """The values of parameters and of their members, from the settings of these names."""

    given: dict[str, str]
    rng: np.random.Generator
    sizes: Mapping[str, int]
    used: set[str] = field(default_factory=set)
    missing: list[tuple[str, Type]] = field(default_factory=list)

    def value(self, name: str, type: Type) -> Any:
        inner = strip_reference(type)
        if name in self.given:
            self.used.add(name)
            return _value(name, inner, self.given[name], self.rng, self.sizes)
        if isinstance(inner, Struct) and any(n.startswith(f"{name}.") for n in self.given):
            return self._members(name, inner, name)
        if not is_handle(inner):  # which is null
            self.missing.append((name, inner))
        return None

    def _members(self, name: str, struct: Struct, path: str) -> dict[str, Any]:
        """Members that share their memory with one that is set are not needed; those of a base may be the class's."""
        members = members_of(struct)
        values: dict[str, Any] = {}
        for member in members:
            inner = f"{path}.{member.name}"
            if any(n == inner or n.startswith(f"{inner}.") for n in self.given):
                values[member.name] = self.value(inner, member.type)
            elif member.base and isinstance(member.type, Struct):
                values[member.name] = self._members(name, member.type, path)
        given = [m for m in members if m.name in values]
        for member in members:
            if member not in given and not any(overlap(member, other) for other in given):
                self.missing.append((f"{path}.{member.name}", member.type))
        return values


def _value(name: str, type: Type, text: str, rng: np.random.Generator, sizes: Mapping[str, int]) -> Any:
    core = scalar_of(type)
    if core == BFLOAT16:  # which NumPy does not have
        values = _value(name, _with_floats(type), text, rng, sizes)
        return values if isinstance(type, Scalar) else bfloat16_bits(values)
    if isinstance(type, Scalar):
        dtype = element_dtype(type)
        if text == "random" and dtype.kind == "f":
            return _random((1,), dtype, rng)[0]
        return _number(name, dtype, str(sizes[name]) if name in sizes else text)
    if isinstance(type, Pointer) and text == "null":
        return None
    if (data := vector_in(type)) is not None:
        return _value(name, data, text, rng, sizes)
    if not is_buffer(type):
        elements = _literal(name, text)
        if isinstance(elements, list | tuple):
            return elements
        members = next((m.name for m in members_of(type)), "x") if isinstance(type, Struct) else "x"
        raise UsageError(
            f"--set {name}: a class takes a list of its numbers, not {text!r}; set its members as {name}.{members}=..."
        )
    if holds_pointers(scalar_of(type)) and isinstance(scalar_of(type), Struct):
        raise UsageError(f"--set {name}: objects that hold pointers cannot be made from the command line")
    dtype = element_dtype(type)
    kind, _, rest = text.partition(":")
    try:
        if kind in ("random", "zeros", "ones", "linspace"):
            return _array(kind, rest, dtype, rng, sizes)
        elements = _literal(name, text)
        if isinstance(elements, list | tuple):
            return _listed(elements, type, dtype)
        raise UsageError(f"--set {name}: an array takes a list or a size, such as {name}=[{text}] or {name}=random:8")
    except UsageError:
        raise
    except (ValueError, TypeError, OverflowError):
        pass  # a shape, a number or a list that is none, or does not fit the type
    except MemoryError:
        raise UsageError(f"--set {name}: there is no memory for {text!r}") from None
    raise UsageError(f"--set {name}: {text!r} is none of {FORMS}")


def _with_floats(type: Type) -> Type:
    """The type with floats for its numbers."""
    return FLOAT if isinstance(type, Scalar) else Pointer(FLOAT)


def _number(name: str, dtype: np.dtype[Any], text: str) -> Any:
    number = _literal(name, text)
    if isinstance(number, (list, tuple)):
        raise UsageError(f"--set {name}: a scalar parameter takes a number, not {text!r}")
    if dtype.kind in "iu" and (number % 1 != 0 or not np.iinfo(dtype).min <= number <= np.iinfo(dtype).max):
        raise UsageError(f"--set {name}: {text} is not a value of its type")
    return dtype.type(number)


def _array(kind: str, rest: str, dtype: np.dtype[Any], rng: np.random.Generator, sizes: Mapping[str, int]) -> Array:
    """An array that is filled; objects have each of their numbers filled so."""
    if kind == "linspace":
        first, last, count = rest.split(":")
        shape = _shape(count, sizes)[:1]
        filled = np.linspace(float(first), float(last), shape[0])
    else:
        shape = _shape(rest, sizes)
        filled = np.ones(shape) if kind == "ones" else np.zeros(shape)
    if dtype.names is None:
        return _random(shape, dtype, rng) if kind == "random" else filled.astype(dtype)
    result = np.zeros(shape, dtype)
    for _, part in contents(result, ""):
        inner = part.shape[len(shape) :]
        if kind == "random":
            part[...] = _random(part.shape, part.dtype, rng, int(np.prod(shape)))
        else:
            part[...] = filled.reshape(shape + (1,) * len(inner))
    return result


def _listed(elements: Sequence[Any], type: Type, dtype: np.dtype[Any]) -> Any:
    """A list of numbers, of rows, or of the objects' members as tuples."""
    core = scalar_of(type)
    if isinstance(core, Struct):
        uniform = uniform_scalar(core)
        if uniform is None:
            return np.array([tuple(e) for e in elements], dtype)
        dtype = dtype_of(uniform[0])
    inner = strip_reference(type)
    if isinstance(inner, Pointer) and isinstance(inner.pointee, Pointer):
        return [_listed(row, inner.pointee, dtype) for row in elements]
    if np.asarray(elements).dtype.kind not in "biuf":
        raise ValueError(elements)
    return np.ascontiguousarray(elements, dtype=dtype)


def _literal(name: str, text: str) -> Any:
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        value = None
    if isinstance(value, (int, float, list, tuple)):
        return value
    try:
        return float(text)  # nan, inf
    except ValueError:
        raise UsageError(f"--set {name}: {text!r} is none of {FORMS}") from None


def _shape(text: str, sizes: Mapping[str, int]) -> tuple[int, ...]:
    shape = extents(text, sizes)
    if any(n < 1 for n in shape):
        raise ValueError(text)
    return shape


def _random(
    shape: tuple[int, ...], dtype: np.dtype[Any], rng: np.random.Generator, indexed: int | None = None
) -> Array:
    """Floating-point numbers from 0.2 to 1.2; integers that are indices into an array of this size, or of `indexed`."""
    if dtype.kind == "f":
        return rng.uniform(0.2, 1.2, shape).astype(dtype)
    if dtype.kind == "b":
        return rng.integers(0, 2, shape).astype(dtype)
    highest = min(indexed or int(np.prod(shape)), int(np.iinfo(dtype).max))
    return rng.integers(0, highest, shape).astype(dtype)
