"""What a program gave before, as long as nothing that was read for it has changed.

`cladpy.gradient` remembers derivatives while the process lives, and keeps them in the compile cache, as the command
line keeps emitted text. A question is all that is given, with cladpy itself, the compiler that is asked for its macros,
and what the environment says. Its answer holds while every file that was read is what it was, and none is there that
would be found before one of them.
"""

from __future__ import annotations

import os
import pickle
import sys
from collections import OrderedDict
from collections.abc import Hashable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from cladpy.diagnostics import ToolchainError
from cladpy.toolchain import cache

if TYPE_CHECKING:
    from cladpy.derivative import Derivative

_Answer = TypeVar("_Answer")
_VARIABLES = (
    "PATH", "CXX", "CUDA_HOME", "CUDA_PATH", "ROCM_PATH", "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH",
    "CLADPY_CUDA_HEADERS", "CLADPY_HOST_FLAGS", "CLADPY_NVCC_FLAGS", "CLADPY_HIPCC_FLAGS", "NVCC_PREPEND_FLAGS",
    "NVCC_APPEND_FLAGS", "NVCC_CCBIN",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Files:
    """What was read, with digests, and names under which nothing was found."""

    read: tuple[tuple[str, str], ...]
    absent: tuple[str, ...]

    @staticmethod
    def of(derivative: Derivative) -> Files:
        """Those of a derivative, but for the main file, which is a part of the question."""
        program = derivative.program
        known = {path for path, _ in program.read} | {str(derivative.source.path)}
        others = list(cache.digest_of_files(path for path in program.includes if path not in known))
        return Files((*program.read, *zip(others[::2], others[1::2], strict=True)), program.absent)

    @property
    def are_unchanged(self) -> bool:
        """Whether they would be read again, and hold the same."""
        if any(map(os.path.exists, self.absent)):
            return False
        found = list(cache.digest_of_files(path for path, _ in self.read))[1::2]
        return all(digest == now for (_, digest), now in zip(self.read, found, strict=True))


class Memory(Generic[_Answer]):
    """The last answers of this process."""

    def __init__(self, most: int = 64) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, tuple[Files, _Answer]] = OrderedDict()

    def find(self, question: Hashable) -> _Answer | None:
        """The answer, if it still holds."""
        files, answer = self._kept.get(question, (None, None))
        if files is None or not files.are_unchanged:
            return None
        self._kept.move_to_end(question)
        return answer

    def keep(self, question: Hashable, files: Files, answer: _Answer) -> None:
        self._kept[question] = (files, answer)
        while len(self._kept) > self._most:
            self._kept.popitem(last=False)


derivatives: Memory[Derivative] = Memory()


def surroundings() -> tuple[str, ...]:
    """What an answer depends on beside the question and the files."""
    return (os.getcwd(), *(os.environ.get(name, "") for name in _VARIABLES))


def find_kept(question: Iterable[str], target: str) -> Any:
    """What `keep` was given for this question, if it still holds; else None."""
    try:
        kept = cache.look_up(_key(question, target))
        files, answer = pickle.loads(kept.read_bytes()) if kept is not None else (None, None)  # noqa: S301  as it was written
    except (ToolchainError, OSError):
        return None
    return answer if files is not None and files.are_unchanged else None


def keep(question: Iterable[str], target: str, files: Files, answer: object) -> None:
    """Writes an answer to the compile cache; where that cannot be, it is found again the next time."""
    with suppress(ToolchainError, OSError, RecursionError), cache.building() as folder:
        (folder / "answer").write_bytes(pickle.dumps((files, answer)))
        cache.store(_key(question, target), folder / "answer")


def _key(question: Iterable[str], target: str) -> str:
    from cladpy.toolchain.predefined import identity_of

    around = (str(sys.implementation.cache_tag), *surroundings(), *identity_of(target), *_own())
    return cache.digest_of(["answer", *question, target, *around])


def _own() -> list[str]:
    """What tells cladpy from another version, or from one that somebody has edited; and its clang."""
    from cladpy.frontend.native import native_folder
    from cladpy.resources import custom_derivatives_dir, templates_dir

    found = []
    folders = [Path(__file__).parent, templates_dir(), custom_derivatives_dir(), native_folder().parent]
    for folder in folders:
        for place, names, files in os.walk(folder):
            names[:] = sorted(n for n in names if n not in ("__pycache__", "resource"))
            for name in sorted(files):
                status = os.stat(os.path.join(place, name))
                found.append(f"{place}/{name} {status.st_mtime_ns} {status.st_size}")
    return found
