"""What a call of an adopted function is given, and the functions around the extension's that take it: for each
signature, the types and dimensions of the tensors, one that runs it and one that is differentiated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch

from cladpy import given
from cladpy.diagnostics import LaunchError
from cladpy.quoting import literal

MOST_DIMENSIONS = 6  # of cladpy_torch/options.h
UNDEFINED = 30
WRAPPER = "cladpy_adopted"


@dataclass(frozen=True, slots=True)
class Number:
    """A type of numbers as C++ and as PyTorch call it, with its number among PyTorch's."""

    spelling: str
    name: str
    code: int


NUMBERS = {
    torch.uint8: Number("unsigned char", "at::kByte", 0),
    torch.int8: Number("signed char", "at::kChar", 1),
    torch.int16: Number("short", "at::kShort", 2),
    torch.int32: Number("int", "at::kInt", 3),
    torch.int64: Number("long", "at::kLong", 4),
    torch.float16: Number("__half", "at::kHalf", 5),
    torch.float32: Number("float", "at::kFloat", 6),
    torch.float64: Number("double", "at::kDouble", 7),
    torch.bool: Number("bool", "at::kBool", 11),
    torch.bfloat16: Number("__nv_bfloat16", "at::kBFloat16", 15),
}


@dataclass(slots=True)
class Signature:
    """What is the same for all calls with such arguments."""

    types: list[Any] = field(default_factory=list)  # of the tensors
    places: list[int] = field(default_factory=list)  # the argument that each tensor belongs to
    parameters: list[str] = field(default_factory=list)
    makes: list[str] = field(default_factory=list)
    call: list[str] = field(default_factory=list)

    def add(self, place: int, value: Any) -> str:
        """The C++ expression for an argument."""
        if isinstance(value, torch.Tensor):
            return self._tensor(place, value)
        if value is None:
            return "std::nullopt"
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, str):
            return f"std::string({literal(value)})"
        if isinstance(value, int | float):
            name = f"a{place}_{len(self.parameters)}"
            self.parameters.append(f"{'long' if isinstance(value, int) else 'double'} {name}")
            return name
        if isinstance(value, list | tuple):
            kind = "at::Tensor" if any(isinstance(v, torch.Tensor) for v in value) else _element(value)
            return f"std::vector<{kind}>{{{', '.join(self.add(place, v) for v in value)}}}"
        raise LaunchError(f"argument {place}: expected a tensor, a number, a list or None, not {given.shown(value)}")

    def _tensor(self, place: int, x: Any) -> str:
        number = NUMBERS.get(x.dtype)
        if number is None:
            raise LaunchError(f"argument {place}: tensors of {x.dtype} are not among those that cladpy knows")
        if x.dim() > MOST_DIMENSIONS:
            raise LaunchError(f"argument {place}: {x.dim()} dimensions, and {MOST_DIMENSIONS} are the most")
        k = len(self.types)
        self.types.append(x.dtype)
        self.places.append(place)
        sizes = [f"x{k}_{i}" for i in range(x.dim())]
        self.parameters += [f"{number.spelling} *x{k}", *(f"long {s}" for s in sizes)]
        shape = f"{{{', '.join(sizes)}}}" if sizes else "at::IntArrayRef()"
        self.makes.append(f"  at::Tensor t{k}(x{k}, {number.name}, {shape});")
        return f"t{k}"

    @staticmethod
    def of(values: Sequence[Any]) -> Signature:
        found = Signature()
        found.call = [found.add(k, v) for k, v in enumerate(values)]
        return found

    def forward(self, function: str) -> str:
        """The function that runs it, with the caller's memory for all tensors, and says what it gives."""
        parameters = [*self.parameters, "long *shapes", "long memory"]
        lines = [
            f"inline void {WRAPPER}({', '.join(parameters)}) {{",
            "  cladpy_torch::memory_of_caller() = reinterpret_cast<cladpy_torch::Memory>(memory);",
            *self.makes,
            "  cladpy_torch::describe_of(shapes, [&]() -> decltype(auto) {",
            f"    return {self._called(function)};",
            "  });",
            "}",
        ]
        return "\n".join(lines) + "\n"

    def reverse(self, function: str, results: Sequence[Any]) -> str:
        """The function that is differentiated: results go to memory of the caller's. `results` are their types, None
        for those that are not defined."""
        defined = [(k, type) for k, type in enumerate(results) if type is not None]
        taken = [f"{NUMBERS[type].spelling} *r{k}" for k, type in defined]
        lines = [f"inline void {WRAPPER}({', '.join([*self.parameters, *taken])}) {{", *self.makes]
        call = self._called(function)
        lines.append(f"  auto results = {call};" if results else f"  {call};")
        lines += [f"  cladpy_torch::copy(r{k}, cladpy_torch::result<{k}>(results));" for k, _ in defined]
        return "\n".join([*lines, "}"]) + "\n"

    def _called(self, function: str) -> str:
        return f"::{function.removeprefix('::')}({', '.join(self.call)})"


def _element(values: Sequence[Any]) -> str:
    if all(isinstance(v, bool) for v in values) and values:
        return "bool"
    return "double" if any(isinstance(v, float) for v in values) else "int64_t"


def kind_of(value: Any) -> Any:
    """What two arguments have in common that the same functions take."""
    if isinstance(value, torch.Tensor):
        return value.dtype, value.dim()
    if isinstance(value, list | tuple):
        return tuple(map(kind_of, value))
    return (type(value), value) if isinstance(value, bool | str) else type(value)


def parts(value: Any) -> Iterator[Any]:
    """The tensors and numbers among what a call is given, in order."""
    if isinstance(value, list | tuple):
        for v in value:
            yield from parts(v)
    elif isinstance(value, torch.Tensor) or (isinstance(value, int | float) and not isinstance(value, bool)):
        yield value
