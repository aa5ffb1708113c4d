"""Inputs of operators, of which the backward pass knows all but the content."""

from __future__ import annotations

from typing import Any

import torch

from cladpy.diagnostics import LaunchError


class Unsaved(torch.Tensor):  # type: ignore[misc, unused-ignore]
    """An input whose content is not kept for the backward pass: callables may ask for its shape, type and place."""

    _name: str

    @classmethod
    def of(cls, x: Any, name: str) -> Any:
        unsaved = x.detach().as_subclass(cls)
        unsaved._name = name
        return unsaved

    @classmethod
    def __torch_function__(cls, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        name = function.__name__
        if name in ("__get__", "__set__"):
            name = function.__self__.__name__
        if name not in _ABOUT:
            raise LaunchError(
                f"a callable of an operator uses {name} of {args[0]._name}, whose content is not kept for the backward "
                "pass: args, grid, block, shared_mem and outputs may depend on shapes, types and devices of it\n"
                "hint: make what depends on its content an input"
            )
        with torch._C.DisableTorchFunctionSubclass():
            return function(*args, **(kwargs or {}))


_ABOUT = frozenset(
    [
        "shape",
        "dtype",
        "device",
        "layout",
        "ndim",
        "is_cuda",
        "is_cpu",
        "itemsize",
        "nbytes",
        "requires_grad",
        "is_sparse",
        "is_quantized",
        "is_meta",
        "size",
        "numel",
        "nelement",
        "dim",
        "ndimension",
        "element_size",
        "is_floating_point",
        "is_complex",
        "__len__",
        "get_device",
        "new_zeros",
        "new_ones",
        "new_empty",
        "new_full",
        "new_tensor",
        "zeros_like",
        "ones_like",
        "empty_like",
        "full_like",
        "rand_like",
        "randn_like",
        "randint_like",
    ]
)
