"""Every option of `cladpy.gradient` with every wrong value: an exception of cladpy's that names what is wrong."""

from __future__ import annotations

import inspect
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cladpy
from cladpy.diagnostics import CladpyError, UsageError

KERNEL = "__global__ void k(const double *x, double *y) { y[0] = x[0] * x[0]; }\n"
GOOD: dict[str, Any] = {
    "source": KERNEL,
    "function": "k",
    "args": "x, y",
    "backend": "host",
    "std": "c++17",
    "include_dirs": (),
    "defines": None,
    "custom_derivatives": (),
    "arch": None,
    "openmp": "auto",
    "accumulate": "auto",
    "fresh": "",
    "consumed": "",
    "may_alias": False,
    "checkpoint": "auto",
    "checked": False,
    "trace_nonfinite": False,
    "namespace": "",
    "inline": False,
    "header": False,
    "kokkos": None,
}


class _Opaque:
    def __repr__(self) -> str:
        raise RuntimeError("this object cannot be shown")


VALUES: tuple[Any, ...] = (
    None,
    0,
    1,
    3,
    -1,
    10**30,
    90,
    0.5,
    float("nan"),
    2j,
    True,
    False,
    np.True_,
    np.float64(1),
    b"k",
    b"",
    "",
    " ",
    "x",
    "A",
    "A=2",
    "auto,host",
    "c++99",
    "C++17",
    "c++1",
    "sm90x!",
    "binomial:",
    "binomial:0K",
    "include",
    "\0",
    "a\0b",
    "\ud800",
    "\U0001f4a5",
    "x" * 5000,
    [],
    ["x"],
    ("x", "y"),
    [3],
    [None],
    [b"x"],
    [""],
    {},
    {"A": 1},
    {"A": [1]},
    {"A": float("inf")},
    {"A": "1\n2"},
    {"A": "\ud800"},
    {"1": 1},
    {1: 1},
    {"A B": 1},
    {"x"},
    object(),
    _Opaque(),
    lambda: 0,
    int,
    np.zeros(0),
    np.zeros(3),
    np.array("x"),
    Path("nowhere"),
    Path("no\0where"),
    iter(["x"]),
)

# What is right, or might be: a directory need not be there.
RIGHT: dict[str, tuple[Any, ...]] = {
    "args": ("", " "),
    "include_dirs": ("x", "A", "A=2", "auto,host", "c++99", "C++17", "c++1", "sm90x!", "binomial:", "binomial:0K",
                     "include", "\U0001f4a5", "x" * 5000, " ", [], ["x"], ("x", "y"), Path("nowhere")),
    "defines": (None, {}, {"A": 1}),
    "custom_derivatives": ([],),
    "arch": (None,),
    "fresh": ("", " ", "x"),
    "consumed": ("", " ", "x"),
    "may_alias": (True, False),
    "checked": (True, False),
    "trace_nonfinite": (True, False),
    "namespace": ("", "x", "A", "include", "x" * 5000),
    "inline": (True, False),
    "header": (True, False),
    "kokkos": (None,),
}  # fmt: skip


def _is_right(option: str, value: Any) -> bool:
    return any(type(value) is type(right) and value == right for right in RIGHT.get(option, ()))


def answer(option: str, value: Any) -> str:
    """What is wrong with how a value of an option is answered; the empty string for nothing."""
    right = _is_right(option, value)
    try:
        cladpy.gradient(**{**GOOD, option: value})
    except CladpyError as error:
        if right:
            return f"refused: {error}"
        text = str(error)
        named = option in text or (isinstance(value, str | Path) and repr(str(value))[:20] in text)
        of_name = option in ("args", "function", "source") and isinstance(value, str | list | tuple)
        if not named and not of_name:
            return f"it is not named in: {text}"
        return "" if len(text) < 12_000 else "the message is too long"
    except BaseException as error:
        return f"it raises {type(error).__name__}: {error}"
    return "" if right else "it raises nothing"


def test_the_table_has_every_option() -> None:
    assert list(inspect.signature(cladpy.gradient).parameters) == list(GOOD)


@pytest.mark.parametrize("option", GOOD)
def test_every_value(option: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    answers = {k: answer(option, value) for k, value in enumerate(VALUES)}
    assert {k: text for k, text in answers.items() if text} == {}


TEXTS = (
    ({"source": None}, "source must be the path of a file, or the text of a program, not None"),
    ({"function": 5}, "function must be the name of a function, such as 'kernel' or 'ns::kernel<double, 3>', not 5"),
    ({"args": ["x"]}, "args must be one string of names, not ['x']\nhint: write args='x'"),
    ({"args": ("x", "y")}, "args must be one string of names, not ('x', 'y')\nhint: write args='x, y'"),
    ({"args": None}, "args must be a string of names, separated by commas, not None"),
    ({"backend": "gpu"}, "backend must be one of auto, cuda, hip, host, kokkos, not 'gpu'"),
    ({"std": "c++99"}, "std must be a C++ standard such as c++17, c++20 or gnu++17, not 'c++99'"),
    ({"include_dirs": [3]}, "include_dirs[0] must be a path, not 3"),
    ({"defines": "A"}, "defines must map names of macros to values, not 'A'\nhint: write defines={'A': '1'}"),
    ({"defines": {"A": []}}, "defines['A'] must be a string, a finite number or None, not []"),
    ({"custom_derivatives": "mine"}, "custom_derivatives: there is no 'mine'"),
    ({"arch": 90}, "arch must be a GPU architecture such as 'sm_90' or 'gfx90a', not 90\nhint: write arch='sm_90'"),
    ({"accumulate": None}, "accumulate must be one of auto, atomic, deterministic, not None"),
    ({"fresh": 5}, "fresh must be a string of names, separated by commas, not 5"),
    ({"consumed": ["y"]}, "consumed must be one string of names, not ['y']\nhint: write consumed='y'"),
    ({"may_alias": "yes"}, "may_alias must be True or False, not 'yes'"),
    ({"checkpoint": 0.5}, "checkpoint must be one of auto, all, binomial:BYTES, not 0.5; BYTES is a number above zero, "
     "perhaps followed by K, M or G"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("given", "text"), TEXTS, ids=lambda value: next(iter(value)) if isinstance(value, dict) else ""
)
def test_text(given: dict[str, Any], text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError) as caught:
        cladpy.gradient(**{**GOOD, **given})
    assert str(caught.value) == text


def test_one_directory_is_one(tmp_path: Path) -> None:
    """A string is a path, and not its letters."""
    (tmp_path / "value.h").write_text("#define VALUE 3.0\n")
    text = '#include "value.h"\n__global__ void k(double *x) { x[0] *= VALUE; }\n'
    for given in (str(tmp_path), tmp_path, [str(tmp_path)], (tmp_path,)):
        grad = cladpy.gradient(text, "k", "x", backend="host", include_dirs=given)
        assert grad.derivative.options.include_dirs == (str(tmp_path),)


def test_macros_have_values(tmp_path: Path) -> None:
    text = "__global__ void k(double *x) { x[0] *= A + B; }\n"
    grad = cladpy.gradient(text, "k", "x", backend="host", defines={"A": True, "B": 0.5, "C": None})
    assert grad.derivative.options.defines == (("A", "1"), ("B", "0.5"), ("C", ""))


def test_paths_of_other_kinds(tmp_path: Path) -> None:
    """What `os.fspath` takes; bytes of a name that are no Unicode."""
    folder = tmp_path / os.fsdecode(b"caf\xe9")
    folder.mkdir()
    (folder / "k.cu").write_text(KERNEL)
    grad = cladpy.gradient(folder / "k.cu", "k", backend="host", include_dirs=[folder])
    assert "k_grad" in grad.code
