"""Functions of CUDA C++ as functions of JAX's arrays, with derivatives.

A call goes back to Python (`jax.pure_callback`), which launches on the host: what is compiled for a gradient is known
to Python alone, when it has been differentiated, and a handler of XLA's own interface would have to be compiled against
each version of jaxlib. JAX's arrays never change: the function works on copies of what it writes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from cladpy.diagnostics import DifferentiationError, LaunchError
from cladpy.frameworks.definition import Definition, Launch, Prepared, Shaped, copied
from cladpy.frameworks.of_gradients import definition_of
from cladpy.ir.halves import adjoint_value
from cladpy.runtime.functional import RETURN
from cladpy.runtime.structs import dtype_of

try:
    import jax
except ImportError as error:
    raise ImportError(f"JAX cannot be imported: {error}\nhint: pip install 'cladpy[jax]'") from None

_shape: Any = jax.ShapeDtypeStruct


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
    **options: Any,
) -> Operator:
    """A function of JAX's arrays that runs `function` on the host, and has its derivative.

    The arguments are those of `cladpy.torch.op`. A callable in `outputs` gives an array, or a `jax.ShapeDtypeStruct` of
    one that holds zero before the call; it is traced, as the function around it. All other callables get arrays of
    NumPy's while the program runs.

    Raises UsageError for what makes no sense; the function is differentiated when it is first traced, which raises as
    `cladpy.gradient` does, and what a call raises comes as an error of JAX's.
    """
    return Operator(Definition.make(source, function, inputs, outputs, args, grid, block, shared_mem, options))


@jax.tree_util.register_static
@dataclass(frozen=True, slots=True)
class _Asked:
    """What is known of a call of the gradient when it is traced."""

    needed: tuple[bool, ...]
    floating: tuple[bool, ...]  # the outputs
    shapes: tuple[tuple[tuple[int, ...], Any], ...]  # shape and type of the inputs


class Operator:
    """A function of JAX's arrays."""

    def __init__(self, definition: Definition) -> None:
        self._definition = definition
        self._pure = frozenset(definition.pure_outputs)
        self._twice: dict[tuple[object, ...], Operator] = {}  # operators of gradients
        self._call = jax.custom_vjp(self._traced)
        self._call.defvjp(self._forward, self._backward, symbolic_zeros=True)

    def __call__(self, *inputs: Any) -> Any:
        names = self._definition.inputs
        if len(inputs) != len(names):
            raise LaunchError(f"the operator of {self._definition.function} takes {', '.join(names)}")
        found = self._call(*map(jax.numpy.asarray, inputs))
        return found[0] if len(found) == 1 else found

    def __repr__(self) -> str:
        of = self._definition
        return f"<operator {of.function}({', '.join(of.inputs)}) -> {', '.join(of.outputs)}>"

    # While a program is traced

    def _traced(self, *inputs: Any) -> tuple[Any, ...]:
        results, initial = self._outputs(inputs)
        floating = tuple(_is_floating(y) for y in results.values())
        prepared = self._gradient([_is_floating(x) for x in inputs], floating)
        call = partial(self._run, prepared, results)
        found = jax.pure_callback(call, tuple(results.values()), inputs, initial, vmap_method="sequential")
        return tuple(found)

    def _forward(self, *given: Any) -> tuple[tuple[Any, ...], Any]:
        """Saves what the gradient reads, of the inputs that are to be differentiated by."""
        inputs = [x.value for x in given]
        found = self._call(*inputs)
        needed = tuple(bool(x.perturbed) and _is_floating(x.value) for x in given)
        asked = _Asked(needed, tuple(map(_is_floating, found)), tuple((x.shape, x.dtype) for x in inputs))
        kept = self._gradient(needed, asked.floating).kept
        return found, (asked, [x if k else None for x, k in zip(inputs, kept, strict=True)])

    def _backward(self, saved: Any, cotangents: Sequence[Any]) -> tuple[Any, ...]:
        asked, kept = saved
        prepared = self._gradient(asked.needed, asked.floating)
        shapes = [_shape(*s) for s in asked.shapes]
        inputs = [s if x is None else x for x, s in zip(kept, shapes, strict=True)]
        results, initial = self._outputs(inputs)
        initial = {name: y for name, y in initial.items() if name in prepared.found}
        seeds = {
            name: d
            for (name, y), d in zip(results.items(), cotangents, strict=True)
            if _is_floating(y) and not isinstance(d, jax.custom_derivatives.SymbolicZero)
        }
        wanted = [s for s, n in zip(shapes, asked.needed, strict=True) if n]
        call = partial(self._reverse, prepared, asked, results)
        traced = jax.custom_vjp(lambda *a: jax.pure_callback(call, wanted, *a, vmap_method="sequential"))
        traced.defvjp(lambda *given: (traced(*given), given), partial(self._second, asked, results))
        found = iter(traced(kept, initial, seeds))
        return tuple(next(found) if n else None for n in asked.needed)

    def _outputs(self, inputs: Sequence[Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        """Shapes and types of the outputs, and what those hold before the call that do not hold zero."""
        results: dict[str, Any] = {}
        initial = {}
        for name, shaped in self._definition.outputs.items():
            if callable(shaped):
                y = shaped(*inputs)
                if not isinstance(y, jax.ShapeDtypeStruct):
                    initial[name] = y = jax.numpy.asarray(y)
            else:
                y = inputs[self._definition.inputs.index(shaped)]
            results[name] = _shape(() if name == RETURN else y.shape, y.dtype)
        return results, initial

    def _gradient(self, needed: Sequence[bool], floating: Sequence[bool]) -> Prepared:
        outputs = [name for name, f in zip(self._definition.outputs, floating, strict=True) if f]
        names = [n for n, w in zip(self._definition.inputs, needed, strict=True) if w and n not in outputs]
        return self._definition.gradient("host", [*names, *outputs])

    def _second(self, asked: _Asked, results: Mapping[str, Any], saved: Any, cotangents: Sequence[Any]) -> Any:
        """The gradient of the gradient, which is that of an operator like this one, of the gradient's code."""
        kept, initial, seeds = saved
        shapes = [_shape(*s) for s in asked.shapes]
        inputs = [jax.numpy.zeros(s.shape, s.dtype) if x is None else x for x, s in zip(kept, shapes, strict=True)]
        named = [name for name in results if name in seeds]  # a dict that JAX has had has another order
        given = [name in seeds for name in results]
        key = (asked.needed, tuple(given))
        if key not in self._twice:
            zeros = lambda name, x: _shape(x.shape, _summed_type(x.dtype))  # noqa: E731
            self._twice[key] = Operator(definition_of(self._definition, "host", asked.needed, given, zeros))
        twice = self._twice[key]
        # JAX's cotangents are conjugates of what we add up
        summed = [jax.numpy.conj(d).astype(_summed_type(d.dtype)) for d in (*(seeds[n] for n in named), *cotangents)]
        memory = [initial.get(n, jax.numpy.zeros(y.shape, y.dtype)) for n, y in results.items() if n in self._pure]
        taken = [*inputs, *summed[: len(named)], *memory]
        needed = [*(x is not None and _is_floating(x) for x in kept), *(True for _ in named), *(False for _ in memory)]
        floating = tuple(True for _ in cotangents)
        again = _Asked(tuple(needed), floating, tuple((x.shape, x.dtype) for x in taken))
        try:
            read = twice._gradient(needed, floating).kept
        except DifferentiationError as error:
            function = self._definition.function
            raise LaunchError(
                f"the gradient of {function}, as a function of JAX's, has no derivative of its own: {error}"
            ) from error
        found = twice._backward(
            (again, [x if k else None for x, k in zip(taken, read, strict=True)]), summed[len(named) :]
        )
        of_seeds = found[len(inputs) : len(inputs) + len(named)]
        by_seed = {n: jax.numpy.conj(d).astype(seeds[n].dtype) for n, d in zip(named, of_seeds, strict=True)}
        return [None if x is None else d for x, d in zip(kept, found, strict=False)], dict.fromkeys(initial), by_seed

    # While it runs

    def _run(self, prepared: Prepared, results: Mapping[str, Any], inputs: Any, initial: Any) -> tuple[Any, ...]:
        names = self._definition.inputs
        given = [np.asarray(x, order="C") for x in inputs]
        launch = self._definition.launch(given)
        values = self._arguments(prepared, given, launch)
        made = {n: values[n] if n in names else _before(y, initial.get(n)) for n, y in results.items()}
        values |= {name: made[name] for name in self._definition.pure_outputs}
        returned = prepared.run(launch, values)
        if RETURN in made:
            made[RETURN][...] = prepared.returned(returned)
        return tuple(made.values())

    def _reverse(
        self, prepared: Prepared, asked: _Asked, results: Mapping[str, Any], kept: Any, initial: Any, seeds: Any
    ) -> list[Any]:
        names = self._definition.inputs
        shapes = [_shape(*s) for s in asked.shapes]
        given = [s if x is None else np.asarray(x, order="C") for x, s in zip(kept, shapes, strict=True)]
        launch = self._definition.launch(given)
        values = self._arguments(prepared, given, launch)
        values |= {name: _before(results[name], initial.get(name)) for name in self._definition.pure_outputs}
        adjoints = {}
        for name in prepared.adjoints:
            like = results[name] if name in results else shapes[names.index(name)]
            dtype = _summed_type(like.dtype)
            if name in prepared.numbers:
                dtype = dtype_of(adjoint_value(prepared.numbers[name]))
            adjoints[name] = np.zeros(like.shape, dtype)
            if name in seeds:
                adjoints[name][...] = np.conj(seeds[name])  # JAX's cotangents are conjugates of what we add up
        returned = float(np.asarray(seeds[RETURN])) if RETURN in seeds else 0.0 if RETURN in results else None
        prepared.reverse(launch, values, adjoints, returned)
        wanted = [(n, s) for n, s, w in zip(names, shapes, asked.needed, strict=True) if w]
        return [np.conj(adjoints[n]).astype(s.dtype) for n, s in wanted]

    def _arguments(self, prepared: Prepared, given: Sequence[Any], launch: Launch) -> dict[str, Any]:
        """The arguments but for outputs. Of an input that is not kept, memory that holds anything: whether a pointer is
        null may be asked all the same."""
        values = prepared.own(launch.args, copied)
        for name, x in zip(self._definition.inputs, given, strict=True):
            if name in prepared.numbers:
                values[name] = prepared.number(name, x)
            elif not isinstance(x, np.ndarray):
                values[name] = np.empty(x.shape, x.dtype)
            else:
                values[name] = x.copy() if name in prepared.writable else x  # JAX's own memory is read-only
        return values


def _is_floating(x: Any) -> bool:
    return bool(jax.numpy.issubdtype(x.dtype, jax.numpy.inexact))


def _summed_type(dtype: Any) -> Any:
    """Halves are summed in floats."""
    return np.dtype(np.float32) if np.dtype(dtype).itemsize == 2 else dtype


def _before(y: Any, initial: Any) -> Any:
    """An output before the call."""
    return np.zeros(y.shape, y.dtype) if initial is None else np.array(initial, y.dtype, order="C")
