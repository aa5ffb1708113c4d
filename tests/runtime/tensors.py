"""A stand-in for PyTorch's tensors."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np


class Tensor:
    """What the runtime asks of PyTorch's class, which the tests do without."""

    def __init__(
        self, array: np.ndarray, *, is_neg: bool = False, device: str = "cpu", index: int | None = None
    ) -> None:
        self.array, self._is_neg = array, is_neg
        self.dtype: object = {"float32": "torch.float32", "float64": "torch.float64"}[array.dtype.name]
        self.layout, self.shape = "strided", array.shape
        self.device = SimpleNamespace(type=device, index=index)

    def is_contiguous(self) -> bool:
        return bool(self.array.flags.c_contiguous)

    def is_conj(self) -> bool:
        return False

    def is_neg(self) -> bool:
        return self._is_neg

    def data_ptr(self) -> int:
        return self.array.ctypes.data


Tensor.__module__ = "torch"
