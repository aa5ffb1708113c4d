"""The CUDA Math API, out of the headers of the CUDA toolkit that nvcc belongs to.

    python -m tests.derivatives.declarations > tests/derivatives/cuda_math_api.txt

A line per declaration, as `double fma(double, double, double)`. nvcc's own preprocessor decides what is declared.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

# Where the API's functions are declared.
HEADERS = (
    "crt/math_functions.h",
    "crt/math_functions.hpp",
    "crt/device_functions.h",
    "crt/device_double_functions.h",
    "sm_20_intrinsics.h",
    "sm_32_intrinsics.h",
    "sm_61_intrinsics.h",
    "crt/sm_100_rt.h",
)
# What else these headers declare: synchronisation, votes, loads and stores through a cache, address spaces, traps, and
# helpers of the headers themselves.
OTHERS = re.compile(
    r"(__)?syncthreads|__(threadfence|ballot|any|all|pm\d|prof_|brkpt|trap|ld[a-z]+$|st[a-z]+$|is[A-Z]|cvta_|cuda|nv_)|clock|powif?$"
)
_MARKER = re.compile(r'^# \d+ "([^"]*)"')
_DECLARATION = re.compile(r"^(?P<result>[\w ]+?) (?P<name>\w+) ?\((?P<parameters>[^()]*)\)$")
_NOISE = re.compile(
    r"__attribute__ ?\(\([^()]*(?:\([^()]*\))?[^()]*\)\)|\bnoexcept\b(?:\s*\(\s*true\s*\))?|\bthrow\s*\(\s*\)"
    r'|\b(?:extern|static|inline|__inline__|__inline|__cdecl|constexpr)\b|"C(?:\+\+)?"'
)


def preprocessed() -> str:
    """The toolkit's runtime header, as nvcc's device compiler sees it on an architecture that has everything."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "all.cu")
        source.write_text("#include <cuda_runtime.h>\n")
        command = ["nvcc", "-std=c++17", "-arch=sm_100", "-E", str(source)]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def declarations(text: str) -> Iterator[str]:
    """The declarations of HEADERS in preprocessed text, without attributes and names of parameters."""
    kept, wanted = [], False
    for line in text.splitlines():
        marker = _MARKER.match(line)
        if marker:
            wanted = marker[1].endswith(tuple(f"/include/{header}" for header in HEADERS))
        elif wanted and not line.startswith("#"):
            kept.append(line)
    body = re.sub(r'(?:\bextern\s*"C(?:\+\+)?"|\b(?:inline\s+)?namespace\s+\w+)\s*\{', "", "\n".join(kept))
    removed = 1
    while removed:  # bodies, the innermost braces first
        body, removed = re.subn(r"\{[^{}]*\}", ";", body)
    for statement in re.split(r"[;{}]", body):
        match = _DECLARATION.match(" ".join(_NOISE.sub(" ", statement).split()))
        if match is None or OTHERS.match(match["name"]) or re.search(r"template|return", statement):
            continue
        if not re.search(r"long double|enum ", match["parameters"]):  # neither is for devices
            yield f"{match['result']} {match['name']}({', '.join(map(_type, match['parameters'].split(',')))})"


def _type(parameter: str) -> str:
    """The type of a parameter: its last word goes where that is a name."""
    words = parameter.replace("*", " * ").replace("const", " ").split()
    basic = {"int", "long", "short", "char", "float", "double", "unsigned", "signed", "*", "void", "bool"}
    if len(words) > 1 and words[-1] not in basic:
        words.pop()
    return " ".join(words).replace(" *", "*")


if __name__ == "__main__":
    for declaration in sorted(set(declarations(preprocessed())), key=lambda d: (d.partition("(")[0].split()[-1], d)):
        print(declaration)
