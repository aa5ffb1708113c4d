"""What clang is given: the user's files as they were read once, with the compiler's macros, options and headers."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from cladpy.frontend.directives import READ_WITH, Directives
from cladpy.frontend.files import Files
from cladpy.frontend.kokkos import without_kokkos
from cladpy.frontend.launches import join_brackets
from cladpy.frontend.limits import limits
from cladpy.frontend.macros import Translated, told_apart, translated
from cladpy.frontend.native import native_folder
from cladpy.frontend.preamble import read_behind
from cladpy.frontend.pytorch import may_stand, without_pytorch
from cladpy.frontend.redefined import renaming
from cladpy.frontend.snapshot import Snapshot
from cladpy.frontend.toolkit import Headers
from cladpy.frontend.unit import KEEP_GOING, Message, TranslationUnit, predefined
from cladpy.options import Options
from cladpy.resources import custom_derivatives_dir, kokkos_shim_dir, torch_shim_dir
from cladpy.source import Source
from cladpy.targets import Target
from cladpy.toolchain.openmp import has_directives, openmp_flags
from cladpy.toolchain.predefined import macros_of

_SIDES = (b"__CUDA_ARCH__", b"__HIP_DEVICE_COMPILE__")
_DEFAULT_ARCH = "sm_90"
_BRACKETS = 512  # more would overflow the stack that libclang gives its parser
_IS_READ = "-DCLADPY_IS_READ"  # leaves out of headers that are brought what is not followed
_SHIPPED = str(Path(__file__).parent / "headers")
_DEFINITIONS = str(Path(__file__).parent / "headers" / "cladpy_defined_by_compiler.h")  # no file: see `macros`
_NAMES_AGAIN = str(Path(__file__).parent / "headers" / "cladpy_names_again.h")  # no file: see `redefined`


class Given:
    """One source with its options, and what is appended to it; `brought` are headers of cladpy's own in front,
    `redefined` names of its declarations that the program has for something of its own."""

    def __init__(
        self,
        source: Source,
        options: Options,
        target: Target,
        appended: str,
        snapshot: Snapshot | None = None,
        brought: tuple[str, ...] = (),
        real_pytorch: bool = False,
        redefined: tuple[str, ...] = (),
    ) -> None:
        self.source = source
        self.options = options
        self.target = target
        self.brought = brought
        self.redefined = redefined
        self.text = source.text.encode("utf-8", errors="surrogateescape")
        self.path = str(source.path) if source.path is not None else os.path.join(os.getcwd(), source.name)
        self.copy = join_brackets(self.text) + appended.encode("utf-8", errors="surrogateescape")
        folders = without_kokkos(options.include_dirs)
        others = without_pytorch(folders)
        self.has_pytorch = others != folders
        if snapshot is None:
            snapshot = Snapshot.of(self.path, self.copy, folders if real_pytorch else others)
            if not real_pytorch and not may_stand(snapshot.texts.values(), (d[0] for d in options.defines)):
                real_pytorch = True
                snapshot = Snapshot.of(self.path, self.copy, folders)
        self.stands_for_pytorch = not real_pytorch
        self._include_dirs = folders if real_pytorch else others
        self.snapshot = snapshot.with_main(self.copy)
        self._minds_openmp = options.openmp != "off"
        minded = self._minds_openmp and has_directives(self.snapshot.texts.values())
        self.openmp = openmp_flags(target.name) if minded else ()
        self._macros = macros_of(target.name, options.std, options.arch, self.openmp)
        self._translated: dict[bool, Translated] = {}
        self.has_one_side = False  # once a program for the host, which is compiled once, turns out to run kernels
        self.files: dict[str, str] = {}  # what any parse has read, by its real path: the first name it was read by

    @property
    def include_dirs(self) -> tuple[str, ...]:
        """What the program is compiled with."""
        return (*self._include_dirs, *([str(torch_shim_dir())] if self.stands_for_pytorch else []))

    def parsed(self, headers: Headers, is_host: bool, units: ExitStack, more: tuple[str, ...] = ()) -> TranslationUnit:
        """The program as clang reads it, with what the snapshot holds of the user's files; `more` are options."""
        while True:
            unit = self.unit(headers, is_host, self.translated(is_host).texts, more)
            if not self.snapshot.add(unit.inclusions()):
                return units.enter_context(unit)
            self._translated.clear()
            unit.close()

    def unit(
        self,
        headers: Headers,
        is_host: bool,
        texts: Mapping[str, bytes],
        more: tuple[str, ...] = (),
        options: int = KEEP_GOING,
    ) -> TranslationUnit:
        """What clang makes of the user's files where they hold these texts."""
        own = {**dict(headers.replaced), _DEFINITIONS: self.translated(is_host).definitions + self._warp_size()}
        arguments = ["-include", _DEFINITIONS, *self._arguments(headers, is_host), *more]
        if self.redefined:
            own[_DEFINITIONS] += "".join(f"#define {n} {other}\n" for n, other in renaming(self.redefined)).encode()
            own[_NAMES_AGAIN] = "".join(f"#undef {n}\n" for n in self.redefined).encode()
            arguments += ["-include", _NAMES_AGAIN]
        arguments += [a for name in self.brought for a in ("-include", str(custom_derivatives_dir() / name))]
        arguments += [_IS_READ] if self.brought else ()
        most = limits(self.text, headers)
        found = None
        if options == KEEP_GOING:
            found = read_behind(self.path, arguments, texts, own, self._include_dirs, most)
        return found or TranslationUnit(self.path, arguments, {**texts, **own}, most, options)

    def translated(self, is_host: bool) -> Translated:
        """The user's files with other names for what the compiler defines in another way than clang."""
        is_host = is_host and not self.has_one_side
        if is_host not in self._translated:
            plain = tuple(self._own_arguments(is_host))
            self._translated[is_host] = translated(
                self.snapshot.texts,
                self._macros.host if is_host else self._macros.device,
                lambda: predefined(plain),
                [name.partition("(")[0] for name, _ in self.options.defines],
                self._macros,
            )
        return self._translated[is_host]

    def settled(self, is_host: bool) -> set[str]:
        """The macros that are defined where the program begins, whatever declarations it is read with."""
        of_compiler = self._macros.host if is_host else self._macros.device
        return {*of_compiler, *(name.partition("(")[0] for name, _ in self.options.defines)}

    def directives(self, files: Files, headers: Headers, units: ExitStack) -> Directives:
        """What OpenMP's directives say, in host code. A device's compiler has none."""
        given = [f"{name}={value or 1}" for name, value in self.options.defines]
        minded = tuple(flag for name, flag in READ_WITH.items() if name != "omp" or self._minds_openmp)
        return Directives(
            files, self.snapshot, given, lambda: self.parsed(headers, True, units, minded), self._minds_openmp
        )

    def as_written(self, message: Message, is_host: bool) -> Message:
        """A message of clang's with the names that the user wrote."""
        given = self.translated(is_host)
        notes = tuple(replace(n, text=given.original(n.text)) for n in message.notes)
        fixes = tuple(replace(f, text=given.original(f.text)) for f in message.fixes)
        return replace(message, text=given.original(message.text), notes=notes, fixes=fixes)

    def tells_sides_apart(self) -> bool:
        """Whether the host and the device may see different programs."""
        if not self._macros.device:  # there is no compiler that could say
            return any(side in text for text in self.snapshot.texts.values() for side in _SIDES)
        host, device = (self._macros.host, self._macros.device)
        names = (n for n in {*host, *device} if host.get(n) != device.get(n))
        return told_apart(self.snapshot.texts.values(), names)

    def contents(self, path: str) -> bytes:
        found = self.snapshot.text(path)
        try:
            return found if found is not None else Path(path).read_bytes()
        except OSError:
            return b""

    def note_files(self, unit: TranslationUnit) -> None:
        """Keeps names as they were looked for, since a link may lead elsewhere by the next run; but not where they go
        up from a link's target, which build systems do not understand."""
        for name in unit.inclusions():
            real, plain = os.path.realpath(name), os.path.abspath(name)
            self.files.setdefault(real, plain if os.path.realpath(plain) == real else real)

    def included(self) -> list[str]:
        """The user's and the system's files that were read: not those that cladpy or libclang brings."""
        others = [name for real, name in self.files.items() if real != self.path and not is_own(real)]
        return [self.path, *others] if self.source.path is not None else others

    def is_of_user(self, name: str | None) -> bool:
        return name is not None and name in self.snapshot.texts

    def _warp_size(self) -> bytes:
        """Where a program for CUDA is emitted for HIP, the size of a warp is a number."""
        is_for_cuda = not any(b"hip_runtime.h" in text for text in self.snapshot.texts.values())
        return b"#define CLADPY_WARP_SIZE 32\n" if self.target.has_warps_of_its_own and is_for_cuda else b""

    def _own_arguments(self, is_host: bool) -> list[str]:
        """What decides which macros clang defines by itself."""
        arch = self.options.arch or _DEFAULT_ARCH
        if not arch.startswith("sm_"):
            arch = _DEFAULT_ARCH
        resource = str(native_folder() / "resource")
        arguments = ["-x", "cuda", "--cuda-host-only" if is_host else "--cuda-device-only", f"--cuda-gpu-arch={arch}"]
        return [*arguments, "-nocudainc", "-nocudalib", "-resource-dir", resource, f"-std={self.options.std}", "-w"]

    def _arguments(self, headers: Headers, is_host: bool) -> list[str]:
        arguments = self._own_arguments(is_host)
        arguments += [f"-fbracket-depth={_BRACKETS}", "-ferror-limit=0", "-ftemplate-depth=1024"]
        arguments += ["-Wno-register", "-Wno-c++11-narrowing"]  # of these nvcc warns
        arguments += self.target.read_with_declarations if headers.route == "declarations" else ()
        arguments += [*self.target.read_with, *(self.target.read_with_on_host if is_host else ())]
        arguments += [f"-D{name}={value}" if value else f"-D{name}" for name, value in self.options.defines]
        arguments += [f"-I{folder}" for folder in self._include_dirs]
        stand_in = ["-isystem", str(torch_shim_dir())] if self.stands_for_pytorch else []
        return [*arguments, "-isystem", str(kokkos_shim_dir()), *stand_in, *headers.arguments]


def is_own(name: str) -> bool:
    """Whether a file is one that cladpy or libclang brings."""
    own = (_SHIPPED + os.sep, str(native_folder()) + os.sep, str(custom_derivatives_dir()) + os.sep)
    return os.path.realpath(name).startswith(own)
