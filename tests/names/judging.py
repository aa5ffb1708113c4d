"""Whether the gradients of copies are those of the original: by their texts, by compilers, and by numbers where the
texts differ by more than names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from cladpy.derivative import Derivative
from cladpy.emit.host_source import host_source
from cladpy.runtime.gradient import Gradient
from tests.emitted.units import FIRST_INCLUDE, NOT_ASSEMBLED, Compiled, compile_for_host, compile_with_nvcc
from tests.kernels.case import Case
from tests.names.renaming import Copy, differs

_INCLUDE = re.compile(r"(?m)^[ \t]*#[ \t]*include\b.*$")


def compile_all(copies: Sequence[Copy], target: str, folder: Path) -> Compiled:
    """Copies and their gradients in one unit, each in a namespace of its own; not optimised, nor linked. One alone
    where the program adds to cladpy's namespace."""
    heads = [FIRST_INCLUDE[target]]
    parts = []
    alone = any("namespace cladpy" in copy.text for copy in copies)
    for k, copy in enumerate(copies[:1] if alone else copies):
        text = copy.text
        if target == "host":
            text = host_source(copy.derivative.source, copy.derivative.program) or text
        for part in (copy.derivative.fragment, text):
            heads += _INCLUDE.findall(part)
        source = '# 1 "source.cu" 3\n' + _INCLUDE.sub("", text) + '\n# 1 "gradient.cu"\n'
        used = f"void *used = reinterpret_cast<void *>(&{copy.derivative.launch_name});\n"
        kernel = copy.derivative.kind.name == "KERNEL"
        fragment = _INCLUDE.sub("", copy.derivative.fragment)
        part = f"{source}{fragment}\n{used if kernel else ''}"
        parts.append(part if alone else f"namespace copy_{k} {{\n{part}}}\n")
    unit = folder / ("unit.cpp" if target == "host" else "unit.cu")
    own = [line for line in dict.fromkeys(heads) if "cladpy" in line]
    unit.write_text("\n".join([*own, *(line for line in dict.fromkeys(heads) if line not in own), *parts]))
    if target == "host":
        return compile_for_host(unit, "c++17", "-fsyntax-only")
    return compile_with_nvcc(unit, "c++17", "-ptx", arch=NOT_ASSEMBLED)


def found_to_differ(case: Case, original: Derivative, copies: Sequence[Copy]) -> list[str]:
    """What is wrong with copies: where their texts differ by more than names, and their numbers from the original's."""
    expected: list[Any] | None = None
    found = []
    for copy in copies:
        difference = differs(original.fragment, copy.derivative.fragment)
        if not difference:
            continue
        if original.target != "host":
            continue  # the same program is judged on the host
        expected = expected or _numbers(case, original)
        for one, other in zip(expected, _numbers(case, copy.derivative), strict=True):
            if not np.allclose(one, other, rtol=1e-12, atol=1e-14, equal_nan=True):
                found.append(f"{case.id}: {copy.names}\n{difference}")
                break
    return found


def _numbers(case: Case, derivative: Derivative) -> list[Any]:
    """The adjoints of a call, whose cotangents are all one."""
    gradient = Gradient(derivative, "host")
    arguments = case.arguments()
    adjoints = []
    for adjoint in derivative.adjoints:
        value = arguments[adjoint.parameter]
        assert not isinstance(value, dict), "of objects the texts must not differ"
        adjoints.append(np.ones_like(np.atleast_1d(np.asarray(value, "f8" if np.ndim(value) == 0 else None))))
    if case.grid is None:
        gradient.execute(*arguments, *adjoints)
    else:
        gradient.execute_kernel(case.grid, case.block, *arguments, *adjoints)
    return adjoints
