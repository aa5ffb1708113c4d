"""What is differentiated in talk.cu."""

from __future__ import annotations

from tests.kernels.case import Case, N, X, Y
from tests.kernels.making import real, zeros

CASES = (
    Case("talk", "kernel", "a", (real(1),), 1, 1),
    Case("talk", "add_kernel_4", "in, out", (zeros(70), real(70), 70)),
    Case("talk", "kernel_with_device_call", "out, val", (zeros(32), real(32), 0.7), 1),
    Case("talk", "kernel_with_device_call", "out, in, val", (zeros(32), real(32), 0.7), 1, label="all"),
    Case("talk", "kernel_with_device_call_2", "out, in", (zeros(32), real(32), real(1)), 1),
    Case("talk", "kernel_with_device_call_2", "out, val", (zeros(32), real(32), real(1)), 1, label="val"),
    Case("talk", "kernel_with_device_call_2", "out, in, val", (zeros(32), real(32), real(1)), 1, label="all"),
    Case("talk", "kernel_with_nested_device_call", "out, in, val", (zeros(32), real(32), real(1)), 1),
    Case("talk", "copy_kernel", "out, in", (Y, X, N)),
)
