"""Functions of PyTorch extensions, as they are: `at::Tensor` in, `at::Tensor` out, made differentiable.

For each signature of a call two functions are written around the extension's (`adopted_arguments.py`). Both are read
and compiled with cladpy's own tensors (`custom_derivatives/torch_shim`), so that neither PyTorch's headers nor a build
of the extension are needed. What is known of a signature is kept: a call passes addresses and numbers on.
"""

from __future__ import annotations

import ctypes
import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import cladpy
from cladpy import given
from cladpy.derivative import Derivative
from cladpy.diagnostics import BackendError, DifferentiationError, LaunchError, UsageError
from cladpy.frameworks.definition import number_type
from cladpy.making import undifferentiated
from cladpy.options import Options
from cladpy.quoting import included
from cladpy.runtime.direct import Direct
from cladpy.runtime.library import GRADIENT, PRIMAL
from cladpy.runtime.scalars import dtype_of
from cladpy.source import Given, Source

try:
    import torch
except ImportError as error:
    raise ImportError(f"PyTorch cannot be imported: {error}\nhint: pip install 'cladpy[torch]'") from None

from cladpy.frameworks.adopted_arguments import (
    MOST_DIMENSIONS,
    NUMBERS,
    UNDEFINED,
    WRAPPER,
    Signature,
    kind_of,
    parts,
)
from cladpy.frameworks.adopted_operators import Operators, is_transforming
from cladpy.frameworks.second import differentiable_once

MOST_RESULTS = 32
PER_RESULT = 4 + 2 * MOST_DIMENSIONS  # numbers that say what a result is
_RESERVED = frozenset(("args", "backend", "fresh", "consumed", "checked", "split"))
_BY_CODE = {number.code: type for type, number in NUMBERS.items()}
# Of cladpy_torch/scalar_type.h, whose operators stand in place of CUDA's.
_PLAIN_HALVES = ("CLADPY_TORCH_PLAIN_HALVES", "__CUDA_NO_HALF_OPERATORS__", "__CUDA_NO_BFLOAT16_OPERATORS__")
_TYPES = "CLADPY_TORCH_TYPES"  # of cladpy_torch/arithmetic.h, and so is what is said where they are too few
_MEMORY = "CLADPY_TORCH_MEMORY"  # of cladpy_torch/tensor.h
_NOWHERE = 64
# What programs ask for by conditions; options of the caller's come first.
_VERSION = "".join(
    f"#ifndef TORCH_VERSION_{name}\n#define TORCH_VERSION_{name} {number}\n#endif\n"
    for name, number in zip(("MAJOR", "MINOR", "PATCH"), re.findall(r"\d+", torch.__version__), strict=False)
)
_Allocate = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_long)


def adopt(source: Given, function: str, *, nondifferentiable: int | Sequence[int] = (), **options: Any) -> Adopted:
    """A host function of a PyTorch extension as a function of tensors that has a derivative.

    Args:
        source: the extension's `.cu` or `.cpp` file, which may include `<torch/extension.h>` and its like; or a list of
            its files, which are read as one.
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
class _Reverse:
    """A gradient by some of the tensors."""

    call: Direct
    derivative: Derivative
    written: list[int]  # the tensors that the function changes
    found: list[bool]  # of each tensor, whether the gradient reads it
    adjoints: list[tuple[str, Any]]  # what each is the adjoint of, and the type of its numbers; None for the primal's


class _Memory:
    """Where calls get memory for tensors, PyTorch's, and say what they give."""

    def __init__(self, device: Any) -> None:
        self.held: dict[int, Any] = {}  # by address, while a call runs
        self.said = np.zeros(1 + MOST_RESULTS * PER_RESULT, np.int64)
        self._device = device
        self._function = _Allocate(self._allocate)
        self.addresses = (self.said.ctypes.data, ctypes.cast(self._function, ctypes.c_void_p).value or 0)

    def _allocate(self, size: int) -> int | None:
        try:
            memory = torch.empty(max(size, 1), dtype=torch.uint8, device=self._device)
        except Exception:  # none may leave a function that C++ has called
            return None
        address: int = memory.data_ptr()
        self.held[address] = memory.untyped_storage()
        return address


@dataclass(slots=True)
class _Plan:
    """What is known of a signature on a device."""

    signature: Signature
    device: Any
    forward: Direct | None = None
    memory: _Memory | None = None
    results: tuple[Any, ...] | None = None  # the types of what it gives
    reverses: dict[Any, _Reverse] = field(default_factory=dict)  # by the tensors that want a gradient, and the results


@dataclass(frozen=True, slots=True)
class _Reversed:
    """A call whose gradient is asked for, as the context of a recorded one has it."""

    plan: _Plan
    reverse: _Reverse
    wanted: tuple[int, ...]
    numbers: list[Any]
    results: list[Any]


class Adopted:
    """A function of tensors."""

    def __init__(
        self, source: Source, function: str, nondifferentiable: frozenset[int], options: Mapping[str, Any]
    ) -> None:
        self.source = source
        self.function = function
        self._nondifferentiable = nondifferentiable
        self.options = dict(options)
        self._plans: dict[Any, _Plan] = {}
        self._has_all_types = False  # whether it computes tensors of other types than it is given
        self._lock = threading.RLock()
        self._operators = Operators(self)

    def __repr__(self) -> str:
        return f"<adopted {self.function} of {self.source.name}>"

    def __call__(self, *args: Any) -> Any:
        if torch.compiler.is_compiling() or is_transforming():
            return self._operators(args)
        values, tensors, plan = self._planned(args)
        wanted = torch.is_grad_enabled() and [
            k for k, x in enumerate(tensors) if x.requires_grad and self.is_active(plan.signature, k)
        ]
        if not wanted:
            results = self.run(plan, values)
            _put_back(tensors, _tensors(values))
        else:
            found = _Call.apply(self, plan, values, tuple(wanted), *_tensors(values))  # type: ignore[no-untyped-call, unused-ignore]
            written, *results = found[: len(found) - len(found[0])]
            _check_apart(tensors, written)
            for k, changed in zip(written, found[len(found) - len(written) :], strict=True):
                tensors[k].copy_(changed)
        return None if not results else results[0] if len(results) == 1 else tuple(results)

    def _planned(self, args: Sequence[Any]) -> tuple[list[Any], list[Any], _Plan]:
        """The tensors, put in order, and numbers of a call, the tensors as they are, and what is known of such
        calls."""
        values = [v for a in args for v in parts(a)]
        tensors = [v for v in values if isinstance(v, torch.Tensor)]
        if not tensors:
            raise LaunchError(f"{self.function}: it is given no tensor")
        device = tensors[0].device
        if any(x.device != device for x in tensors):
            devices = " and ".join(sorted({str(x.device) for x in tensors}))
            raise LaunchError(f"{self.function}: its tensors are on {devices}")
        key = (device, kind_of(args))
        plan = self._plans.get(key)
        if plan is None:
            plan = self._plans.setdefault(key, _Plan(Signature.of(args), device))
        return [v.contiguous() if isinstance(v, torch.Tensor) else v for v in values], tensors, plan

    # What operators ask

    def plain(self, args: Sequence[Any]) -> list[Any]:
        """The results of a call that is not recorded, None for one that is not defined."""
        values, _, plan = self._planned(args)
        return self.run(plan, values)

    def changes(self, args: Sequence[Any]) -> bool:
        """Whether such a call changes a tensor that it is given."""
        values, _, plan = self._planned(args)
        return bool(self.reverse(plan, values, self._active(plan.signature)).written)

    def gradients(self, args: Sequence[Any], cotangents: Sequence[Any]) -> list[Any]:
        """The gradients by the tensors of a call that changes none of them, None for those that never get one."""
        values, _, plan = self._planned(args)
        wanted = self._active(plan.signature)
        numbers = [None if isinstance(v, torch.Tensor) else v for v in values]
        like = [(d.shape, d.dtype, d.device) for d in cotangents]
        given = [d if d.is_floating_point() else None for d in cotangents]
        reverse = self.reverse(plan, values, wanted, tuple(d.dtype for d in cotangents))
        return self.run_reverse(_Reversed(plan, reverse, wanted, numbers, like), _tensors(values), given)

    def _active(self, signature: Signature) -> tuple[int, ...]:
        return tuple(k for k in range(len(signature.types)) if self.is_active(signature, k))

    # What runs

    def run(self, plan: _Plan, values: Sequence[Any]) -> list[Any]:
        """Calls the function, and gives its results, None for one that is not defined."""
        with self._lock, _on_default_stream(plan.device):
            try:
                return self._called(plan, values)
            except BackendError as error:
                if self._has_all_types or _TYPES not in str(error):
                    raise
            self._has_all_types = True
            for other in (plan, *self._plans.values()):
                other.forward = None
                other.reverses.clear()
            return self._called(plan, values)

    def _called(self, plan: _Plan, values: Sequence[Any]) -> list[Any]:
        if plan.forward is None:
            text, options = self.forward_text(plan.signature), Options.make(**self.options)
            try:
                made = undifferentiated(text, WRAPPER, options, _backend(plan.device))
            except DifferentiationError as error:
                raise self._unfit(error, text, values) or error from None
            plan.forward = made.directly(PRIMAL, plan.device.index or 0)
            plan.memory = _Memory(plan.device)
        numbers, sizes = _passed(values)
        memory = plan.memory
        assert memory is not None
        held = memory.held = {_address(x): x.untyped_storage() for x in values if isinstance(x, torch.Tensor)}
        given = set(held)
        try:
            plan.forward([*numbers, *memory.addresses], [*sizes, memory.said.nbytes, 0])
        finally:
            memory.held = {}
        count, *said = memory.said.tolist()
        found: list[Any] = []
        for k in range(count):
            code, dim, address, offset, *extents = said[k * PER_RESULT : (k + 1) * PER_RESULT]
            if code == UNDEFINED:
                found.append(None)
                continue
            result = torch.empty(0, dtype=_BY_CODE[code], device=plan.device)
            strides = extents[MOST_DIMENSIONS : MOST_DIMENSIONS + dim]
            begin = max(0, address - held[address].data_ptr()) // result.element_size()
            result.set_(held[address], begin + offset, extents[:dim], strides)
            found.append(result.clone() if address in given else result)
            given.add(address)  # several may be views of one
        plan.results = tuple(None if r is None else r.dtype for r in found)
        return found

    def _unfit(self, error: DifferentiationError, text: str, values: Sequence[Any]) -> LaunchError | None:
        """What is wrong with the arguments, where the call of the function is what cannot be compiled."""
        first, program = error.diagnostics[0], Source.load(text)
        if first.code != "CP0001" or first.span is None or first.span.file != program.name:
            return None
        if f"::{self.function}(" not in text.splitlines()[first.span.line - 1]:
            return None
        given = ", ".join("a tensor" if isinstance(v, torch.Tensor) else repr(v) for v in values)
        places = [f"; {n.span.file}:{n.span.line}: {n.message}" for n in first.notes if n.span is not None]
        said = "".join((first.message, *places[-1:]))  # those before are of classes that tensors are made of
        return LaunchError(f"{self.function}: it cannot be called with ({given}): {said}")

    def _types_of_results(self, plan: _Plan, values: Sequence[Any]) -> tuple[Any, ...]:
        """What the function gives for such arguments. It is run once for that, on copies."""
        if plan.results is None:
            self.run(plan, [v.clone() if isinstance(v, torch.Tensor) else v for v in values])
        assert plan.results is not None
        return plan.results

    def reverse(
        self, plan: _Plan, values: Sequence[Any], wanted: tuple[int, ...], results: tuple[Any, ...] | None = None
    ) -> _Reverse:
        """The gradient by these tensors, and by all results and tensors of floating point that the function changes.
        Where no types of `results` are named they are those of another call: they may depend on numbers."""
        with self._lock:
            results = self._types_of_results(plan, values) if results is None else results
            key = (wanted, results, torch.are_deterministic_algorithms_enabled())
            if key not in plan.reverses:
                signature = plan.signature
                text = self._text(signature, signature.reverse(self.function, results))
                floating = [f"x{k}" for k, type in enumerate(signature.types) if type.is_floating_point]
                outputs = [f"r{k}" for k, type in enumerate(results) if type is not None and type.is_floating_point]
                names = [f"x{k}" for k in wanted]
                made = self._made(text, [*(names if outputs else floating), *outputs], plan)
                changed = [x for x in floating if x in made.derivative.written and x not in names]
                if changed or not outputs:  # what it changes has a cotangent, and what nobody asks for no adjoint
                    made = self._made(text, [*names, *changed, *outputs], plan)
                derivative = made.derivative
                tensors = range(len(signature.types))
                plan.reverses[key] = _Reverse(
                    made.directly(GRADIENT, plan.device.index or 0),
                    derivative,
                    [k for k in tensors if f"x{k}" in derivative.written],
                    [f"x{k}" in derivative.found for k in tensors],
                    [(derivative.parameters[a.parameter].name, _dtype(a)) for a in derivative.adjoints],
                )
            return plan.reverses[key]

    def run_reverse(self, ctx: Any, tensors: Sequence[Any], cotangents: Sequence[Any]) -> list[Any]:
        """The gradients by the tensors, None for those that nobody asked for."""
        reverse = ctx.reverse
        results = {f"r{k}": _empty(like) for k, like in enumerate(ctx.results) if like is not None}
        known = {f"r{k}": d for k, d in enumerate(cotangents[: len(ctx.results)])}
        known |= {f"x{k}": d for k, d in zip(reverse.written, cotangents[len(ctx.results) :], strict=True)}
        likes = results | {f"x{k}": x for k, x in enumerate(tensors)}
        adjoints: dict[str, Any] = {}
        for name, type in reverse.adjoints:
            like, d = likes[name], known.get(name)
            held = type or like.dtype
            if d is None:
                adjoints[name] = torch.zeros(like.shape, dtype=held, device=like.device)
            else:
                adjoints[name] = d.to(held, copy=True, memory_format=torch.contiguous_format)
        given = [x.clone() if k in reverse.written else x for k, x in enumerate(tensors)]
        following = iter(given)
        values = [next(following) if v is None else v for v in ctx.numbers]
        with self._lock, _on_default_stream(ctx.plan.device):
            reverse.call(*_passed(values, [*results.values(), *(adjoints[name] for name, _ in reverse.adjoints)]))
        return [adjoints[f"x{k}"].to(x.dtype) if k in ctx.wanted else None for k, x in enumerate(tensors)]

    def forward_text(self, signature: Signature) -> str:
        """The program that runs the function, for one signature."""
        return self._text(signature, signature.forward(self.function), f"#define {_MEMORY}\n")

    def plan(self, args: Sequence[Any]) -> tuple[_Plan, tuple[int, ...]]:
        """What is known of calls with such tensors of the CPU, and which of these may get a gradient."""
        signature = Signature.of(args)
        return _Plan(signature, torch.device("cpu")), self._active(signature)

    def is_active(self, signature: Signature, k: int) -> bool:
        """Whether a tensor may get a gradient."""
        return signature.types[k].is_floating_point and signature.places[k] not in self._nondifferentiable

    def _made(self, text: str, names: Sequence[str], plan: _Plan) -> Any:
        options = dict(self.options)
        if torch.are_deterministic_algorithms_enabled():
            options["accumulate"] = "deterministic"
        try:
            return cladpy.gradient(text, WRAPPER, ", ".join(names), backend=_backend(plan.device), **options)
        except DifferentiationError:
            if options == self.options or not torch.is_deterministic_algorithms_warn_only_enabled():
                raise
        return cladpy.gradient(text, WRAPPER, ", ".join(names), backend=_backend(plan.device), **self.options)

    def _text(self, signature: Signature, function: str, begin: str = "") -> str:
        path = self.source.path
        original = self.source.text if path is None else f'#include "{included(str(path))}"'
        begin += _VERSION + "".join(f"#define {name}\n" for name in _PLAIN_HALVES)
        if not self._has_all_types:
            bits = {1 << NUMBERS[type].code for type in (torch.float32, *signature.types)}
            begin += f"#define {_TYPES} {sum(bits)}\n"
        return f"{begin}{original}\n#include <torch/extension.h>\n#include <cladpy_torch/results.h>\n{function}"


class _Call(torch.autograd.Function):  # type: ignore[misc, unused-ignore]
    """What is differentiated: tensors in, and out come the positions of those that the function changes, its results,
    and what it changes these tensors to. Nothing is changed in place: autograd would lose gradients of views."""

    @staticmethod
    def forward(ctx: Any, owner: Adopted, plan: _Plan, values: Sequence[Any], wanted: tuple[int, ...], *xs: Any) -> Any:
        reverse = owner.reverse(plan, values, wanted)
        given = iter([x.clone() if k in reverse.written else x for k, x in enumerate(xs)])
        values = [next(given) if isinstance(v, torch.Tensor) else v for v in values]
        results = owner.run(plan, values)
        types = tuple(None if r is None else r.dtype for r in results)
        written, reverse = reverse.written, owner.reverse(plan, values, wanted, types)
        if reverse.written != written:
            raise LaunchError(f"{owner.function}: the tensors that it changes depend on numbers that it is given")
        changed = [_tensors(values)[k] for k in written]
        kept = [x if found else None for x, found in zip(xs, reverse.found, strict=True)]
        ctx.mark_non_differentiable(*(r for r in (*results, *changed) if r is not None and not r.is_floating_point()))
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(*((x.clone() if k in written else x) for k, x in enumerate(kept) if x is not None))
        ctx.owner, ctx.plan, ctx.reverse, ctx.wanted = owner, plan, reverse, wanted
        ctx.numbers = [None if isinstance(v, torch.Tensor) else v for v in values]
        ctx.like = [(x.shape, x.dtype, x.device) for x in xs]
        ctx.results = [None if r is None else (r.shape, r.dtype, r.device) for r in results]
        return (written, *results, *changed)

    @staticmethod
    @differentiable_once
    def backward(ctx: Any, _: Any, *cotangents: Any) -> Any:
        saved = iter(ctx.saved_tensors)
        kept = zip(ctx.reverse.found, ctx.like, strict=True)
        tensors = [next(saved) if found else _empty(like) for found, like in kept]
        return (None, None, None, None, *ctx.owner.run_reverse(ctx, tensors, cotangents))


def _check_apart(tensors: Sequence[Any], written: Sequence[int]) -> None:
    held = [x.untyped_storage().data_ptr() for x in tensors]
    if any(held.count(held[k]) > 1 for k in written):
        what = "a tensor that the function changes shares its memory with another"
        raise LaunchError(f"{what}\nhint: pass a clone")


def _put_back(tensors: Sequence[Any], in_order: Sequence[Any]) -> None:
    """What the function has changed of copies, which were in order where the tensors are not."""
    for x, y in zip(tensors, in_order, strict=True):
        if x is not y and not bool(((x == y) | (x.isnan() & y.isnan())).all()):
            with torch.no_grad():
                x.copy_(y)


def _tensors(values: Sequence[Any]) -> list[Any]:
    return [v for v in values if isinstance(v, torch.Tensor)]


def _passed(values: Sequence[Any], more: Sequence[Any] = ()) -> tuple[list[int | float], list[int]]:
    """What the functions take: the address of a tensor with its sizes, of one among `more` the address alone, and
    numbers; and of each how many bytes of memory it is."""
    numbers: list[int | float] = []
    sizes = []
    for value in values:
        if isinstance(value, torch.Tensor):
            numbers += [_address(value), *value.shape]
            sizes += [value.nbytes] + [0] * value.dim()
        else:
            numbers.append(value)
            sizes.append(0)
    return [*numbers, *map(_address, more)], [*sizes, *(x.nbytes for x in more)]


def _address(x: Any) -> int:
    """Where a tensor lies. One without elements lies nowhere, but is defined."""
    return x.data_ptr() or _NOWHERE


def _dtype(adjoint: Any) -> Any:
    """The type of an adjoint's numbers: halves have floats. None where it is the primal's."""
    held = number_type(adjoint.type)
    return None if held is None else getattr(torch, np.dtype(dtype_of(held)).name)


def _empty(like: tuple[Any, Any, Any]) -> Any:
    shape, dtype, device = like
    return torch.empty(shape, dtype=dtype, device=device)


def _backend(device: Any) -> str:
    return "cuda" if device.type == "cuda" else "host"


@contextmanager
def _on_default_stream(device: Any) -> Iterator[None]:
    """The extension's stream is the default one here: what was enqueued on another comes before and after. So it is no
    part of a CUDA graph."""
    if device.type == "cuda" and torch.cuda.is_current_stream_capturing():
        raise LaunchError(
            "adopted functions run on the default stream, which a CUDA graph cannot capture\n"
            "hint: capture cladpy.torch.op of the kernels"
        )
    if device.type != "cuda" or torch.cuda.current_stream(device) == torch.cuda.default_stream(device):
        yield
        return
    torch.cuda.current_stream(device).synchronize()
    yield
    torch.cuda.default_stream(device).synchronize()
