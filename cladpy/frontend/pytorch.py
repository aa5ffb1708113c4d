"""PyTorch's headers, for which cladpy's own stand (`custom_derivatives/torch_shim`): tensors as memory with a shape.

The real ones take a minute or two to read, and need Python's and a build of PyTorch for CUDA. Where a program's
conditions ask for what these define, its version above all, or where ours lack what the function needs, they are read
all the same, if the program's folders have them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence

from cladpy.frontend.pieces import DIRECTIVE

_FOLDERS = "torch|ATen|c10|THC|THCUNN|caffe2|pybind11"
_INCLUDE = re.compile(rf'(?m)^[ \t]*#[ \t]*include[ \t]*["<](?:{_FOLDERS})/'.encode())
_CONDITION = re.compile(rb"[ \t]*#[ \t]*(?:if|elif|ifdef|ifndef|elifdef|elifndef)\b")
_DEFINED = re.compile(rb"\b(?:TORCH|PYTORCH|AT|ATEN|C10|CAFFE2|THC)_\w+")
_NAME = re.compile(rf"(?:{_FOLDERS})/")
_TELLING = ("torch/extension.h", "torch/torch.h", "ATen/ATen.h")


def may_stand(texts: Iterable[bytes]) -> bool:
    """Whether a program includes PyTorch's headers, and what is compiled does not depend on what these define."""
    found = list(texts)
    return any(map(_INCLUDE.search, found)) and not any(
        _CONDITION.match(d[0]) and _DEFINED.search(d[0]) for text in found for d in DIRECTIVE.finditer(text)
    )


def without_pytorch(folders: Sequence[str]) -> tuple[str, ...]:
    """The folders but for those that hold PyTorch's headers."""
    return tuple(f for f in folders if not any(os.path.isfile(os.path.join(f, name)) for name in _TELLING))


def is_pytorchs(name: str) -> bool:
    """Whether the name of a header is one of PyTorch's."""
    return _NAME.match(name) is not None
