"""The choice of a backend, and what `cladpy doctor` is told."""

from __future__ import annotations

import pytest

import cladpy
from cladpy.diagnostics import ArgumentTypeError, BackendError, ToolchainError, UsageError
from cladpy.runtime import availability, backends, hip_api, select_backend
from cladpy.runtime.streams import stream_handle
from cladpy.toolchain.discovery import Tool


def no_nvcc() -> None:
    raise ToolchainError("nvcc is not here\nhint: get it")


def no_nvrtc() -> None:
    raise ToolchainError("NVRTC is not here\nhint: get that")


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """A machine without CUDA, and without a GPU for HIP."""
    monkeypatch.setattr(backends, "hip_device_names", list)
    monkeypatch.setattr(backends, "find_nvcc", no_nvcc)
    monkeypatch.setattr(backends, "find_nvrtc", no_nvrtc)
    monkeypatch.setattr(backends, "pycuda_version", lambda: None)
    monkeypatch.setattr(backends, "bindings_version", lambda: None)
    return monkeypatch


@pytest.fixture
def equipped(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """A machine with CUDA, its compiler and PyCUDA."""
    monkeypatch.setattr(backends, "find_nvcc", lambda: Tool("/cuda/bin/nvcc", "Cuda compilation tools, release 13.0"))
    monkeypatch.setattr(backends, "pycuda_version", lambda: "2026.1")
    monkeypatch.setattr(backends, "device_names", lambda: ["NVIDIA H200"])
    return monkeypatch


@pytest.mark.usefixtures("bare")
def test_without_cuda() -> None:
    assert select_backend("auto") == "host"
    assert select_backend("host") == "host"
    with pytest.raises(BackendError) as caught:
        select_backend("cuda")
    text = str(caught.value)
    assert "neither PyCUDA nor cuda-bindings is installed\nhint: pip install cuda-bindings (or cladpy[cuda])" in text
    assert "nvcc is not here\nhint: get it" in text


@pytest.mark.usefixtures("equipped")
def test_with_cuda() -> None:
    assert select_backend("auto") == "cuda"
    assert select_backend("cuda") == "cuda"
    assert select_backend("host") == "host"


def test_without_a_device(equipped: pytest.MonkeyPatch) -> None:
    equipped.setattr(backends, "device_names", list)
    assert select_backend("auto") == "host"
    with pytest.raises(BackendError, match="no CUDA device was found"):
        select_backend("cuda")


def test_without_an_amd_gpu(bare: pytest.MonkeyPatch) -> None:
    bare.setattr(backends, "hip_device_names", list)
    bare.setattr(backends, "find_hipcc", lambda: Tool("/usr/bin/hipcc", "HIP version: 6.4.1"))
    with pytest.raises(BackendError) as caught:
        select_backend("hip")
    text = str(caught.value)
    assert text.startswith("the hip backend is not available here: no AMD GPU was found\nhint: gradients can be")
    assert "hipcc was not found" not in text
    assert select_backend("auto") == "host"
    assert availability()[-1] == ("HIP device", False, "none found", "a machine with an AMD GPU and its driver")


def test_without_hips_runtime(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hip_api, "_NAMES", ("libno_such_runtime.so",))
    monkeypatch.setattr(hip_api, "_loaded", list)
    monkeypatch.setenv("ROCM_PATH", "/no/such/folder")
    hip_api.hip_runtime.cache_clear()
    try:
        with pytest.raises(BackendError, match=r"HIP's runtime, libamdhip64, was not found\nhint: install ROCm's"):
            select_backend("hip")
        line = availability()[-1]
    finally:
        hip_api.hip_runtime.cache_clear()
    assert line.name == "HIP device" and line.remedy.startswith("install ROCm's runtime")


def test_with_an_amd_gpu(bare: pytest.MonkeyPatch) -> None:
    bare.setattr(backends, "hip_device_names", lambda: ["AMD Instinct MI250X"])
    bare.setattr(backends, "find_hipcc", lambda: Tool("/usr/bin/hipcc", "HIP version: 6.4.1"))
    assert select_backend("hip") == "hip" and select_backend("auto") == "hip"
    assert availability()[-1][1:3] == (True, "AMD Instinct MI250X")


def test_unknown_backend() -> None:
    with pytest.raises(UsageError, match="backend must be one of auto, cuda, hip, host, kokkos, not 'metal'"):
        select_backend("metal")


@pytest.mark.usefixtures("bare")
def test_availability() -> None:
    lines = {line.name: line for line in availability()}
    of_cuda = ["nvcc", "NVRTC", "PyCUDA", "cuda-bindings", "CUDA is used by", "CUDA device"]
    assert list(lines) == ["host C++ compiler", *of_cuda, "hipcc", "HIP device"]
    assert lines["host C++ compiler"].ok
    assert lines["CUDA is used by"] == ("CUDA is used by", False, "nvcc is not here", "pip install 'cladpy[cuda]'")
    assert lines["nvcc"] == ("nvcc", False, "nvcc is not here", "get it")
    assert not lines["CUDA device"].ok and lines["CUDA device"].remedy


@pytest.mark.usefixtures("equipped")
def test_availability_of_a_device() -> None:
    lines = {line.name: line for line in availability()}
    assert lines["nvcc"][1:3] == (True, "13.0 at /cuda/bin/nvcc")
    assert lines["CUDA device"][1:3] == (True, "NVIDIA H200")
    assert lines["PyCUDA"][1:3] == (True, "2026.1")
    assert lines["CUDA is used by"][1:3] == (True, "PyCUDA, compiled by nvcc")


def test_without_nvcc_and_pycuda(bare: pytest.MonkeyPatch) -> None:
    """NVRTC and NVIDIA's bindings do."""
    bare.setattr(backends, "find_nvrtc", lambda: Tool("/nvrtc/libnvrtc.so.13", "NVRTC, release 13.0"))
    bare.setattr(backends, "bindings_version", lambda: "13.0.3")
    bare.setattr(backends, "bindings_device_names", lambda: ["NVIDIA H200"])
    assert select_backend("auto") == "cuda" and backends.on_devices()["cuda"].alone()
    lines = {line.name: line for line in availability()}
    assert lines["CUDA is used by"][1:3] == (True, "cuda-bindings, compiled by NVRTC: kernels and device functions")
    assert lines["CUDA device"][1:3] == (True, "NVIDIA H200")
    assert lines["NVRTC"][1:3] == (True, "13.0 at /nvrtc/libnvrtc.so.13")
    # what it does not compile runs where it did before
    assert cladpy.gradient("double f(double x) { return x * x; }", "f").backend == "host"


def test_nvcc_without_a_compiler_for_the_host(equipped: pytest.MonkeyPatch) -> None:
    equipped.setattr(backends, "find_nvrtc", lambda: Tool("/nvrtc/libnvrtc.so.13", "NVRTC, release 13.0"))
    equipped.setattr(backends, "find_host_compiler", no_nvcc)
    assert backends.cuda_compiler() == "nvrtc"
    equipped.setattr(backends, "find_nvrtc", no_nvrtc)
    with pytest.raises(ToolchainError, match="nvcc is not here"):
        backends.cuda_compiler()


@pytest.mark.usefixtures("equipped")
def test_what_the_environment_asks_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backends, "find_nvrtc", lambda: Tool("/nvrtc/libnvrtc.so.13", "NVRTC, release 13.0"))
    monkeypatch.setattr(backends, "bindings_version", lambda: None)
    monkeypatch.setenv("CLADPY_CUDA_COMPILER", "nvrtc")
    assert backends.cuda_compiler() == "nvrtc"
    monkeypatch.setenv("CLADPY_CUDA_COMPILER", "gcc")
    with pytest.raises(UsageError, match="CLADPY_CUDA_COMPILER must be nvcc or nvrtc, not 'gcc'"):
        backends.cuda_compiler()
    monkeypatch.setenv("CLADPY_CUDA_RUNTIME", "bindings")
    with pytest.raises(BackendError, match=r"^cuda-bindings is not installed\nhint: pip install cuda-bindings"):
        backends.cuda_runtime()


def test_streams() -> None:
    class Handle:
        handle = 5

    class Pointer:
        ptr = 6

    class Torch:
        cuda_stream = 7

    class Protocol:
        def __cuda_stream__(self) -> tuple[int, int]:
            return 0, 8

    assert [stream_handle(s) for s in (None, 4, Handle(), Pointer(), Torch(), Protocol())] == [0, 4, 5, 6, 7, 8]
    for wrong in (-1, True, "stream", 1.5):
        with pytest.raises(ArgumentTypeError, match="stream"):
            stream_handle(wrong)
