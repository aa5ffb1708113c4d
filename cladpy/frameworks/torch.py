"""Functions of CUDA C++ as operators of PyTorch's, with derivatives.

An operator and its gradient are two custom operators: what traces one (`torch.compile`, fake tensors, `vmap`) traces
the other. Between them stand tensors alone, those that the gradient reads, so that PyTorch's own rules hold for what
may change in between, for graphs that are retained and for what is computed anew. So a host function makes its forward
sweep again in reverse.
"""

from __future__ import annotations

import functools
import itertools
import keyword
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from cladpy.derivative import Derivative
from cladpy.diagnostics import DifferentiationError, LaunchError, UsageError
from cladpy.frameworks.definition import Definition, Launch, Prepared, Shaped, copied, number_type
from cladpy.frameworks.of_gradients import definition_of
from cladpy.ir.halves import adjoint_value
from cladpy.ir.types import Scalar, ScalarKind
from cladpy.runtime.functional import RETURN
from cladpy.runtime.scalars import dtype_of

try:
    import torch
except ImportError as error:
    raise ImportError(f"PyTorch cannot be imported: {error}\nhint: pip install 'cladpy[torch]'") from None
if not hasattr(torch.library, "register_vmap"):
    raise ImportError(f"PyTorch {torch.__version__} is too old: 2.5 is needed\nhint: pip install 'cladpy[torch]'")

# what imports PyTorch itself
from cladpy.frameworks.transforms import (
    for_autograd,
    for_transforms,
    have_tangents,
    is_alone,
    is_transforming,
    one_by_one,
)
from cladpy.frameworks.unsaved import Unsaved

_QUALIFIED = re.compile(r"[A-Za-z_]\w*::[A-Za-z_]\w*", re.ASCII)
_CUDA = "hip" if torch.version.hip else "cuda"  # what PyTorch calls a device of CUDA
_names: set[str] = set()  # operators are never given up
_names_lock = threading.Lock()


def op(
    source: str | Path,
    function: str,
    *,
    inputs: str | Sequence[str],
    outputs: Mapping[str, Shaped],
    args: Mapping[str, Any] | Callable[..., Mapping[str, Any]] | None = None,
    grid: Any = None,
    block: Any = None,
    shared_mem: Any = 0,
    name: str | None = None,
    **options: Any,
) -> Operator:
    """A function of tensors that runs `function`, and has its derivative.

    Args:
        source, function: as `cladpy.gradient` takes them: a kernel, or a host function.
        inputs: the names of the arguments that the operator takes, in order: tensors for pointers, and for numbers
            tensors of one element. It never changes them: what the function writes to is a copy.
        outputs: the names of those that it gives, in order, each with the input whose shape and type it has, or a
            callable of the inputs that makes it. It holds zero before, or what the callable puts there; an output that
            is an input too begins as a copy of that. "return" is the value of a host function.
        args: all other arguments by name, a dict or a callable of the inputs that gives one. They have no gradient.
        grid, block, shared_mem: of a kernel: values, or callables of the inputs.
        name: what the operator is called among PyTorch's, as "library::name"; without one it is made up.
        options: those of `cladpy.gradient`, such as `std` or `include_dirs`.

    Callables are called in the backward pass again. Raises UsageError for what makes no sense; the function is
    differentiated in the first call, which raises as `cladpy.gradient` and `Gradient.execute_kernel` do.
    """
    definition = Definition.make(source, function, inputs, outputs, args, grid, block, shared_mem, options)
    return Operator(definition, _qualified(function, name))


class Operator:
    """A function of tensors. `op` is the custom operator of PyTorch's (`torch.library.CustomOpDef`)."""

    def __init__(self, definition: Definition, name: str) -> None:
        self._definition = definition
        self._seen: dict[str, Prepared] = {}  # by backend, one whose library has the function
        self._known: dict[tuple[object, ...], Prepared] = {}  # by what is asked for
        taken = [_parameter(k, n) for k, n in enumerate(definition.inputs)]
        tensors = ", ".join(f"Tensor {n}" for n in taken)
        given = ", ".join(f"Tensor? cotangent_{k}" for k in range(len(definition.outputs)))
        schema = f"({tensors}) -> {_results(len(definition.outputs))}"
        reverse = f"({tensors}, {given}, bool[] needed) -> {_results(len(taken))}"
        self.op = torch.library.custom_op(name, self._forward, mutates_args=(), schema=schema)
        self._reverse_op = torch.library.custom_op(f"{name}_backward", self._reverse, mutates_args=(), schema=reverse)
        self.op.register_fake(self._fake)
        self.op.register_autograd(self._backward, setup_context=self._keep)
        self.op.register_vmap(functools.partial(one_by_one, self.op))
        self._reverse_op.register_fake(self._fake_reverse)
        self._reverse_op.register_autograd(self._second, setup_context=self._keep_all)
        self._reverse_op.register_vmap(functools.partial(one_by_one, self._reverse_op))
        library: Any = torch.library
        self._library = library.Library(name.partition("::")[0], "FRAGMENT")
        for device in ("cpu", "cuda"):
            cast = functools.partial(self._autocast, device)
            self._library.impl(name.partition("::")[2], cast, f"Autocast{device.upper()}", with_keyset=True)
        self._in_transforms = for_transforms(self.op, self._keep, self._backward, self._no_forward_mode)
        self._reverse_in_transforms = for_transforms(
            self._reverse_op, self._keep_all, self._second, self._no_forward_mode
        )
        self._twice: dict[tuple[object, ...], Operator] = {}  # operators of gradients
        self._recorded = for_autograd(self._forward, self._keep, self._backward)

    def __call__(self, *inputs: Any) -> Any:
        if is_alone(inputs):
            recorded = torch.is_grad_enabled() and any(x.requires_grad for x in inputs)
            return self._recorded.apply(*inputs) if recorded else self._forward(*inputs)
        if have_tangents(inputs):
            self._no_forward_mode(None)
        return self._in_transforms.apply(*inputs) if is_transforming() else self.op(*inputs)

    def __repr__(self) -> str:
        of = self._definition
        return f"<operator {of.function}({', '.join(of.inputs)}) -> {', '.join(of.outputs)}>"

    # Forward

    def _forward(self, *inputs: Any) -> Any:
        definition = self._definition
        backend, device = _place(definition.inputs, inputs)
        given = [_plain(x) for x in inputs]
        launch, made = definition.launch(given), self._made(given, tuple(definition.outputs))
        prepared = self._primal(backend, inputs, made)
        values = prepared.own(launch.args, _copied)
        for name, x in zip(definition.inputs, given, strict=True):
            written = name in prepared.written and name not in made
            values[name] = _passed(prepared, name, made.get(name, x.clone() if written else x))
        values |= {name: made[name] for name in definition.pure_outputs}
        returned = prepared.run(launch, values, _stream_on(device))
        _after(prepared, device)
        if RETURN in made:
            made[RETURN].fill_(prepared.returned(returned))
        return _one_or_all(list(made.values()))

    def _made(self, inputs: Sequence[Any], names: Sequence[str]) -> dict[str, Any]:
        """These outputs before the call."""
        definition = self._definition
        found = {}
        for name in names:
            shaped = definition.outputs[name]
            if callable(shaped):
                y = shaped(*inputs)
                if not isinstance(y, torch.Tensor):
                    raise LaunchError(f"outputs[{name!r}] must give a tensor, not an object of type {type(y).__name__}")
                # a copy, since it may be given again: for another call, or for the backward pass of this one
                found[name] = y.detach().resolve_conj().resolve_neg().clone(memory_format=torch.contiguous_format)
            else:
                x = inputs[definition.inputs.index(shaped)]
                if name in definition.inputs:
                    found[name] = x.clone()
                else:
                    found[name] = x.new_zeros(() if name == RETURN else x.shape)
        return found

    def _fake(self, *inputs: Any) -> Any:
        made = self._made([x.contiguous() for x in inputs], tuple(self._definition.outputs))
        return _one_or_all(list(made.values()))

    # Backward

    def _keep(self, ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
        """Saves what the gradient reads; of all else the shape, with memory for one element."""
        definition = self._definition
        needed = self._needed(ctx)
        if not any(needed):
            return
        backend, _ = _place(definition.inputs, inputs)
        outputs = (output,) if isinstance(output, torch.Tensor) else output
        ctx.floating = [_is_floating(y) for y in outputs]
        kept = self._gradient(backend, needed, ctx.floating).kept
        ctx.save_for_backward(*(x if k else _shape_of(x) for x, k in zip(inputs, kept, strict=True)))

    def _backward(self, ctx: Any, *cotangents: Any) -> Any:
        given = [d if floating else None for d, floating in zip(cotangents, ctx.floating, strict=True)]
        needed = self._needed(ctx)
        return _one_or_all(self._gradients(ctx.saved_tensors, given, needed))

    def _gradients(self, inputs: Sequence[Any], cotangents: Sequence[Any], needed: Sequence[bool]) -> list[Any]:
        """Those by the inputs that need one, None for others; where a graph of them is recorded, as its nodes."""
        if not torch.is_grad_enabled() and is_alone([*inputs, *(d for d in cotangents if d is not None)]):
            call = self._reverse
        else:
            call = self._reverse_in_transforms.apply if is_transforming() else self._reverse_op
        found = call(*inputs, *cotangents, needed)
        found = (found,) if isinstance(found, torch.Tensor) else found
        return [d if n else None for d, n in zip(found, needed, strict=True)]

    def _needed(self, ctx: Any) -> list[bool]:
        """PyTorch has an argument of its own behind those of the operator."""
        return list(ctx.needs_input_grad[: len(self._definition.inputs)])

    def _reverse(self, *tensors: Any) -> Any:
        definition = self._definition
        count = len(definition.inputs)
        inputs, cotangents, needed = tensors[:count], tensors[count:-1], tensors[-1]
        backend, device = _place(definition.inputs, inputs)
        prepared = self._gradient(backend, needed, [d is not None for d in cotangents])
        named = zip(definition.inputs, inputs, prepared.kept, strict=True)
        given = [_plain(x) if kept else Unsaved.of(x, name) for name, x, kept in named]
        launch = definition.launch(given)
        by_output = dict(zip(definition.outputs, cotangents, strict=True))
        values = self._memory(prepared, given, by_output, launch)
        adjoints: dict[str, Any] = {}
        held = {x.untyped_storage().data_ptr() for x in inputs}  # an adjoint has memory of its own
        for name, d in by_output.items():
            if d is not None and name != RETURN:
                at = d.untyped_storage().data_ptr()
                adjoints[name] = _as_adjoint(d, apart=at in held or name in prepared.changed)
                held.add(at)
        for name, x in zip(definition.inputs, inputs, strict=True):
            if name in prepared.adjoints and name not in adjoints:
                adjoints[name] = _zeros(prepared, name, x, device)
        value = by_output.get(RETURN)
        prepared.reverse(launch, values, adjoints, None if value is None else value.item(), _stream_on(device))
        _after(prepared, device)
        named = zip(definition.inputs, inputs, needed, strict=True)
        return _one_or_all([_like(adjoints[n], x) if wanted else x.new_empty(0) for n, x, wanted in named])

    def _memory(
        self, prepared: Prepared, given: Sequence[Any], cotangents: Mapping[str, Any], launch: Launch
    ) -> dict[str, Any]:
        """The arguments of the function as it found them. Where the gradient does not look, there is memory that holds
        anything: whether a pointer is null may be asked all the same."""
        definition = self._definition
        values = prepared.own(launch.args, _copied)
        for name, x, kept in zip(definition.inputs, given, prepared.kept, strict=True):
            memory = x if kept else x.new_empty(x.shape)
            values[name] = _passed(prepared, name, x.clone() if kept and name in prepared.written else memory)
        anew = [n for n in definition.pure_outputs if cotangents[n] is None or n in prepared.found]
        values |= self._made(given, anew)
        values |= {n: cotangents[n].new_empty(cotangents[n].shape) for n in definition.pure_outputs if n not in anew}
        return values

    def _fake_reverse(self, *values: Any) -> Any:
        inputs, needed = values[: len(self._definition.inputs)], values[-1]
        return _one_or_all([x.new_empty(x.shape if n else 0) for x, n in zip(inputs, needed, strict=True)])

    def _no_forward_mode(self, ctx: Any, *tangents: Any) -> Any:
        raise LaunchError(
            f"the operator of {self._definition.function} has no forward-mode derivative\n"
            "hint: use reverse mode, such as torch.func.vjp or torch.autograd.grad"
        )

    # The gradient's own derivative

    def _keep_all(self, ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
        *tensors, ctx.needed = inputs
        ctx.save_for_backward(*tensors)

    def _second(self, ctx: Any, *cotangents: Any) -> Any:
        """The gradient of the gradient, which is that of an operator like this one, of the gradient's code."""
        definition, tensors = self._definition, ctx.saved_tensors
        count = len(definition.inputs)
        given = [d is not None for d in tensors[count:]]
        of_results = [_summed(d) for d, needed in zip(cotangents, ctx.needed, strict=True) if needed]
        present = [k for k, x in enumerate(tensors) if x is not None]
        inputs = [tensors[k] if k < count else _summed(tensors[k]) for k in present]
        memory = self._made(tensors[:count], definition.pure_outputs).values()
        needed = [*(ctx.needs_input_grad[k] for k in present), *(False for _ in memory)]
        twice = self._of_gradient(tensors[:count], ctx.needed, given)
        try:
            found = twice._gradients([*inputs, *memory], of_results, needed)
        except DifferentiationError as error:
            function = definition.function
            raise LaunchError(
                f"the gradient of {function}, as an operator of PyTorch, has no derivative of its own: {error}"
            ) from error
        by_place = dict(zip(present, found, strict=False))
        return *(by_place.get(k) for k in range(len(tensors))), None

    def _of_gradient(self, inputs: Sequence[Any], needed: Sequence[bool], given: Sequence[bool]) -> Operator:
        definition = self._definition
        backend, device = _place(definition.inputs, inputs)
        key = (backend, device, *given, *needed)
        if key not in self._twice:
            prepared = self._gradient(backend, needed, given)
            zeros = lambda name, x: _zeros(prepared, name, x, device)  # noqa: E731
            twice = definition_of(definition, backend, needed, given, zeros)
            self._twice[key] = Operator(twice, _qualified(twice.function, None))
        return self._twice[key]

    # What both have in common

    def _primal(self, backend: str, inputs: Sequence[Any], made: Mapping[str, Any]) -> Prepared:
        """Any gradient will do to run the function; one by all inputs serves most callers."""
        if backend not in self._seen:
            self._gradient(backend, [_is_floating(x) for x in inputs], [_is_floating(y) for y in made.values()])
        return self._seen[backend]

    def _gradient(self, backend: str, needed: Sequence[bool], floating: Sequence[bool]) -> Prepared:
        definition = self._definition
        deterministic = torch.are_deterministic_algorithms_enabled()
        key = (backend, deterministic, *needed, *floating)
        if key in self._known:
            return self._known[key]
        outputs = [name for name, f in zip(definition.outputs, floating, strict=True) if f]
        names = [n for n, w in zip(definition.inputs, needed, strict=True) if w and n not in outputs]
        try:
            found = self._known[key] = definition.gradient(backend, [*names, *outputs], deterministic=deterministic)
        except DifferentiationError:
            if not (deterministic and torch.is_deterministic_algorithms_warn_only_enabled()):
                raise
            found = definition.gradient(backend, [*names, *outputs])
        self._seen.setdefault(backend, found)
        return found

    def _autocast(self, device: str, keys: Any, *inputs: Any) -> Any:
        """Inputs get the types that the function has for them: there is no other that it could compute in."""
        names = self._definition.inputs
        backend, _ = _place(names, inputs)
        if backend not in self._seen:
            self._primal(backend, inputs, self._made([x.contiguous() for x in inputs], tuple(self._definition.outputs)))
        derivative = self._seen[backend].gradient.derivative
        with torch.autocast(device, enabled=False):
            return self.op(*(_cast(derivative, name, x) for name, x in zip(names, inputs, strict=True)))


def _qualified(function: str, name: str | None) -> str:
    """What PyTorch calls an operator: the name that was given, or one after the function, with a number behind it where
    there is one of that name. Programs that make the same operators in the same order give them the same names."""
    if name is not None and (not isinstance(name, str) or _QUALIFIED.fullmatch(name) is None):
        raise UsageError(f"name must be like 'library::name', not {name!r}")
    base = name or "cladpy::" + (re.sub(r"\W+", "_", function, flags=re.ASCII).strip("_") or "function")
    with _names_lock:
        if name is not None and name in _names:
            raise UsageError(f"name: there is an operator {name} already")
        numbered = itertools.chain([base], (f"{base}_{k}" for k in itertools.count(2)))
        found = next(n for n in numbered if n not in _names and f"{n}_backward" not in _names)
        _names.update((found, f"{found}_backward"))
    return found


def _parameter(position: int, name: str) -> str:
    """The name of an input in a schema, where words of Python's mean something else."""
    return f"input_{position}" if keyword.iskeyword(name) or name in ("self", "needed") else name


def _results(count: int) -> str:
    return "Tensor" if count == 1 else f"({', '.join(['Tensor'] * count)})"


def _one_or_all(tensors: Sequence[Any]) -> Any:
    return tensors[0] if len(tensors) == 1 else tuple(tensors)


def _place(names: Sequence[str], tensors: Sequence[Any]) -> tuple[str, Any]:
    """The backend, and the device, of a call. Numbers may be in the host's memory. Raises LaunchError where there are
    several."""
    first = tensors[0]
    if len(tensors) == 1 or len({x.device for x in tensors}) == 1:
        if first.is_cuda:
            return _CUDA, first.device
        if first.is_cpu:
            return "host", first.device
    devices = {x.device: name for name, x in reversed(list(zip(names, tensors, strict=True)))}
    others = [d for d in devices if d.type != "cpu"]
    if len(others) > 1:
        listed = ", ".join(f"{devices[d]} on {d}" for d in devices)
        raise LaunchError(f"the inputs are on different devices: {listed}")
    if others[0].type != "cuda":
        raise LaunchError(f"{devices[others[0]]}: a tensor on {others[0]} cannot be passed: CPU and CUDA tensors can")
    return _CUDA, others[0]


def _stream_on(device: Any) -> int | None:
    """The handle of the stream that a call runs on."""
    return None if device.type == "cpu" else torch._C._cuda_getCurrentRawStream(device.index)


def _after(prepared: Prepared, device: Any) -> None:
    """What a host function launches runs on streams of its own: the current one goes on behind those that wait for the
    default stream, as streams of programs do."""
    if device.type != "cpu" and not prepared.is_kernel:
        torch.cuda.current_stream(device).wait_stream(torch.cuda.default_stream(device))


def _plain(x: Any) -> Any:
    return (
        x if x.is_contiguous() and not x.is_conj() and not x.is_neg() else x.resolve_conj().resolve_neg().contiguous()
    )


def _is_floating(x: Any) -> bool:
    return bool(x.is_floating_point() or x.is_complex())


def _shape_of(x: Any) -> Any:
    """A tensor of the same shape, type and device, in memory for one element."""
    return x.new_empty(()).expand(x.shape)


def _passed(prepared: Prepared, name: str, x: Any) -> Any:
    """An input as the runtime takes it: numbers are numbers of Python's."""
    return prepared.number(name, x) if name in prepared.numbers else x


def _zeros(prepared: Prepared, name: str, x: Any, device: Any) -> Any:
    """The adjoint of an input, before the call."""
    if name not in prepared.numbers:
        return torch.zeros(x.shape, dtype=_adjoint_dtype(x.dtype), device=x.device)
    held = adjoint_value(prepared.numbers[name])
    assert isinstance(held, Scalar)
    # host functions are given where in the host's memory the adjoint of a number lies
    return torch.zeros(1, dtype=_torch_dtype(held), device=device if prepared.is_kernel else "cpu")


def _copied(value: Any) -> Any:
    return value.clone() if isinstance(value, torch.Tensor) else copied(value)


def _adjoint_dtype(dtype: Any) -> Any:
    """Adjoints of halves are summed in floats."""
    return torch.float32 if dtype in (torch.float16, torch.bfloat16) else dtype


def _summed(cotangent: Any) -> Any:
    """A cotangent in the type of the adjoint that it is."""
    return cotangent.to(_adjoint_dtype(cotangent.dtype))


def _as_adjoint(cotangent: Any, *, apart: bool) -> Any:
    """A cotangent as the gradient takes it, in memory of its own where that is to be `apart`."""
    dtype = _adjoint_dtype(cotangent.dtype)
    if dtype is cotangent.dtype and not apart:
        return _plain(cotangent)
    return cotangent.resolve_conj().resolve_neg().to(dtype, copy=True, memory_format=torch.contiguous_format)


def _like(adjoint: Any, x: Any) -> Any:
    if adjoint.dtype is x.dtype and adjoint.shape == x.shape and adjoint.device == x.device:
        return adjoint
    return adjoint.to(device=x.device, dtype=x.dtype).reshape(x.shape)


def _torch_dtype(type: Scalar) -> Any:
    if type.kind is ScalarKind.BFLOAT16:
        return torch.bfloat16
    return getattr(torch, dtype_of(type).name)


def _dtype_of(derivative: Derivative, name: str) -> Any:
    """The type of the numbers that a parameter has, or leads to; None where it has no single one."""
    type = next((p.type for p in derivative.parameters if p.name == name), None)
    scalar = None if type is None else number_type(type)
    return None if scalar is None else _torch_dtype(scalar)


def _cast(derivative: Derivative, name: str, x: Any) -> Any:
    dtype = _dtype_of(derivative, name)
    return x.to(dtype) if dtype is not None and x.is_floating_point() and dtype.is_floating_point else x
