"""Adopted functions as operators, for what traces or batches them: `torch.compile` and `torch.vmap`.

The operator takes the tensors and the numbers of a call each as a list, and the call's form as text: `(T, [T, T], I, R,
True, None)` has three tensors, an integer and a real number, and constants.
"""

from __future__ import annotations

import ast
import functools
import itertools
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import torch

from cladpy.diagnostics import LaunchError
from cladpy.frameworks.second import refuse_second

if TYPE_CHECKING:
    from cladpy.frameworks.adopted import Adopted

_PLACES = ("T", "I", "R")
_INPUTS = "Tensor[] tensors, SymInt[] integers, float[] reals, str form"
_numbers = itertools.count()


class Operators:
    """What stands for an adopted function and its gradient in a graph."""

    def __init__(self, owner: Adopted) -> None:
        self._owner = owner
        self._shapes: dict[Any, list[tuple[list[int], Any]]] = {}
        name = f"cladpy_adopted::f{next(_numbers)}"
        forward, reverse = f"({_INPUTS}) -> Tensor[]", f"({_INPUTS}, Tensor[] cotangents, bool[] wanted) -> Tensor[]"
        self.op = torch.library.custom_op(name, self._forward, mutates_args=(), schema=forward)
        self._reverse_op = torch.library.custom_op(f"{name}_backward", self._reverse, mutates_args=(), schema=reverse)
        self.op.register_fake(self._fake)
        self.op.register_autograd(self._backward, setup_context=_keep)
        self.op.register_vmap(functools.partial(_one_by_one, self.op))
        self._reverse_op.register_fake(_fake_reverse)
        self._reverse_op.register_autograd(refuse_second, setup_context=lambda ctx, inputs, output: None)
        self._reverse_op.register_vmap(functools.partial(_one_by_one, self._reverse_op))
        self._in_transforms = _function(
            lambda others, tensors: self.op(tensors, *others),
            lambda ctx, others, tensors, output: _keep(ctx, (tensors, *others), output),
            lambda ctx, cotangents, needed: self._gradients(ctx, cotangents, needed),
        )
        self._reverse_in_transforms = _function(
            lambda others, both: self._reverse_op(both[: others[4]], *others[:3], both[others[4] :], others[3]),
            lambda ctx, others, both, output: None,
            refuse_second,
        )

    def __call__(self, args: Sequence[Any]) -> Any:
        values: tuple[list[Any], list[Any], list[Any]] = ([], [], [])
        form = f"({''.join(f'{_formed(a, values)}, ' for a in args)})"
        if torch.compiler.is_compiling():
            found = self.op(*values, form)
        else:
            tensors, *others = values
            found = self._in_transforms.apply((*others, form), *tensors)
        return None if not found else found[0] if len(found) == 1 else tuple(found)

    def _forward(self, tensors: Sequence[Any], integers: Sequence[Any], reals: Sequence[float], form: str) -> list[Any]:
        args = arguments(form, tensors, integers, reals)
        self._check_changes_nothing(args)
        results: list[Any] = self._owner.plain(args)
        if any(r is None for r in results):
            raise LaunchError(f"{self._owner.function}: a result is not defined, which a graph has no word for")
        return results

    def _check_changes_nothing(self, args: Sequence[Any]) -> None:
        if self._owner.changes(args):
            raise LaunchError(
                f"{self._owner.function} changes a tensor that it is given, which torch.compile and vmap do not see\n"
                "hint: call it outside of these"
            )

    def _fake(self, tensors: Sequence[Any], integers: Sequence[Any], reals: Sequence[float], form: str) -> list[Any]:
        """Shapes are those of a call with zeros: what they follow from is in the function, and nobody knows."""
        shapes = [[int(n) for n in x.shape] for x in tensors]
        whole = [int(n) for n in integers]
        like = [(x.dtype, x.device) for x in tensors]
        key = (form, str(shapes), str(like), str(whole), str(reals))
        if key not in self._shapes:
            with torch.utils._python_dispatch._disable_current_modes():
                zeros = [torch.zeros(s, dtype=t, device=d) for s, (t, d) in zip(shapes, like, strict=True)]
                results = self._forward(zeros, whole, reals, form)
                self._shapes[key] = [(list(r.shape), r.dtype) for r in results]
        return [tensors[0].new_empty(shape, dtype=dtype) for shape, dtype in self._shapes[key]]

    def _backward(self, ctx: Any, cotangents: Sequence[Any]) -> Any:
        integers, reals, _ = ctx.others
        found = self._gradients(ctx, cotangents, ctx.needs_input_grad[0])
        return found, [None] * len(integers), [None] * len(reals), None

    def _gradients(self, ctx: Any, cotangents: Sequence[Any], needed: Sequence[Any]) -> list[Any]:
        wanted = [bool(n) for n in needed]
        known = [
            torch.zeros(shape, dtype=dtype, device=device) if d is None else d
            for d, (shape, dtype, device) in zip(cotangents, ctx.results, strict=True)
        ]
        saved = list(ctx.saved_tensors)
        if is_transforming():
            others = (*ctx.others, wanted, len(saved))
            found = iter(self._reverse_in_transforms.apply(others, *saved, *known))
        else:
            found = iter(self._reverse_op(saved, *ctx.others, known, wanted))
        return [next(found) if w else None for w in wanted]

    def _reverse(
        self,
        tensors: Sequence[Any],
        integers: Sequence[Any],
        reals: Sequence[float],
        form: str,
        cotangents: Sequence[Any],
        wanted: Sequence[bool],
    ) -> list[Any]:
        found = self._owner.gradients(arguments(form, tensors, integers, reals), cotangents)
        kept = [(x, d) for x, d, w in zip(tensors, found, wanted, strict=True) if w]
        return [torch.zeros_like(x) if d is None else d for x, d in kept]


def is_transforming() -> bool:
    """Whether a transformation of `torch.func` runs the call."""
    return not torch.compiler.is_compiling() and bool(torch._C._are_functorch_transforms_active())


def _function(call: Any, keep: Any, backward: Any) -> Any:
    """An operator for the transformations of `torch.func`, to which the derivatives of custom operators are not known:
    they want a class. It is given what is no tensor, and tensors."""

    def batched(info: Any, in_dims: Any, others: Any, *tensors: Any) -> tuple[tuple[Any, ...], tuple[int, ...]]:
        found, dims = _one_by_one(call, info, (None, list(in_dims[1:])), others, list(tensors))
        return tuple(found), tuple(dims)

    members = {
        "forward": lambda others, *tensors: tuple(call(others, list(tensors))),
        "setup_context": lambda ctx, inputs, output: keep(ctx, inputs[0], inputs[1:], output),
        "backward": lambda ctx, *cotangents: (None, *backward(ctx, cotangents, ctx.needs_input_grad[1:])),
        "vmap": batched,
    }
    return type("Function", (torch.autograd.Function,), {name: staticmethod(f) for name, f in members.items()})


def _one_by_one(call: Any, info: Any, in_dims: Sequence[Any], *values: Any) -> tuple[list[Any], list[int]]:
    """`vmap`, by a loop. What is batched is a tensor, or in a list."""
    if info.batch_size == 0:
        raise LaunchError("vmap over nothing: of what shape an adopted function's results are is known from calls")

    def part(value: Any, dim: Any, k: int) -> Any:
        if isinstance(value, list | tuple) and isinstance(dim, list | tuple):
            return [part(v, d, k) for v, d in zip(value, dim, strict=True)]
        return value if dim is None else value.select(dim, k)

    calls = [call(*(part(v, d, k) for v, d in zip(values, in_dims, strict=True))) for k in range(info.batch_size)]
    return [torch.stack(results) for results in zip(*calls, strict=True)], [0] * len(calls[0])


def _formed(value: Any, found: tuple[list[Any], list[Any], list[Any]]) -> str:
    """The form of an argument, with its tensors and numbers put behind those that are there."""
    if isinstance(value, list | tuple):
        return f"[{''.join(f'{_formed(v, found)}, ' for v in value)}]"
    if value is None or isinstance(value, bool | str):
        return repr(value)
    kind = 0 if isinstance(value, torch.Tensor) else 2 if isinstance(value, float) else 1
    found[kind].append(value)
    return _PLACES[kind]


def arguments(form: str, *values: Sequence[Any]) -> list[Any]:
    """The arguments of a call with these tensors, integers and real numbers."""
    following = dict(zip(_PLACES, map(iter, values), strict=True))
    return [_argument(node, following) for node in ast.parse(form, mode="eval").body.elts]  # type: ignore[attr-defined]


def _argument(node: ast.expr, following: dict[str, Iterator[Any]]) -> Any:
    if isinstance(node, ast.List):
        return [_argument(e, following) for e in node.elts]
    return next(following[node.id]) if isinstance(node, ast.Name) else ast.literal_eval(node)


def _keep(ctx: Any, inputs: tuple[Any, ...], output: Sequence[Any]) -> None:
    tensors, *ctx.others = inputs
    ctx.save_for_backward(*tensors)
    ctx.results = [(r.shape, r.dtype, r.device) for r in output]


def _fake_reverse(
    tensors: Sequence[Any], integers: Any, reals: Any, form: str, cotangents: Any, wanted: Sequence[bool]
) -> list[Any]:
    return [
        torch.empty_like(x, memory_format=torch.contiguous_format) for x, w in zip(tensors, wanted, strict=True) if w
    ]
