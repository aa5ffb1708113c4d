"""What `cladpy doctor` prints: what is installed, which backends work, and how to get the rest."""

from __future__ import annotations

import platform
from importlib import metadata
from pathlib import Path

from cladpy.diagnostics import CladpyError, ToolchainError
from cladpy.frontend.libclang import library
from cladpy.frontend.native import REMEDY
from cladpy.options import BACKENDS
from cladpy.resources import cmake_dir, custom_derivatives_dir
from cladpy.runtime import Availability, availability, select_backend
from cladpy.toolchain.kokkos import find_kokkos
from cladpy.version import __version__


def rows() -> list[Availability]:
    """What was looked at: name, whether it is there, what was found, and how to get it."""
    return [_python(), _cladpy(), *_folders(), _libclang(), *availability(), _kokkos(), *_frameworks(), *_shown()]


def report() -> str:
    """The rows as text."""
    table = rows()
    width = max(len(name) for name, *_ in table)
    lines = []
    for name, good, detail, remedy in table:
        lines.append(f"{'ok     ' if good else 'missing'}  {name:<{width}}  {detail}".rstrip())
        if not good and remedy:
            lines.append(f"{'':9}{'':<{width}}  to get it: {remedy}")
    return "\n".join([*lines, "", *_backends()])


def _backends() -> list[str]:
    """What running a gradient with each backend would do here."""
    lines = []
    for backend in BACKENDS:
        try:
            chosen = select_backend(backend)
            lines.append(f"backend {backend:<5} works" + (f": {chosen}" if chosen != backend else ""))
        except CladpyError as error:
            first, *rest = str(error).splitlines()
            lines += [f"backend {backend:<5} does not: {first}", *(f"{'':15}{line}" for line in rest)]
    return lines


def _python() -> Availability:
    return Availability("python", True, f"{platform.python_version()} on {platform.system()} {platform.machine()}", "")


def _package(name: str, remedy: str) -> Availability:
    try:
        return Availability(name, True, metadata.version(name), "")
    except metadata.PackageNotFoundError:
        return Availability(name, False, "not installed as a package", remedy)


def _cladpy() -> Availability:
    """The installed package, and that it is the one which runs."""
    row = _package("cladpy", "pip install cladpy")
    if row.ok and row.detail != __version__:
        detail = f"{__version__} runs, at {Path(__file__).parent}, and {row.detail} is installed"
        return row._replace(ok=False, detail=detail, remedy="pip install --force-reinstall --no-deps cladpy")
    return row


def _folders() -> list[Availability]:
    """What generated code needs, and builds that run cladpy."""
    remedy = "pip install --force-reinstall cladpy"
    rows = []
    for name, folder in (("headers", custom_derivatives_dir), ("cmake modules", cmake_dir)):
        try:
            rows.append(Availability(name, True, str(folder()), ""))
        except CladpyError as error:
            rows.append(Availability(name, False, str(error), remedy))
    return rows


def _kokkos() -> Availability:
    """What programs for Kokkos run with: which it is, and its backends."""
    try:
        return Availability("Kokkos", True, find_kokkos().detail, "")
    except ToolchainError as error:
        first, _, hint = str(error).partition("\nhint: ")
        return Availability("Kokkos", False, first, hint)


def _frameworks() -> list[Availability]:
    """What operators can be made for."""
    rows = [_package(name, f"pip install 'cladpy[{name}]'") for name in ("torch", "jax")]
    return [row if row.ok else row._replace(detail=f"not installed: cladpy.{row.name} needs it") for row in rows]


def _shown() -> list[Availability]:
    """What pages and notebooks are made with."""
    return [_package("pygments", "pip install pygments"), _package("ipython", "pip install jupyterlab")]


def _libclang() -> Availability:
    """libclang-ng, and not beside `libclang`, which installs another `clang` package over it, nor after that has taken
    its files along."""
    row = _package("libclang-ng", REMEDY)
    if not row.ok:
        return row
    if _package("libclang", "").ok:
        return row._replace(ok=False, detail="installed beside 'libclang', which overwrites its files", remedy=REMEDY)
    try:
        library()
    except ToolchainError as error:
        return row._replace(ok=False, detail=f"{row.detail}, broken: {str(error).splitlines()[0]}", remedy=REMEDY)
    return row
