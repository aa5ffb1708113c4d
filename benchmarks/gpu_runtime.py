"""The cuda backend on a real device: arrays of every kind, streams, contexts. Derivatives are written by hand.

usage: python benchmarks/gpu_runtime.py     (from the repository's root, on a machine with a GPU, nvcc and PyCUDA)

Prints a line per check; exit 0 only if all are right. PyTorch and CuPy are used where they are installed.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from cladpy.diagnostics import ArgumentTypeError, CladpyError
from cladpy.runtime import Gradient, availability, select_backend
from tests.runtime.derivatives import half, plane, product, scale

N = 1000


def expected() -> tuple[np.ndarray, np.ndarray, float]:
    x = np.linspace(0.0, 1.0, N)
    return 1 + 3.0 * np.full(N, 2.0), np.zeros(N), 5 + float((x * 2.0).sum())


def check_scale(
    to: Callable[[np.ndarray], object], back: Callable[[object], np.ndarray], stream: object = None
) -> None:
    """`to` makes an array of the kind to be checked of NumPy's, `back` waits for it and gives NumPy's."""
    gradient = Gradient(scale("cuda"), "cuda")
    x, y = to(np.linspace(0.0, 1.0, N)), to(np.zeros(N))
    dx, dy, dw = to(np.ones(N)), to(np.full(N, 2.0)), to(np.array([5.0]))
    gradient.primal.execute_kernel(8, 128, x, y, 3.0, N, stream=stream)
    gradient.execute_kernel(8, 128, x, y, 3.0, N, dx, dy, dw, stream=stream)
    want = expected()
    assert np.allclose(back(y), 3 * np.linspace(0.0, 1.0, N), rtol=1e-15)
    for got, wanted in zip((dx, dy, dw), want, strict=True):
        assert np.allclose(back(got), wanted, rtol=1e-13), (back(got)[:3], wanted)


def numpy_arrays() -> None:
    check_scale(np.copy, np.asarray)


def gpu_arrays() -> None:
    from cladpy.runtime.devices import driver, primary_context

    with primary_context(0):
        import pycuda.gpuarray as gpuarray

        stream = driver().Stream()
        check_scale(gpuarray.to_gpu, lambda a: a.get())  # type: ignore[attr-defined]

        def synchronized(a: object) -> np.ndarray:
            stream.synchronize()
            return a.get()  # type: ignore[attr-defined, no-any-return]

        check_scale(gpuarray.to_gpu, synchronized, stream)


def mixed_arrays() -> None:
    from cladpy.runtime.devices import primary_context

    with primary_context(0):
        import pycuda.gpuarray as gpuarray

        x, y = gpuarray.to_gpu(np.ones(4, np.float32)), np.ones(4, np.float32)
        Gradient(plane("cuda"), "cuda").execute_kernel(1, 4, x, y)
        assert (y == 2).all()


def torch_tensors() -> None:
    import torch

    check_scale(lambda a: torch.tensor(a, device="cuda"), lambda t: t.cpu().numpy())  # type: ignore[attr-defined]
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        check_scale(lambda a: torch.tensor(a, device="cuda"), lambda t: t.cpu().numpy(), stream)  # type: ignore[attr-defined]

    def back(tensor: object) -> np.ndarray:
        torch.cuda.synchronize()
        return tensor.cpu().numpy()  # type: ignore[attr-defined, no-any-return]

    # made on torch's current stream, used on another: the call waits for them
    check_scale(lambda a: torch.tensor(a, device="cuda"), back, torch.cuda.Stream())
    check_scale(torch.tensor, lambda t: t.numpy())  # type: ignore[attr-defined]
    weight = torch.ones(4, device="cuda", requires_grad=True)
    adjoint = torch.ones(4, device="cuda")
    Gradient(plane("cuda"), "cuda").execute_kernel(1, 4, weight, adjoint)
    assert (adjoint.cpu() == 2).all()
    assert float((torch.ones(8, device="cuda") * 2).sum()) == 16  # torch goes on as before


def cupy_arrays() -> None:
    import cupy

    check_scale(cupy.asarray, cupy.asnumpy)
    stream = cupy.cuda.Stream(non_blocking=True)

    def back(array: object) -> np.ndarray:
        stream.synchronize()
        return np.asarray(cupy.asnumpy(array))

    check_scale(cupy.asarray, back, stream)
    assert float((cupy.ones(8) * 2).sum()) == 16


def dlpack_only() -> None:
    import cupy

    class Packed:
        def __init__(self, array: object) -> None:
            self.array = array

        def __dlpack__(self, **options: object) -> object:
            return self.array.__dlpack__(**options)  # type: ignore[attr-defined]

        def __dlpack_device__(self) -> tuple[int, int]:
            return self.array.__dlpack_device__()  # type: ignore[attr-defined, no-any-return]

    check_scale(lambda a: Packed(cupy.asarray(a)), lambda p: cupy.asnumpy(p.array))  # type: ignore[attr-defined]


def functions() -> None:
    gradient = Gradient(product("cuda"), "cuda")
    da, db = np.zeros(1), np.zeros(1)
    assert gradient.primal.execute(3.0, 5.0) == 15.0
    gradient.execute(3.0, 5.0, da, db, cotangent=2.0)
    assert (da[0], db[0]) == (10.0, 6.0)
    gradient = Gradient(half("cuda"), "cuda")
    out, da, db = np.zeros(1, np.float32), np.zeros(1, np.float32), np.ones(1, np.float32)
    assert gradient.primal.execute(3.0, out) == 1.5 and out[0] == 3
    gradient.execute(3.0, out, da, db, cotangent=4.0)
    assert (da[0], db[0]) == (3.0, 0.0)


def errors() -> None:
    gradient = Gradient(plane("cuda"), "cuda")
    try:
        gradient.primal.execute_kernel(1, 4, np.ones(4))
    except ArgumentTypeError:
        pass
    else:
        raise AssertionError("a wrong dtype was taken")
    gradient.primal.execute_kernel((1, 2), 4, np.ones(8, np.float32), shared_mem=100 * 1024)


def foreign_context() -> None:
    from cladpy.runtime.devices import driver

    cuda = driver()
    context = cuda.Device(0).make_context()
    try:
        import pycuda.gpuarray as gpuarray

        a = gpuarray.to_gpu(np.ones(4, np.float32))
        try:
            Gradient(plane("cuda"), "cuda").primal.execute_kernel(1, 4, a)
        except ArgumentTypeError as error:
            assert "another CUDA context" in str(error)
        else:
            raise AssertionError("an array of another context was taken")
        assert (a.get() == 1).all()  # this context is current again
        del a
    finally:
        context.pop()
        context.detach()


CHECKS = (
    numpy_arrays,
    gpu_arrays,
    mixed_arrays,
    functions,
    errors,
    foreign_context,
    torch_tensors,
    cupy_arrays,
    dlpack_only,
    numpy_arrays,
)


def main() -> int:
    for line in availability():
        print(f"{line.name}: {line.detail}")
    assert select_backend("auto") == "cuda"
    wrong = 0
    for check in CHECKS:
        try:
            check()
            print(f"{check.__name__}: right")
        except ImportError as error:
            print(f"{check.__name__}: not run ({error})")
        except (CladpyError, AssertionError, Exception):
            wrong += 1
            print(f"{check.__name__}: WRONG")
            traceback.print_exc()
    print(f"{len(CHECKS) - wrong}/{len(CHECKS)} checks right or not run")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
