"""What a generated statement may name: variables, arrays, functions; and where it stands."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any


@dataclass(frozen=True)
class Value:
    """A floating-point expression: `bound` is an upper bound of its magnitude."""

    text: str
    type: str  # "float" or "double"
    bound: float


@dataclass(frozen=True)
class Variable:
    """A floating-point variable, or an element that belongs to this thread; |value| <= LIMIT at all times."""

    name: str
    type: str
    writable: bool = True


@dataclass(frozen=True)
class Array:
    """A local array of one or two dimensions, or a stretch of global memory: all |elements| <= LIMIT."""

    name: str
    type: str
    lengths: tuple[str, ...]  # C++ text; run-time for global arrays
    writable: bool
    chosen: bool = False  # a pointer to one of several arrays: pointers into it cannot be compared


@dataclass(frozen=True)
class Parameter:
    """A parameter of a generated device function; kind is value, pointer, reference, array, out, rows or integer.

    `array` and `out` are pointers with a length, to const or not; `rows` is a pointer to arrays of 3, with a length;
    `depth` is an integer that says how deep a recursion goes.
    """

    kind: str
    type: str
    name: str


@dataclass(frozen=True)
class Function:
    name: str
    type: str  # the result's, or "void"
    parameters: tuple[Parameter, ...]
    walks: bool = False  # compares pointers into its arguments

    @property
    def pure(self) -> bool:
        """Whether a call may stand inside an expression, whose operands C++ evaluates in no fixed order."""
        return self.type != "void" and all(p.kind in ("value", "integer", "array", "depth") for p in self.parameters)


LIMIT = 3.0


@dataclass(frozen=True)
class Member:
    """A member of a generated class: a number, an integer, an array of numbers, or an object of an earlier class."""

    name: str
    type: str
    length: int = 0
    of: Class | None = None


@dataclass(frozen=True, eq=False)
class Class:
    name: str
    members: tuple[Member, ...]

    def kind(self, name: str) -> str:
        return next(m.type for m in self.members if m.name == name)


@dataclass(frozen=True)
class Object:
    """An lvalue of class type; its members are among the scope's variables, integers and arrays too."""

    name: str
    of: Class
    writable: bool = True


@dataclass
class Scope:
    """A copy is made for every block, so that names declared in it end with it."""

    rng: random.Random
    types: tuple[str, ...]
    functions: list[Function]
    counter: list[int]
    budget: list[int]  # statements that may still be made
    variables: list[Variable] = field(default_factory=list)
    integers: list[str] = field(default_factory=list)  # never negative, small
    hashes: list[str] = field(default_factory=list)  # unsigned
    arrays: list[Array] = field(default_factory=list)
    accumulators: list[Array] = field(default_factory=list)  # touched by atomicAdd alone
    classes: list[Class] = field(default_factory=list)
    objects: list[Object] = field(default_factory=list)
    result: str | None = None  # the function's result type, None in a kernel
    statements: Callable[[Scope, int], list[str]] = field(kw_only=True)
    leaves: bool = True  # whether the kernel or function may return here
    breakable: bool = False
    continuable: bool = False
    depth: int = 0
    loops: int = 0
    kinks: bool = False  # whether equal numbers are chosen among

    def inner(self, **changes: Any) -> Scope:
        return replace(
            self,
            variables=list(self.variables),
            integers=list(self.integers),
            hashes=list(self.hashes),
            arrays=list(self.arrays),
            objects=list(self.objects),
            depth=self.depth + 1,
            **changes,
        )

    def fresh(self, stem: str) -> str:
        self.counter[0] += 1
        return f"{stem}{self.counter[0]}"

    def type(self) -> str:
        return self.rng.choice(self.types)

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability
