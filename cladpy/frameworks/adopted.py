"""Functions of PyTorch extensions, as they are: `at::Tensor` in, `at::Tensor` out, made differentiable.

For each signature of a call, the types and dimensions of its tensors, two functions are written around the
extension's: one runs it and says what shapes it gives, for the other the gradient is made. Both are read and compiled
with cladpy's own tensors (`custom_derivatives/torch_shim`), so that neither PyTorch's headers nor a build of the
extension are needed.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import cladpy
from cladpy import given
from cladpy.diagnostics import LaunchError, UsageError
from cladpy.frameworks.definition import number_type
from cladpy.making import undifferentiated
from cladpy.options import Options
from cladpy.quoting import included, literal
from cladpy.runtime.scalars import dtype_of
from cladpy.source import Source

try:
    import torch
except ImportError as error:
    raise ImportError(f"PyTorch cannot be imported: {error}\nhint: pip install 'cladpy[torch]'") from None

_MOST_DIMENSIONS = 6  # of cladpy_torch/options.h
_MOST_RESULTS = 32
_RESERVED = frozenset(("args", "backend", "fresh", "consumed", "checked", "split"))


@dataclass(frozen=True, slots=True)
class _Number:
    """A type of numbers as C++ and as PyTorch call it, with its number among PyTorch's."""

    spelling: str
    name: str
    code: int


_NUMBERS = {
    torch.uint8: _Number("unsigned char", "at::kByte", 0),
    torch.int8: _Number("signed char", "at::kChar", 1),
    torch.int16: _Number("short", "at::kShort", 2),
    torch.int32: _Number("int", "at::kInt", 3),
    torch.int64: _Number("long", "at::kLong", 4),
    torch.float16: _Number("__half", "at::kHalf", 5),
    torch.float32: _Number("float", "at::kFloat", 6),
    torch.float64: _Number("double", "at::kDouble", 7),
    torch.bool: _Number("bool", "at::kBool", 11),
    torch.bfloat16: _Number("__nv_bfloat16", "at::kBFloat16", 15),
}
_BY_CODE = {number.code: type for type, number in _NUMBERS.items()}
_UNDEFINED = 30
_WRAPPER = "cladpy_adopted"
_HALVES = (torch.float16, torch.bfloat16)
_PLAIN_HALVES = "CLADPY_TORCH_PLAIN_HALVES"  # of cladpy_torch/scalar_type.h


def adopt(source: str | Path, function: str, *, nondifferentiable: int | Sequence[int] = (), **options: Any) -> Adopted:
    """A host function of a PyTorch extension as a function of tensors that has a derivative.

    Args:
        source: the extension's `.cu` or `.cpp` file, which may include `<torch/extension.h>` and its like.
        function: the function's name, as C++ has it. It takes tensors, numbers, lists of these and optional ones, and
            returns a tensor, a `std::vector` or a `std::tuple` of tensors, or nothing.
        nondifferentiable: positions of arguments, counted from 0, that never get a gradient.
        options: those of `cladpy.gradient`, such as `std`, `defines` or `include_dirs`.

    Called with tensors of the CPU it runs on the host backend, with tensors of a GPU there. What it writes of its
    arguments it changes in place, as the extension does. Raises UsageError for what makes no sense; a call raises
    DifferentiationError where the function cannot be differentiated, and LaunchError for arguments that do not fit.
    """
    loaded = Source.load(source)
    wrong = _RESERVED & set(options)
    if wrong:
        raise UsageError(f"{min(wrong)} is no option of an adopted function, which chooses it for each call")
    Options.make(**options)
    name = given.text("function", function, "the name of a function, such as 'forward'")
    places = [nondifferentiable] if isinstance(nondifferentiable, int) else list(nondifferentiable)
    if not all(isinstance(k, int) for k in places):
        raise UsageError("nondifferentiable must be positions of arguments, such as (2,)")
    return Adopted(loaded, name, frozenset(places), options)


@dataclass(slots=True)
class _Arguments:
    """What a call is given, taken apart."""

    tensors: list[Any] = field(default_factory=list)
    places: list[int] = field(default_factory=list)  # the argument that each tensor belongs to
    parameters: list[str] = field(default_factory=list)
    makes: list[str] = field(default_factory=list)
    call: list[str] = field(default_factory=list)
    values: list[Any] = field(default_factory=list)  # of the parameters; of a tensor, its number among `tensors`

    def add(self, place: int, value: Any) -> str:
        """The C++ expression for an argument."""
        if isinstance(value, torch.Tensor):
            return self._tensor(place, value)
        if value is None:
            return "cladpy_torch::Nothing()"
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, str):
            return f"std::string({literal(value)})"
        if isinstance(value, int | float):
            name = f"a{place}_{len(self.values)}"
            self.parameters.append(f"{'long' if isinstance(value, int) else 'double'} {name}")
            self.values.append(value)
            return name
        if isinstance(value, list | tuple):
            kind = "at::Tensor" if any(isinstance(v, torch.Tensor) for v in value) else _element(value)
            return f"std::vector<{kind}>{{{', '.join(self.add(place, v) for v in value)}}}"
        raise LaunchError(f"argument {place}: expected a tensor, a number, a list or None, not {given.shown(value)}")

    def _tensor(self, place: int, x: Any) -> str:
        number = _NUMBERS.get(x.dtype)
        if number is None:
            raise LaunchError(f"argument {place}: tensors of {x.dtype} are not among those that cladpy knows")
        if x.dim() > _MOST_DIMENSIONS:
            raise LaunchError(f"argument {place}: {x.dim()} dimensions, and {_MOST_DIMENSIONS} are the most")
        k = len(self.tensors)
        self.tensors.append(x)
        self.places.append(place)
        sizes = [f"x{k}_{i}" for i in range(x.dim())]
        self.parameters += [f"{number.spelling} *x{k}", *(f"long {s}" for s in sizes)]
        self.values += [x, *x.shape]
        shape = f"{{{', '.join(sizes)}}}" if sizes else "at::IntArrayRef()"
        self.makes.append(f"  at::Tensor t{k}(x{k}, {number.name}, {shape});")
        return f"t{k}"

    @staticmethod
    def of(values: Sequence[Any]) -> _Arguments:
        found = _Arguments()
        found.call = [found.add(k, v) for k, v in enumerate(values)]
        return found

    def key(self) -> tuple[Any, ...]:
        return (tuple(self.parameters), tuple(self.makes), tuple(self.call))


def _element(values: Sequence[Any]) -> str:
    if all(isinstance(v, bool) for v in values) and values:
        return "bool"
    return "double" if any(isinstance(v, float) for v in values) else "int64_t"


class Adopted:
    """A function of tensors."""

    def __init__(
        self, source: Source, function: str, nondifferentiable: frozenset[int], options: Mapping[str, Any]
    ) -> None:
        self._source = source
        self._function = function
        self._nondifferentiable = nondifferentiable
        self._options = dict(options)
        self._runs: dict[Any, Any] = {}
        self._results: dict[Any, tuple[Any, ...]] = {}
        self._gradients: dict[Any, Any] = {}
        self._lock = threading.RLock()

    def __repr__(self) -> str:
        return f"<adopted {self._function} of {self._source.name}>"

    def __call__(self, *args: Any) -> Any:
        arguments = _Arguments.of([_in_order(a) for a in args])
        if not arguments.tensors:
            raise LaunchError(f"{self._function}: it is given no tensor")
        devices = {x.device for x in arguments.tensors}
        if len(devices) > 1:
            raise LaunchError(f"{self._function}: its tensors are on {' and '.join(sorted(map(str, devices)))}")
        given = _Call.apply(
            self,  # type: ignore[no-untyped-call, unused-ignore]
            arguments,
            *arguments.tensors,
        )
        count = len(self._results.get((_backend(next(iter(devices))), arguments.key()), given))
        results = tuple(given)[:count]
        return None if not results else results[0] if len(results) == 1 else results

    # What runs

    def run(self, arguments: _Arguments, tensors: Sequence[Any]) -> list[Any]:
        """Calls the function, and gives its results."""
        device = tensors[0].device
        with self._lock, _on_default_stream(device):
            primal = self._run(_backend(device), arguments).primal
            values = _with(arguments, tensors)
            shapes = np.zeros(1 + _MOST_RESULTS * (2 + _MOST_DIMENSIONS), np.int64)
            places = np.zeros(_MOST_RESULTS, np.int64)
            known = np.array([x.data_ptr() for x in tensors], np.int64)
            primal.execute(*values, shapes, places, known, len(known), 0)
            found, addresses = _made(shapes, device)
            places[: len(addresses)] = addresses
            primal.execute(*values, shapes, places, known, len(known), 1)
        return found

    def types_of_results(self, arguments: _Arguments, tensors: Sequence[Any]) -> tuple[Any, ...]:
        """What the function gives for such arguments. It is run once for that, on copies."""
        key = (_backend(tensors[0].device), arguments.key())
        with self._lock:
            if key not in self._results:
                self._results[key] = tuple(r.dtype for r in self.run(arguments, [x.clone() for x in tensors]))
            return self._results[key]

    def reverse(self, ctx: Any, tensors: Sequence[Any], cotangents: Sequence[Any]) -> list[Any]:
        """The gradients by the tensors, None for those that nobody asked for."""
        gradient, arguments = ctx.gradient, ctx.arguments
        results = [_empty(like) for like in ctx.results]
        adjoints: dict[str, Any] = {}
        for k, (r, d) in enumerate(zip(results, cotangents, strict=False)):
            if r.is_floating_point():
                adjoints[f"r{k}"] = torch.zeros_like(r) if d is None else d.contiguous().clone()
        for k, d in zip(ctx.written, cotangents[len(results) :], strict=True):
            if d is not None:
                adjoints[f"x{k}"] = d.contiguous().clone()
        for k, x in enumerate(tensors):
            adjoints.setdefault(f"x{k}", torch.zeros_like(x))
        derivative = gradient.derivative
        names = [derivative.parameters[a.parameter].name for a in derivative.adjoints]
        for name, adjoint in zip(names, derivative.adjoints, strict=True):
            adjoints[name] = adjoints[name].to(_dtype(adjoint, adjoints[name]))
        written = {f"x{k}" for k in ctx.written}
        given = [x.clone() if f"x{k}" in written else x for k, x in enumerate(tensors)]
        with _on_default_stream(tensors[0].device):
            gradient.execute(*_with(arguments, given), *results, *(adjoints[n] for n in names))
        return [adjoints[f"x{k}"].to(x.dtype) if k in ctx.wanted else None for k, x in enumerate(tensors)]

    def gradient(self, arguments: _Arguments, active: Sequence[int], results: Sequence[Any], device: Any) -> Any:
        """The gradient by these tensors, and by all results and tensors of floating point that the function changes."""
        backend = _backend(device)
        key = (backend, arguments.key(), tuple(active))
        with self._lock:
            if key not in self._gradients:
                text = self._text(arguments, _reverse(arguments, self._function, results))
                floating = [f"x{k}" for k, x in enumerate(arguments.tensors) if x.is_floating_point()]
                outputs = [f"r{k}" for k, type in enumerate(results) if type.is_floating_point]
                names = [f"x{k}" for k in active]
                made = self._made(text, [*(names if outputs else floating), *outputs], backend)
                changed = [x for x in floating if x in made.derivative.written and x not in names]
                if changed or not outputs:  # what it changes has a cotangent, and what nobody asks for no adjoint
                    made = self._made(text, [*names, *changed, *outputs], backend)
                self._gradients[key] = made
            return self._gradients[key]

    def is_active(self, arguments: _Arguments, k: int) -> bool:
        """Whether a tensor may get a gradient."""
        return arguments.tensors[k].is_floating_point() and arguments.places[k] not in self._nondifferentiable

    def _made(self, text: str, names: Sequence[str], backend: str) -> Any:
        return cladpy.gradient(text, _WRAPPER, ", ".join(names), backend=backend, **self._options)

    def _run(self, backend: str, arguments: _Arguments) -> Any:
        key = (backend, arguments.key())
        if key not in self._runs:
            text = self._text(arguments, _forward(arguments, self._function))
            self._runs[key] = undifferentiated(text, _WRAPPER, Options.make(**self._options), backend)
        return self._runs[key]

    def _text(self, arguments: _Arguments, function: str) -> str:
        path = self._source.path
        original = self._source.text if path is None else f'#include "{included(str(path))}"'
        halves = any(x.dtype in _HALVES for x in arguments.tensors)
        begin = f"#define {_PLAIN_HALVES}\n" if halves else ""
        return f"{begin}{original}\n#include <torch/extension.h>\n#include <cladpy_torch/results.h>\n{function}"


def _forward(arguments: _Arguments, function: str) -> str:
    """The function that runs it, and that gives its results when it is called again."""
    parameters = [*arguments.parameters, "long *shapes", "long *places", "long *known", "long count", "long fetches"]
    lines = [
        f"inline void {_WRAPPER}({', '.join(parameters)}) {{",
        "  if (fetches) {",
        "    cladpy_torch::fetch(places, known, count);",
        "    return;",
        "  }",
        *arguments.makes,
        f"  cladpy_torch::keep_of([&]() -> decltype(auto) {{ return {_called(arguments, function)}; }});",
        "  cladpy_torch::describe(shapes);",
        "}",
    ]
    return "\n".join(lines) + "\n"


def _reverse(arguments: _Arguments, function: str, results: Sequence[Any]) -> str:
    """The function that is differentiated: results go to memory of the caller's."""
    given = [f"{_NUMBERS[type].spelling} *r{k}" for k, type in enumerate(results)]
    lines = [f"inline void {_WRAPPER}({', '.join([*arguments.parameters, *given])}) {{", *arguments.makes]
    call = _called(arguments, function)
    lines.append(f"  auto results = {call};" if results else f"  {call};")
    lines += [f"  cladpy_torch::copy(r{k}, cladpy_torch::result<{k}>(results));" for k in range(len(results))]
    return "\n".join([*lines, "}"]) + "\n"


def _called(arguments: _Arguments, function: str) -> str:
    return f"::{function.removeprefix('::')}({', '.join(arguments.call)})"


class _Call(torch.autograd.Function):  # type: ignore[misc, unused-ignore]
    """What is differentiated: tensors in, results out, and behind them the tensors that were changed in place."""

    @staticmethod
    def forward(ctx: Any, owner: Adopted, arguments: _Arguments, *tensors: Any) -> Any:
        wanted = [k for k in range(len(tensors)) if ctx.needs_input_grad[2 + k] and owner.is_active(arguments, k)]
        if not wanted:
            results = owner.run(arguments, tensors)
            return tuple(results)
        types = owner.types_of_results(arguments, tensors)
        gradient = owner.gradient(arguments, wanted, types, tensors[0].device)
        derivative = gradient.derivative
        written = [k for k in range(len(tensors)) if f"x{k}" in derivative.written]
        held = [x.untyped_storage().data_ptr() for x in tensors]
        if any(held.count(held[k]) > 1 for k in written):
            raise LaunchError("a tensor that the function changes shares its memory with another\nhint: pass a clone")
        kept = [
            (x.clone() if k in written else x) if f"x{k}" in derivative.found else None for k, x in enumerate(tensors)
        ]
        results = owner.run(arguments, tensors)
        dirty = [tensors[k] for k in written]
        ctx.mark_dirty(*dirty)
        ctx.mark_non_differentiable(*(r for r in results if not r.is_floating_point()))
        ctx.mark_non_differentiable(*(x for x in dirty if not x.is_floating_point()))
        ctx.save_for_backward(*(x for x in kept if x is not None))
        ctx.owner, ctx.arguments, ctx.gradient = owner, arguments, gradient
        ctx.kept, ctx.wanted, ctx.written = [x is not None for x in kept], wanted, written
        ctx.like = [(x.shape, x.dtype, x.device) for x in tensors]
        ctx.results = [(r.shape, r.dtype, r.device) for r in results]
        return (*results, *dirty)

    @staticmethod
    @torch.autograd.function.once_differentiable  # type: ignore[untyped-decorator, unused-ignore]
    def backward(ctx: Any, *cotangents: Any) -> Any:
        saved = iter(ctx.saved_tensors)
        tensors = [next(saved) if kept else _empty(like) for kept, like in zip(ctx.kept, ctx.like, strict=True)]
        found = ctx.owner.reverse(ctx, tensors, cotangents)
        return (None, None, *found)


def _dtype(adjoint: Any, x: Any) -> Any:
    """The type of an adjoint's numbers: halves have floats."""
    held = number_type(adjoint.type)
    return x.dtype if held is None else getattr(torch, np.dtype(dtype_of(held)).name)


def _empty(like: tuple[Any, Any, Any]) -> Any:
    shape, dtype, device = like
    return torch.empty(shape, dtype=dtype, device=device)


def _made(shapes: Any, device: Any) -> tuple[list[Any], list[int]]:
    """Tensors for what the function has given, and their addresses; None for one that is not defined."""
    found, addresses, at = [], [], 1
    for _ in range(int(shapes[0])):
        code, dimensions = int(shapes[at]), int(shapes[at + 1])
        if code == _UNDEFINED:
            raise LaunchError("a tensor that the function returns is not defined")
        sizes = [int(n) for n in shapes[at + 2 : at + 2 + dimensions]]
        found.append(torch.empty(sizes, dtype=_BY_CODE[code], device=device))
        addresses.append(found[-1].data_ptr())
        at += 2 + _MOST_DIMENSIONS
    return found, addresses


def _with(arguments: _Arguments, tensors: Sequence[Any]) -> list[Any]:
    """The values of the parameters, with these tensors."""
    following = iter(tensors)
    return [next(following).detach() if isinstance(v, torch.Tensor) else v for v in arguments.values]


def _backend(device: Any) -> str:
    return "cuda" if device.type == "cuda" else "host"


@contextmanager
def _on_default_stream(device: Any) -> Iterator[None]:
    """The extension's stream is the default one here: what was enqueued on another comes before and after."""
    if device.type != "cuda" or torch.cuda.current_stream(device) == torch.cuda.default_stream(device):
        yield
        return
    torch.cuda.current_stream(device).synchronize()
    yield
    torch.cuda.default_stream(device).synchronize()


def _in_order(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return value.contiguous()
    return [_in_order(v) for v in value] if isinstance(value, list | tuple) else value
