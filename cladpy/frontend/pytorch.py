"""PyTorch's headers, for which cladpy's own stand (`custom_derivatives/torch_shim`): tensors as memory with a shape.

The real ones take a minute or two to read, and need Python's and a build of PyTorch for CUDA. Where a program's
conditions ask for what these define, its version above all, or where ours lack what the function needs, they are read
all the same, if the program's folders have them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from functools import cache

from cladpy.frontend.pieces import DIRECTIVE
from cladpy.resources import torch_shim_dir

_FOLDERS = "torch|ATen|c10|THC|THCUNN|caffe2|pybind11"
_INCLUDE = re.compile(rf'(?m)^[ \t]*#[ \t]*include[ \t]*["<](?:{_FOLDERS})/'.encode())
_CONDITION = re.compile(rb"[ \t]*#[ \t]*(?:if|elif|ifdef|ifndef|elifdef|elifndef)\b")
_DEFINED = re.compile(rb"\b(?:TORCH|PYTORCH|AT|ATEN|C10|CAFFE2|THC)_\w+")
_DEFINITION = re.compile(rb"(?m)^[ \t]*#[ \t]*define[ \t]+(\w+)")
_NAME = re.compile(rf"(?:{_FOLDERS})/")
_TELLING = ("torch/extension.h", "torch/torch.h", "ATen/ATen.h")


def may_stand(texts: Iterable[bytes], defined: Iterable[str] = ()) -> bool:
    """Whether a program includes PyTorch's headers, and what is compiled does not depend on what these alone define.

    Other macros are known: those that are `defined` by options, the program's own, as guards of its headers are, and
    those that cladpy's headers define as PyTorch's do.
    """
    found = list(texts)
    if not any(map(_INCLUDE.search, found)):
        return False
    asked = {
        name
        for text in found
        for d in DIRECTIVE.finditer(text)
        if _CONDITION.match(d[0])
        for name in _DEFINED.findall(d[0])
    }
    own = {name for text in found for name in _DEFINITION.findall(text)}
    return not asked - own - {name.encode() for name in defined} - (_of_headers() if asked else set())


@cache
def _of_headers() -> set[bytes]:
    files = sorted((torch_shim_dir() / "cladpy_torch").glob("*.h"))
    return {name for file in files for name in _DEFINITION.findall(file.read_bytes())}


def without_pytorch(folders: Sequence[str]) -> tuple[str, ...]:
    """The folders but for those that hold PyTorch's headers."""
    return tuple(f for f in folders if not any(os.path.isfile(os.path.join(f, name)) for name in _TELLING))


def is_pytorchs(name: str) -> bool:
    """Whether the name of a header is one of PyTorch's."""
    return _NAME.match(name) is not None
