"""Values of `cladpy check --set name=value`: numbers, lists, and a few ways to fill an array."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

import numpy as np

from cladpy.check.arguments import Array, element_dtype, is_buffer
from cladpy.diagnostics import UsageError
from cladpy.ir.symbols import Symbol

FORMS = "a number, random:N, random:NxM, zeros:N, ones:N, linspace:a:b:N or a list such as [1,2,3]"


def argument_values(parameters: Sequence[Symbol], settings: Sequence[str], rng: np.random.Generator) -> list[Any]:
    """A value for every parameter, in order.

    Raises UsageError where a parameter has none, where a name is unknown or set twice, and where a value does not fit.
    """
    given: dict[str, str] = {}
    for setting in settings:
        name, equals, text = setting.partition("=")
        name = name.strip()
        if not equals:
            raise UsageError(f"--set takes name=value, got {setting!r}")
        if name not in {p.name for p in parameters}:
            known = ", ".join(p.name for p in parameters)
            raise UsageError(f"--set {name}: no such parameter; there are {known}")
        if name in given:
            raise UsageError(f"--set {name}: given twice")
        given[name] = text.strip()
    missing = [p for p in parameters if p.name not in given]
    if missing:
        names = ", ".join(f"'{p.name}'" for p in missing)
        example = f"{missing[0].name}={'random:64' if is_buffer(missing[0].type) else '1'}"
        raise UsageError(f"no value for {names}: give one with --set, such as --set {example}")
    return [_value(p, given[p.name], rng) for p in parameters]


def _value(parameter: Symbol, text: str, rng: np.random.Generator) -> Any:
    dtype = element_dtype(parameter.type)
    if not is_buffer(parameter.type):
        number = _literal(parameter, text)
        if isinstance(number, (list, tuple)):
            raise UsageError(f"--set {parameter.name}: a scalar parameter takes a number, not {text!r}")
        if dtype.kind in "iu" and (number % 1 != 0 or not np.iinfo(dtype).min <= number <= np.iinfo(dtype).max):
            raise UsageError(f"--set {parameter.name}: {text} is not a value of its type")
        return dtype.type(number)
    kind, _, rest = text.partition(":")
    try:
        if kind == "random":
            return _random(_shape(rest), dtype, rng)
        if kind == "zeros":
            return np.zeros(_shape(rest), dtype)
        if kind == "ones":
            return np.ones(_shape(rest), dtype)
        if kind == "linspace":
            first, last, count = rest.split(":")
            return np.linspace(float(first), float(last), _shape(count)[0]).astype(dtype)
        elements = _literal(parameter, text)
        if isinstance(elements, (list, tuple)) and np.asarray(elements).dtype.kind in "biuf":
            return np.ascontiguousarray(elements, dtype=dtype)
    except UsageError:
        raise
    except (ValueError, TypeError, OverflowError):
        pass  # a shape, a number or a list that is none, or does not fit the type
    except MemoryError:
        raise UsageError(f"--set {parameter.name}: there is no memory for {text!r}") from None
    raise UsageError(f"--set {parameter.name}: {text!r} is none of {FORMS}")


def _literal(parameter: Symbol, text: str) -> Any:
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        value = None
    if isinstance(value, (int, float, list, tuple)):
        return value
    try:
        return float(text)  # nan, inf
    except ValueError:
        raise UsageError(f"--set {parameter.name}: {text!r} is none of {FORMS}") from None


def _shape(text: str) -> tuple[int, ...]:
    shape = tuple(int(n) for n in text.split("x"))
    if any(n < 1 for n in shape):
        raise ValueError(text)
    return shape


def _random(shape: tuple[int, ...], dtype: np.dtype[Any], rng: np.random.Generator) -> Array:
    """Floating-point numbers from 0.2 to 1.2; integers that are indices into an array of this size."""
    if dtype.kind == "f":
        return rng.uniform(0.2, 1.2, shape).astype(dtype)
    if dtype.kind == "b":
        return rng.integers(0, 2, shape).astype(dtype)
    highest = min(int(np.prod(shape)), int(np.iinfo(dtype).max))
    return rng.integers(0, highest, shape).astype(dtype)
