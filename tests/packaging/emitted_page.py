"""docs/emitted-code.md with the gradients of its programs, as they are emitted."""

from __future__ import annotations

import re
from pathlib import Path

from cladpy.options import Options
from cladpy.pipeline import differentiate
from cladpy.source import Source

PAGE = Path(__file__).parents[2] / "docs" / "emitted-code.md"
_PROGRAM = re.compile(
    r"(```cuda\n// (?P<function>\w+)\((?P<args>[^)\n]*)\)\n(?P<text>.*?)```\n\n"
    r"<!-- emitted: \w+(?P<launch> with its launch)? -->\n)"
    r".*?<!-- end -->",
    re.DOTALL,
)
_COMMENT = r"(?:^//[^\n]*\n)*"
_KERNEL = re.compile(_COMMENT + r"^(?:template [^\n]*\n)?__global__ .*?^}\n", re.DOTALL | re.MULTILINE)
_LAUNCH = re.compile(_COMMENT + r"^inline cudaError_t .*?^}\n", re.DOTALL | re.MULTILINE)


def document() -> str:
    """The page, written anew."""
    return _PROGRAM.sub(_with_gradient, PAGE.read_text())


def _with_gradient(found: re.Match[str]) -> str:
    function = found["function"]
    source = Source(f"{function}.cu", found["text"], None)
    made = differentiate(source, function, found["args"], Options.make(), "cuda")
    if made.is_program:
        host = re.compile(rf"^inline void {made.gradient_name}\(.*?^}}\n", re.DOTALL | re.MULTILINE)
        parts = host.findall(made.code)
    else:
        parts = _KERNEL.findall(made.code) + (_LAUNCH.findall(made.code) if found["launch"] else [])
    text = "\n".join(part for part in parts if made.gradient_name in part)
    return f"{found[1]}```cuda\n{text}```\n<!-- end -->"
