"""What gradients are emitted for. Stages ask a target for what they want to know; none compares names.

What runs a target's libraries is said in `runtime/backends.py`, who compiles them in `toolchain/predefined.py`.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Target:
    """`folders` are those of the header library that emitted code includes from, in order; `api` is what names of the
    runtime's functions begin with."""

    name: str
    folders: tuple[str, ...]
    api: str = "cuda"
    runs_on_device: bool = True
    has_warps_of_its_own: bool = False  # of another size than CUDA's
    # What the front end gives clang: in any case, where CUDA's own headers are not read, and for the host's side.
    read_with: tuple[str, ...] = ()
    read_with_declarations: tuple[str, ...] = ()
    read_with_on_host: tuple[str, ...] = ()
    openmp: tuple[str, ...] = ()  # what makes its compiler mind OpenMP's directives; empty where it cannot
    is_portable: bool = False  # whether kernels are loops of a library, which says how they run: no warps, no blocks

    @property
    def tape_grows(self) -> bool:
        """Whether a tape is on the heap where its length is not known; else it is in a workspace."""
        return not self.runs_on_device

    @property
    def is_one_program(self) -> bool:
        """Whether one compiler makes one program of a whole file, of what is for kernels and of what is not."""
        return not self.runs_on_device and not self.is_portable

    @property
    def has_workers(self) -> bool:
        """Whether threads of the operating system run kernels, which the race check can ask about accesses."""
        return not self.runs_on_device and not self.is_portable

    @property
    def unit_template(self) -> str:
        return f"unit.{self.name}.j2"

    @property
    def entry_template(self) -> str:
        if self.is_portable:
            return f"entry.{self.name}.j2"
        return "entry.gpu.j2" if self.runs_on_device else "entry.host.j2"


_ALL = (
    Target("cuda", ("", "cuda_shim"), openmp=("-Xcompiler", "-fopenmp")),
    Target(
        "hip",
        ("hip_shim", ""),
        api="hip",
        has_warps_of_its_own=True,
        # What hipcc defines, and what it does not; CUDA's own headers do not go without it.
        read_with=(
            *(f"-D{name}=1" for name in ("__HIP__", "__HIPCC__", "__HIP_PLATFORM_AMD__", "__HIP_PLATFORM_HCC__")),
            "-D__HIP_DEVICE_COMPILE__=1",
        ),
        read_with_declarations=("-U__CUDA_ARCH__",),
        read_with_on_host=("-U__HIP_DEVICE_COMPILE__",),
    ),
    Target(
        "host",
        ("host_shim", "thrust_host", "groups", "thrust_shim", "library_shim", "cuda_shim", ""),
        runs_on_device=False,
        openmp=("-fopenmp",),
    ),
    Target("kokkos", (), runs_on_device=False, is_portable=True, read_with=("-DCLADPY_FOR_KOKKOS",)),
)
TARGETS = {target.name: target for target in _ALL}
