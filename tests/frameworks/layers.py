"""The kernels and functions of operators.cu as operators of PyTorch's, on whatever device the tensors are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch

import cladpy

SOURCE = Path(__file__).with_name("operators.cu").read_text()
op: Any = cladpy.torch.op


def blocks(*inputs: Any) -> int:
    return int((inputs[-1].numel() + 31) // 32)


LAYER_NORM = op(
    SOURCE,
    "layer_norm",
    inputs=["x", "weight", "bias"],
    outputs={"y": "x"},
    args=lambda x, weight, bias: {"n": x.shape[-1], "eps": 1e-5},
    grid=lambda x, weight, bias: x.numel() // x.shape[-1],
    block=32,
    shared_mem=lambda x, weight, bias: 32 * x.element_size(),
)
SOFTMAX = op(
    SOURCE,
    "softmax",
    inputs="x",
    outputs={"y": "x"},
    args=lambda x: {"rows": x.shape[0], "n": x.shape[1]},
    grid=lambda x: (x.shape[0] + 31) // 32,
    block=32,
)
GELU = op(SOURCE, "gelu", inputs="x", outputs={"y": "x"}, args=lambda x: {"n": x.numel()}, grid=blocks, block=32)
MIXED = op(
    SOURCE,
    "mixed",
    inputs=["a", "x", "table"],
    outputs={
        "y": lambda a, x, table: x.new_zeros(table.shape),
        "z": lambda a, x, table: x.new_full(table.shape, 2.0),
        "signs": lambda a, x, table: x.new_zeros(table.shape, dtype=torch.int32),
    },
    args=lambda a, x, table: {"n": table.numel()},
    grid=blocks,
    block=32,
    name="tests::mixed",
)
IN_PLACE = op(
    SOURCE, "in_place", inputs="x", outputs={"x": "x"}, args=lambda x: {"n": x.numel()}, grid=blocks, block=32
)
SHIFTED = op(
    SOURCE,
    "shifted",
    inputs=["x", "by", "scale"],
    outputs={"y": "x"},
    args=lambda x, by, scale: {"n": x.numel()},
    grid=blocks,
    block=32,
)
PROGRAM = op(SOURCE, "program", inputs="x", outputs={"y": "x"}, args=lambda x: {"n": x.numel()})
MISFIT = op(SOURCE, "misfit", inputs=["x", "wanted"], outputs={"return": "x"}, args=lambda x, wanted: {"n": x.numel()})
