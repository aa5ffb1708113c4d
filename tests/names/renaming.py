"""Programs whose parameters and locals are called as what their gradients say: each name of emitted code, whatever
it is there, is that of some variable in one of the copies.

A copy's gradient must be that of the original but for names, and things that were told apart must be told apart: the
two texts are compared token by token, function by function, and the names of the one must map onto those of the other
one to one. So nothing has to be run to know that both compute the same; whether it compiles a compiler says.
"""

from __future__ import annotations

import dataclasses
import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass

from cladpy.derivative import Derivative
from cladpy.diagnostics import DifferentiationError
from cladpy.emit.names import words
from cladpy.frontend.files import skip_token
from cladpy.ir.symbols import FunctionSymbol, Role, Symbol, is_dynamic_shared
from cladpy.ir.types import Struct
from cladpy.options import Options
from cladpy.pipeline import differentiate
from cladpy.quoting import KEYWORDS
from cladpy.source import Source
from tests.kernels.case import Case

# What C++ reserves, and macros of the C and C++ libraries, no variable may be called.
_RESERVED = re.compile(r"__|_[A-Z]|CLADPY_|HIP_|(?:NULL|assert|errno|std(?:in|out|err)|signals?|linux|unix)$")
_NAME = re.compile(r"[A-Za-z_]\w*\Z")
_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|[A-Za-z_]\w*|(?:\d[\w.]*(?:(?<=[eE])[+-]\d+\w*)?)|->|::|\S')
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Copy:
    """A copy of a program, and its gradient; `names` are the new ones by the old."""

    text: str
    names: dict[str, str]
    derivative: Derivative


def copies_of(case: Case, target: str, most: int | None = None) -> tuple[Derivative, list[Copy]]:
    """The gradient of a program, and copies that together have each of its words as a variable's name; the first
    `most` of them. A copy that is no C++ any more is left out, where C++ has a name for something else."""
    text = case.path.read_text()
    original = differentiate(Source.load(text), case.function, case.args, Options.make(), target)
    parameters, variables = _variables(original)
    begin, end = _extent(text, original.program.entry.name)
    own = words(text[begin:end]) | set(original.program.macros)
    wanted = sorted(w for w in words(original.fragment) - own - KEYWORDS if not _RESERVED.match(w))
    # a variable whose name begins so may be taken for one of cladpy's own, and left out where it is used once
    for_parameters = [w for w in wanted if w.startswith("_")]
    for_all = [w for w in wanted if not w.startswith("_")]
    found: list[Copy] = []
    for number in itertools.count():
        if not (for_all or (for_parameters and parameters)) or (most is not None and len(found) >= most):
            return original, found
        # parameters get some of each kind
        new = [for_parameters.pop() for _ in parameters[: (len(parameters) + 1) // 2] if for_parameters]
        turned = (
            [*parameters[number % len(parameters) :], *parameters[: number % len(parameters)]] if parameters else []
        )
        rest = [v for v in (*turned[len(new) :], *variables)]
        names = dict(zip(turned, new, strict=False)) | {v: for_all.pop() for v in rest if for_all}
        copy = _copy(text, begin, end, names, case, target)
        if copy is None and len(names) > 1:
            single = (_copy(text, begin, end, {v: n}, case, target) for v, n in names.items())
            found += [one for one in single if one is not None]
        elif copy is not None:
            found.append(copy)
    raise AssertionError("it ends with the names")


def _copy(text: str, begin: int, end: int, names: dict[str, str], case: Case, target: str) -> Copy | None:
    renamed = text[:begin] + _renamed(text[begin:end], names) + text[end:]
    args = ", ".join(names.get(a.strip(), a.strip()) for a in case.args.split(","))
    try:
        derivative = differentiate(Source.load(renamed), case.function, args, Options.make(), target)
    except DifferentiationError as error:
        if any(d.code == "CP0001" for d in error.diagnostics):
            return None
        raise
    return Copy(renamed, names, derivative)


def differs(original: str, copy: str) -> str:
    """Where two emitted texts differ by more than names; empty where they do not."""
    ours, theirs = _chunks(original), _chunks(copy)
    if len(ours) != len(theirs):
        return f"{len(ours)} parts, and {len(theirs)}"
    for one, other in zip(ours, theirs, strict=True):
        forward: dict[str, str] = {}
        back: dict[str, str] = {}
        left, right = _TOKEN.findall(one), _TOKEN.findall(other)
        if len(left) != len(right):
            return f"{len(left)} tokens, and {len(right)}, from: {' '.join(right[:12])}"
        before = ""
        for at, (a, b) in enumerate(zip(left, right, strict=True)):
            if not (_NAME.match(a) and _NAME.match(b)) or before in (".", "->", "::"):
                same = a == b
            else:
                same = forward.setdefault(a, b) == b and back.setdefault(b, a) == a
            if not same:
                return f"{' '.join(left[at - 8 : at + 8])}\n{' '.join(right[at - 8 : at + 8])}"
            before = a
    return ""


def _chunks(text: str) -> list[str]:
    """The functions of an emitted text, which end with a brace at the beginning of a line."""
    text = re.sub(r"(?m)^#.*$|\[\[maybe_unused\]\]", "", _COMMENT.sub("", text))
    return re.split(r"(?m)^\};?$", text)


def _variables(derivative: Derivative) -> tuple[list[str], list[str]]:
    """The names of the function's parameters, and of its variables."""
    function = derivative.program.functions[derivative.program.entry]
    parameters = sorted({p.name for p in function.parameters if _NAME.match(p.name)})
    symbols = (s for s in _symbols(function.body) if s.role is Role.VARIABLE)
    found = {s.name for s in symbols if not is_dynamic_shared(s)}  # which are names of the whole file
    return parameters, sorted(name for name in found - set(parameters) if _NAME.match(name) and name != "this")


def _symbols(node: object) -> Iterator[Symbol]:
    if isinstance(node, Symbol):
        yield node
    elif isinstance(node, tuple | list):
        for inner in node:
            yield from _symbols(inner)
    elif dataclasses.is_dataclass(node) and not isinstance(node, Struct | FunctionSymbol):  # a class may lead to itself
        for field in dataclasses.fields(node):
            yield from _symbols(getattr(node, field.name))


def _extent(text: str, function: str) -> tuple[int, int]:
    """Where the parameters of the function's definition begin, and where its body ends."""
    for found in re.finditer(rf"\b{function}\s*\(", text):
        begin = found.end() - 1
        after = _closed(text, begin)
        body = re.compile(r"\s*(?:const\s*)?\{").match(text, after)
        if body is not None:
            return begin, _closed(text, body.end() - 1)
    raise AssertionError(f"{function} is not defined")


def _closed(text: str, at: int) -> int:
    """Behind the bracket that closes the one there."""
    data, depth = text.encode("ascii"), 0
    while at < len(data):
        end = skip_token(data, at)
        depth += (data[at:end] in (b"(", b"{", b"[")) - (data[at:end] in (b")", b"}", b"]"))
        at = end
        if depth == 0:
            return at
    raise AssertionError("a bracket is open")


def _renamed(text: str, names: dict[str, str]) -> str:
    """With other names where the text says these and means no member."""
    data, at, parts, before = text.encode("ascii"), 0, [], b""
    while at < len(data):
        end = skip_token(data, at)
        token = data[at:end]
        new = names.get(token.decode()) if not before.endswith((b".", b"->", b"::")) else None
        parts.append(new or token.decode())
        before = before + token if not token.isspace() else before
        before = before[-2:]
        at = end
    return "".join(parts)
