"""The CUDA Math API from end to end: every function has a rule or a mark, a declaration, and a value on the host.

`cuda_math_api.txt` is what `declarations.py` found in the headers of CUDA 13.0.
"""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from cladpy.derivatives import is_bit_cast, is_inactive, lookup, multi_output, vector_norm
from cladpy.derivatives.inactive import GROUPS
from cladpy.frontend.native import native_folder
from cladpy.frontend.toolkit import routes
from cladpy.frontend.unit import TranslationUnit
from cladpy.toolchain import compile_host
from tests.derivatives.declarations import declarations, preprocessed

FILE = Path(__file__).with_name("cuda_math_api.txt")
ERROR = 3  # of libclang's severities
FLOATING = ("float", "double")
# Functions of vectors are read through, not looked up: cladpy's declarations have bodies for them.
VECTORS = re.compile(r"\bfloat2\b")


@dataclass(frozen=True)
class Declaration:
    text: str
    result: str
    name: str
    parameters: tuple[str, ...]

    @staticmethod
    def of(text: str) -> Declaration:
        match = re.fullmatch(r"(.+) (\w+)\((.*)\)", text)
        assert match is not None, text
        return Declaration(text, match[1], match[2], tuple(match[3].split(", ")))

    def address(self) -> str:
        """An expression that compiles where there is a function of exactly this type."""
        is_read = self.name.startswith("nan") or vector_norm(self.name) is not None
        parameters = ", ".join("const " + p if is_read and p.endswith("*") else p for p in self.parameters)
        return f"static_cast<{self.result} (*)({parameters})>(&::{self.name})"


API = [Declaration.of(line) for line in FILE.read_text().splitlines()]
NAMES = sorted({d.name for d in API})


def marks(declaration: Declaration) -> list[str]:
    """What the tables say about a function: which kinds of entry it has."""
    name, parameters = declaration.name, declaration.parameters
    integer = declaration.result not in FLOATING
    found = []
    if VECTORS.search(declaration.text):
        found.append("body")
    if multi_output(name) is not None:
        found.append("outputs")
    elif vector_norm(name) is not None:
        found.append("norm")
    elif is_bit_cast(name):
        found.append("bits")
    elif is_inactive(name, integer_result=integer):
        found.append("inactive")
    elif lookup(name, len(parameters)) is not None:
        found.append("rule")
    return found


@pytest.mark.parametrize("declaration", API, ids=lambda d: d.text)
def test_every_function_has_a_rule_or_a_mark(declaration: Declaration) -> None:
    assert len(marks(declaration)) == 1


@pytest.mark.parametrize("declaration", [d for d in API if marks(d) == ["rule"]], ids=lambda d: d.text)
def test_a_rule_has_partials_by_the_floating_operands(declaration: Declaration) -> None:
    rule = lookup(declaration.name, len(declaration.parameters))
    assert rule is not None
    assert declaration.result in FLOATING
    by_integers = [p for p, type in zip(rule.partials, declaration.parameters, strict=True) if type not in FLOATING]
    assert by_integers == [None] * len(by_integers)


def test_what_has_no_derivative_takes_or_gives_integers_or_is_a_step() -> None:
    steps = {d.name for d in API if marks(d) == ["inactive"] and d.result in FLOATING and d.parameters[0] in FLOATING}
    assert steps == {
        name + suffix
        for name in ("ceil", "floor", "logb", "nearbyint", "rint", "round", "trunc")
        for suffix in ("", "f")
    }


def test_bits_are_all_functions_from_floats_to_integers_that_do_not_convert() -> None:
    assert {d.name for d in API if marks(d) == ["bits"]} == {
        "__double2hiint",
        "__double2loint",
        "__double_as_longlong",
        "__float_as_int",
        "__float_as_uint",
    }


def test_marks_for_integers_and_conversions_are_for_functions_that_exist() -> None:
    groups = (
        "Roundings to integers, exponents",
        "Conversions",
        "Integers, several in a word or several operations in one",
    )
    marked = {name for group in groups for name in GROUPS[group] if not name.startswith("cladpy::")}
    assert marked - set(NAMES) == set()


def addresses(space: str) -> str:
    lines = [f"{space} void *use() {{", "  void *address = nullptr;"]
    lines += [f"  address = reinterpret_cast<void *>({d.address()});" for d in API]
    return "\n".join([*lines, "  return address;", "}"])


def test_the_host_has_every_function() -> None:
    compile_host(addresses("inline"), optimize="-O0", extra_flags=["-Wall", "-Wextra"])


def test_the_front_end_declares_every_function() -> None:
    headers = routes("declarations")[0]
    resource = f"-resource-dir={native_folder() / 'resource'}"
    arguments = ["-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib", "--cuda-gpu-arch=sm_90", "-std=c++17"]
    arguments += [resource, "-ferror-limit=0"]
    text = addresses("__device__").encode()
    with TranslationUnit("api.cu", [*arguments, *headers.arguments], {"api.cu": text}) as unit:
        assert [m.text for m in unit.messages() if m.severity >= ERROR] == []


def test_the_list_is_that_of_the_headers() -> None:
    if shutil.which("nvcc") is None:
        assert len(API) > 600
        return
    missing = {d.text for d in API} - set(declarations(preprocessed()))
    assert missing == set()  # a newer CUDA may have more
