"""A derivative compiled for where it runs, and loaded."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from cladpy.derivative import Derivative
from cladpy.diagnostics import CompilationError, Span, ToolchainError
from cladpy.ir.surface import Omission
from cladpy.ir.symbols import FunctionKind
from cladpy.runtime.backends import on_devices
from cladpy.runtime.library import Library
from cladpy.runtime.module import ModuleLibrary
from cladpy.toolchain import compile_host
from cladpy.toolchain.cache import building, digest_of, digest_of_files, look_up, store
from cladpy.toolchain.discovery import find_host_compiler
from cladpy.toolchain.entry import device_unit, with_entry
from cladpy.toolchain.host import CHECKED_FLAGS
from cladpy.toolchain.nvrtc import compile_nvrtc
from cladpy.toolchain.openmp import openmp_flags
from cladpy.toolchain.predefined import identity_of, macros_of


def build_library(derivative: Derivative, arch: str | None = None, *, workers: bool = False) -> Library:
    """Compiles (or finds in the cache) and loads; for the host with or without `workers`. Raises ToolchainError, also
    where a file that the source includes is another by now than the gradient was made from."""
    _check_unchanged(derivative)
    library = _built(derivative, arch, workers)
    _check_unchanged(derivative)  # while it was being compiled
    return library


def _check_unchanged(derivative: Derivative) -> None:
    files = derivative.program.read
    read = [digest for _, digest in files]
    found = list(digest_of_files(path for path, _ in files))[1::2]
    for path in (path for (path, _), a, b in zip(files, read, found, strict=True) if a != b):
        raise ToolchainError(
            f"{path} has changed since the gradient of '{derivative.function_name}' was made from it\n"
            "hint: call cladpy.gradient again"
        )


def _built(derivative: Derivative, arch: str | None, workers: bool) -> Library:
    options = derivative.options
    openmp = openmp_flags(derivative.target) if derivative.program.openmp else ()
    renamed = [f"-D{name}={other}" for name, other in derivative.program.redefined]
    backend = on_devices().get(derivative.target)
    if backend is not None and backend.alone():
        return _module(derivative, arch)
    if backend is not None:
        path = backend.compile(
            with_entry(derivative),
            **_read(derivative),
            arch=options.arch or arch,
            extra_flags=openmp,
        )
    else:
        path = _built_of_what_is_asked_for(
            derivative,
            lambda smaller: compile_host(
                with_entry(smaller),
                **_read(derivative),
                workers=workers,
                optimize="-O0" if options.checked else "-O2",
                extra_flags=(
                    *renamed,
                    *(
                        _checked_flags(options.std, openmp)
                        if options.checked
                        else (*openmp, *(_flags_of_kernels(derivative) if workers else ()))
                    ),
                ),
            ),
        )
    return Library(path, has_state=bool(derivative.globals), has_gradient=bool(derivative.gradient_name))


def _read(derivative: Derivative) -> dict[str, Any]:
    """What each compiler is told of what it reads."""
    options = derivative.options
    return {
        "source": derivative.source,
        "dependencies": [*derivative.program.includes, *_custom_headers(options.custom_derivatives)],
        "std": options.std,
        "include_directories": derivative.program.include_dirs,
        "defines": options.defines,
    }


def _module(derivative: Derivative, arch: str | None) -> Library:
    """Code for devices alone, which goes by the same interface."""
    arch = derivative.options.arch or arch

    def compile(smaller: Derivative) -> Path:
        unit = device_unit(smaller)
        return compile_nvrtc(unit.text, list(unit.names.values()), **_read(derivative), arch=arch)

    path = _built_of_what_is_asked_for(derivative, compile)
    return ModuleLibrary(path, device_unit(derivative).names, derivative)


def _built_of_what_is_asked_for(derivative: Derivative, compile: Callable[[Derivative], Path]) -> Path:
    """Compiles the whole file; where a compiler of one side does not take the body of a function that nobody has asked
    for, without that, and where it does not take a declaration that is not needed, without that. What that was is kept
    for other processes, which need not ask again."""
    from cladpy.pipeline import without_parts  # only this asks for it

    key = digest_of(["left out", derivative.code, repr(derivative.options), *identity_of(derivative.target)])
    kept = _left_out_before(key) & set(derivative.program.unneeded)
    left_out = set(kept)
    refused: CompilationError | None = None
    while True:
        smaller = without_parts(derivative, left_out) if left_out else derivative
        try:
            path = compile(smaller)
            if left_out != kept:
                _keep_left_out(key, left_out)
            return path
        except CompilationError as error:
            refused = refused or error
            more = _unneeded_at(derivative, error.places, left_out)
            if not more:
                raise refused from None
            left_out |= more


def _left_out_before(key: str) -> set[Omission]:
    with suppress(ToolchainError, OSError):
        kept = look_up(key)
        return set(pickle.loads(kept.read_bytes())) if kept is not None else set()  # noqa: S301  as it was written
    return set()


def _keep_left_out(key: str, parts: set[Omission]) -> None:
    with suppress(ToolchainError, OSError), building() as folder:
        (folder / "parts").write_bytes(pickle.dumps(parts))
        store(key, folder / "parts")


def _unneeded_at(derivative: Derivative, places: Iterable[Span], known: set[Omission]) -> set[Omission]:
    """What nobody has asked for on some lines: bodies, and where there is none, declarations."""
    source = derivative.source
    lines: dict[str, set[int]] = {}
    for at in places:
        name = "" if at.file in (source.name, str(source.path)) else os.path.realpath(at.file)
        lines.setdefault(name, set()).add(at.line)
    found: set[Omission] = set()
    for path, wanted in lines.items():
        text = source.text.encode("utf-8", errors="surrogateescape") if not path else Path(path).read_bytes()
        parts = [p for p in derivative.program.unneeded if p.path == path and p not in known]
        spans = {p: range(text.count(b"\n", 0, p.start) + 1, text.count(b"\n", 0, p.end) + 2) for p in parts}
        for line in wanted:
            there = [p for p in parts if line in spans[p]]
            found.update([p for p in there if p.is_body] or there)
    return found


def _flags_of_kernels(derivative: Derivative) -> list[str]:
    """What lets loops over threads become ones of vectors: forms of functions, which pay where kernels are no more than
    such a loop, memory that keeps its type, and square roots that leave `errno` alone, where no host code is run."""
    flags = ["-DCLADPY_HOST_STRAIGHT"] if derivative.straight else []
    if derivative.keeps_types:
        flags.append("-fstrict-aliasing")
    kernel = derivative.kind is FunctionKind.KERNEL
    return [*flags, "-fno-math-errno", "-U__NO_MATH_ERRNO__"] if kernel else flags


def _checked_flags(std: str, openmp: tuple[str, ...]) -> list[str]:
    """Each access stays where it stands, on one thread, but the program is the one that was read: its macros are those
    of the usual effort."""
    known = macros_of("host", std, None, openmp).device
    names = ("__OPTIMIZE__", "__NO_INLINE__", "_OPENMP")
    flags = [f"-D{name}={known[name][1]}" if name in known else f"-U{name}" for name in names]
    linked = f"-Wl,--no-as-needed,-l{'omp' if find_host_compiler().is_clang else 'gomp'},--as-needed"
    return [*CHECKED_FLAGS, *flags, *([linked] if openmp else [])]


def _custom_headers(places: Sequence[str]) -> list[Path]:
    files: list[Path] = []
    for place in map(Path, places):
        files += sorted(p for p in place.rglob("*") if p.is_file()) if place.is_dir() else [place]
    return files
