"""CUDA's functions of `__half` and `__nv_bfloat16`, out of the headers of the CUDA toolkit that nvcc belongs to.

    python -m tests.derivatives.half_declarations > tests/derivatives/cuda_half_api.txt

A line per declaration, as `__half __hadd(__half, __half)`. What moves data, between threads or to memory, is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from cladpy.frontend.toolkit import packages_include, toolkit_include

_DECLARATION = re.compile(
    r"^__CUDA\w*(?:DECL|FP16|BF16)\w*__ +(?P<result>[\w ]+?) (?P<name>\w+)\((?P<parameters>[^)]*)\)", re.MULTILINE
)
_MOVES = re.compile(r"__(shfl|ld[a-z]+$|st[a-z]+$)|atomicAdd")


def include_folder() -> Path | None:
    """Where CUDA's headers are."""
    folder = toolkit_include() or packages_include()
    return folder if folder is not None and (folder / "cuda_fp16.h").is_file() else None


def declarations(folder: Path) -> Iterator[str]:
    for header in ("cuda_fp16.h", "cuda_bf16.h"):
        for match in _DECLARATION.finditer((folder / header).read_text(errors="replace")):
            if not _MOVES.match(match["name"]):
                types = ", ".join(_type(p) for p in match["parameters"].split(","))
                yield f"{match['result']} {match['name']}({types})"


def _type(parameter: str) -> str:
    """The type of a parameter, whose name is the last word."""
    return " ".join(w for w in parameter.split()[:-1] if w != "const")


if __name__ == "__main__":
    found = include_folder()
    assert found is not None
    for line in sorted(set(declarations(found)), key=lambda d: (d.partition("(")[0].split()[-1], d)):
        print(line)
