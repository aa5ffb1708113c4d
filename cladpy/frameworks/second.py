"""Gradients that have no derivatives of their own: who asks for these is told."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import torch

from cladpy.diagnostics import LaunchError


def refuse_second(ctx: Any, *cotangents: Any) -> Any:
    """The derivative of an adopted function's gradient."""
    raise LaunchError("the gradient of an adopted function has no derivative: second derivatives are not supported")


def differentiable_once(backward: Callable[..., tuple[Any, ...]]) -> Callable[..., tuple[Any, ...]]:
    """A `backward` whose gradients are no constants where a graph of them is asked for (`create_graph=True`), as they
    are by PyTorch's `once_differentiable` unless a cotangent wants a gradient."""

    @functools.wraps(backward)
    def called(ctx: Any, *cotangents: Any) -> tuple[Any, ...]:
        with torch.no_grad():
            found = backward(ctx, *cotangents)
        if not torch.is_grad_enabled():
            return found
        tensors = [x for x in found if x is not None]
        last = iter(_Last.apply(torch.zeros((), requires_grad=True), *tensors))  # type: ignore[no-untyped-call, unused-ignore]
        return tuple(None if x is None else next(last) for x in found)

    return called


class _Last(torch.autograd.Function):  # type: ignore[misc, unused-ignore]
    @staticmethod
    def forward(ctx: Any, _: Any, *gradients: Any) -> Any:
        return tuple(x.view_as(x) for x in gradients)

    backward = staticmethod(refuse_second)
