"""Functions of extensions that are loaded: they keep running as they were built, and get a gradient of cladpy's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from cladpy.diagnostics import LaunchError, UsageError
from cladpy.frameworks.adopted import Adopted, adopt
from cladpy.frameworks.adopted_arguments import kind_of, parts
from cladpy.frameworks.second import differentiable_once
from cladpy.source import Given


def replace(
    module: Any,
    name: str,
    *,
    source: Given,
    function: str | None = None,
    check: bool = True,
    nondifferentiable: int | Sequence[int] = (),
    **options: Any,
) -> Replaced:
    """Gives a function of a loaded extension a derivative, in its place.

    Args:
        module: the extension, or whatever has the function as an attribute.
        name: what it is called there.
        source, nondifferentiable, options: what it was built from, and the rest, as in `adopt`.
        function: its name in the source; default: `name`.
        check: whether the first call with each combination of types is compared with the source's function, which is
            run beside it once. Say False for functions that give other numbers each time.

    The function that was there is called as before; of calls with tensors that require gradients the backward pass is
    cladpy's, made from the source. Gives what is there now, whose `restore()` puts the function back. Raises UsageError
    where there is none; a call raises LaunchError where the source is of another function.
    """
    original = getattr(module, name, None)
    if isinstance(original, Replaced):
        original = original.original
    if not callable(original):
        raise UsageError(f"{getattr(module, '__name__', type(module).__name__)} has no function {name!r}")
    adopted = adopt(source, function or name, nondifferentiable=nondifferentiable, **options)

    def restore() -> None:
        setattr(module, name, original)

    replaced = Replaced(original, adopted, check, restore)
    setattr(module, name, replaced)
    return replaced


class Replaced:
    """A function of an extension, with a derivative. `original` is the function as it was built."""

    def __init__(
        self, original: Callable[..., Any], adopted: Adopted, check: bool, restore: Callable[[], None]
    ) -> None:
        self.original = original
        self.restore = restore
        self.adopted = adopted
        self._check = check
        self._known: set[Any] = set()

    def __repr__(self) -> str:
        return f"<{self.original!r} with the gradient of {self.adopted!r}>"

    def __call__(self, *args: Any, **named: Any) -> Any:
        given = [v for a in (*args, *named.values()) for v in parts(a) if isinstance(v, torch.Tensor)]
        if not (torch.is_grad_enabled() and any(x.requires_grad for x in given)):
            return self.original(*args, **named)
        if named:
            raise LaunchError(f"{self.adopted.function}: where a gradient is wanted arguments are given by position")
        found = _Call.apply(self, args, *given)  # type: ignore[no-untyped-call, unused-ignore]
        kind = found[0]
        return found[1] if kind is None else kind(found[1:])

    def called(self, args: Sequence[Any]) -> tuple[Any, list[Any]]:
        """What the original gives: in what its results are (None for a tensor by itself), and these."""
        kind = kind_of(list(args))
        if kind not in self._known:
            self._look_at(args)
        results = self._results(args)
        self._known.add(kind)
        return results

    def _results(self, args: Sequence[Any]) -> tuple[Any, list[Any]]:
        results = self.original(*args)
        if isinstance(results, torch.Tensor):
            return None, [results]
        if not (isinstance(results, list | tuple) and all(isinstance(r, torch.Tensor) for r in results)):
            raise LaunchError(f"{self.adopted.function}: it gives something other than tensors")
        return type(results), list(results)

    def _look_at(self, args: Sequence[Any]) -> None:
        """Before the first call with such arguments: whether the source is that of the function."""
        function = self.adopted.function
        if self.adopted.changes(args):
            raise LaunchError(
                f"{function} changes a tensor that it is given\nhint: use cladpy.torch.adopt for the whole"
            )
        wanted = self.adopted.plain(args)
        _, found = self._results(args)
        alike = len(found) == len(wanted) and all(
            w is not None and (f.shape, f.dtype) == (w.shape, w.dtype) for f, w in zip(found, wanted, strict=True)
        )
        if not alike or (self._check and not all(map(_close, found, wanted))):
            raise LaunchError(
                f"{function} of the source gives something other than the function that is loaded\n"
                "hint: name the source that it was built from, or say check=False if it gives other numbers each time"
            )


class _Call(torch.autograd.Function):  # type: ignore[misc, unused-ignore]
    @staticmethod
    def forward(ctx: Any, owner: Replaced, args: tuple[Any, ...], *tensors: Any) -> Any:
        kind, results = owner.called(args)
        ctx.mark_non_differentiable(*(r for r in results if not r.is_floating_point()))
        ctx.save_for_backward(*tensors)
        ctx.owner, ctx.args = owner, [_without_tensors(a) for a in args]
        ctx.results = [(r.shape, r.dtype, r.device) for r in results]
        return (kind, *results)

    @staticmethod
    @differentiable_once
    def backward(ctx: Any, _: Any, *cotangents: Any) -> Any:
        saved = iter(ctx.saved_tensors)
        args = [_with_tensors(a, saved) for a in ctx.args]
        given = [
            torch.zeros(shape, dtype=dtype, device=device) if d is None else d
            for d, (shape, dtype, device) in zip(cotangents, ctx.results, strict=True)
        ]
        found = ctx.owner.adopted.gradients(args, given)
        return (None, None, *(d if n else None for d, n in zip(found, ctx.needs_input_grad[2:], strict=True)))


class _Tensor:
    """Stands for one in what a call is given."""


def _without_tensors(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return _Tensor
    return [_without_tensors(v) for v in value] if isinstance(value, list | tuple) else value


def _with_tensors(value: Any, saved: Any) -> Any:
    """An argument with the tensors that autograd has kept, which knows whether one was changed since."""
    if value is _Tensor:
        return next(saved)
    return [_with_tensors(v, saved) for v in value] if isinstance(value, list | tuple) else value


def _close(found: Any, wanted: Any) -> bool:
    """Whether two functions may be the same, in other arithmetic and in another order."""
    found, wanted = found.double(), wanted.double()
    finite = wanted[wanted.isfinite()].abs()
    scale = finite.max().item() if finite.numel() else 1.0
    return bool(torch.allclose(found, wanted, rtol=1e-2, atol=1e-2 * scale, equal_nan=True))
