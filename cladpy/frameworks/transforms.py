"""What calls of an operator go through beside autograd: the transformations of `torch.func`, and what traces."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch.autograd import forward_ad

_PLAIN = (torch.Tensor, torch.nn.Parameter)  # classes that derive from these may answer in ways of theirs


def is_alone(tensors: Sequence[Any]) -> bool:
    """Whether nothing but autograd looks at a call with these: then a function of its own serves, which costs a part of
    what the dispatch of a custom operator does."""
    for x in tensors:  # as a loop, since each call asks
        if type(x) not in _PLAIN:
            return False
    return (
        not torch.compiler.is_compiling()
        and not torch._C._len_torch_dispatch_stack()
        and not torch._C._len_torch_function_stack()
        and not torch._C._are_functorch_transforms_active()
        and not torch._C._is_any_autocast_enabled()
        and torch._C._get_tracing_state() is None
        and forward_ad._current_level < 0
    )


def have_tangents(tensors: Sequence[Any]) -> bool:
    """Whether forward mode would go on here: custom operators let go of tangents without a word."""
    if torch.compiler.is_compiling() or is_transforming() or forward_ad._current_level < 0:
        return False
    unpacked: Any = forward_ad.unpack_dual
    return any(isinstance(x, torch.Tensor) and unpacked(x).tangent is not None for x in tensors)


def is_transforming() -> bool:
    """Whether a transformation of `torch.func` runs the call."""
    return not torch.compiler.is_compiling() and bool(torch._C._are_functorch_transforms_active())


def for_transforms(call: Any, keep: Any, backward: Any, jvp: Any) -> Any:
    """An operator for the transformations of `torch.func`, to which the derivatives of custom operators are not known:
    they want a class."""
    members = {
        "forward": lambda *values: call(*values),
        "setup_context": lambda ctx, inputs, output: keep(ctx, inputs, output),
        "backward": lambda ctx, *cotangents: backward(ctx, *cotangents),
        "jvp": lambda ctx, *tangents: jvp(ctx, *tangents),
        # a transformation around the loop goes on seeing the class
        "vmap": lambda info, in_dims, *values: one_by_one(
            made.apply if is_transforming() else call, info, in_dims, *values
        ),
    }
    made: Any = type("Function", (torch.autograd.Function,), {name: staticmethod(f) for name, f in members.items()})
    return made


def for_autograd(call: Any, keep: Any, backward: Any) -> Any:
    """An operator for autograd alone. Its inputs are kept where it is called, which costs less than in a method of its
    own, since PyTorch looks at the signature of that in each call."""

    def forward(ctx: Any, *inputs: Any) -> Any:
        output = call(*inputs)
        keep(ctx, inputs, output)
        return output

    members = {"forward": forward, "backward": lambda ctx, *cotangents: backward(ctx, *cotangents)}
    return type("Function", (torch.autograd.Function,), {name: staticmethod(f) for name, f in members.items()})


def one_by_one(call: Any, info: Any, in_dims: Sequence[Any], *values: Any) -> tuple[Any, Any]:
    """`vmap`, by a loop."""

    def part(value: Any, dim: Any, k: int) -> Any:
        return value.select(dim, k) if isinstance(value, torch.Tensor) and dim is not None else value

    found = [call(*(part(v, d, k) for v, d in zip(values, in_dims, strict=True))) for k in range(info.batch_size)]
    if isinstance(found[0], torch.Tensor):
        return torch.stack(found), 0
    return tuple(map(torch.stack, zip(*found, strict=True))), (0,) * len(found[0])
