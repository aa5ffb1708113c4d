"""`--set`: values for the arguments of a check."""

from __future__ import annotations

import numpy as np
import pytest

from cladpy.check.settings import argument_values, read_settings
from cladpy.derivative import GlobalVariable
from cladpy.diagnostics import NOWHERE, UsageError
from cladpy.ir.symbols import Role, Symbol
from cladpy.ir.types import DOUBLE, FLOAT, INT, UINT, Pointer, Type
from cladpy.runtime.structs import dtype_of
from tests.runtime.classes import BODY, FLOAT4, NESTED, PAIR, VIEW

TYPES: dict[str, Type] = {
    "x": Pointer(DOUBLE),
    "w": Pointer(FLOAT),
    "k": Pointer(INT),
    "n": INT,
    "u": UINT,
    "a": DOUBLE,
}


def values(settings: str, names: str) -> list[object]:
    parameters = [Symbol(name, TYPES[name], Role.PARAMETER, NOWHERE) for name in names.split()]
    return argument_values(parameters, settings.split(), np.random.default_rng(1))


def test_every_form() -> None:
    x, w, k, n, a = values("n=4 x=random:3x2 w=linspace:0:1:5 k=[3,1,2] a=-2.5e-1", "x w k n a")
    assert isinstance(x, np.ndarray) and x.shape == (3, 2) and x.dtype == np.float64
    assert 0.2 <= x.min() <= x.max() <= 1.2
    np.testing.assert_array_equal(w, np.array([0, 0.25, 0.5, 0.75, 1], np.float32))
    assert isinstance(k, np.ndarray) and k.dtype == np.int32 and k.tolist() == [3, 1, 2]
    assert n == 4 and a == -0.25
    x, n, a = values("n=4 x=zeros:nx2*n a=random", "x n a")
    assert isinstance(x, np.ndarray) and x.shape == (4, 8)
    assert isinstance(a, np.floating) and 0.2 <= a <= 1.2
    zeros, ones = values("x=zeros:4 w=ones:2", "x w")
    assert isinstance(zeros, np.ndarray) and zeros.tolist() == [0.0] * 4
    assert isinstance(ones, np.ndarray) and ones.tolist() == [1.0] * 2
    assert values("x=null n=1", "x n") == [None, 1]


def test_random_integers_are_indices() -> None:
    (k,) = values("k=random:50", "k")
    assert isinstance(k, np.ndarray) and k.min() >= 0 and 30 < k.max() < 50


def test_the_seed_decides() -> None:
    parameters = [Symbol("x", TYPES["x"], Role.PARAMETER, NOWHERE)]
    one, same, other = (argument_values(parameters, ["x=random:5"], np.random.default_rng(s))[0] for s in (1, 1, 2))
    assert one.tolist() == same.tolist() != other.tolist()


@pytest.mark.parametrize(
    ("settings", "names", "message"),
    [
        ("n=4", "n x a", r"no value for 'x', 'a': give one with --set, such as --set x=random:64"),
        ("z=4 n=1", "n", "--set z: no such parameter; there are n"),
        ("n=4 n=5", "n", "--set n: given twice"),
        ("n", "n", "--set takes name=value, got 'n'"),
        ("n=many", "n", "--set n: 'many' is none of a number"),
        ("n=1.5", "n", "--set n: 1.5 is not a value of its type"),
        ("u=-1", "u", "--set u: -1 is not a value of its type"),
        ("n=[1]", "n", "a scalar parameter takes a number"),
        ("x=3", "x", "--set x: an array takes a list or a size, such as x="),
        ("x=random:0", "x", "'random:0' is none of"),
        ("x=linspace:1:2", "x", "'linspace:1:2' is none of"),
    ],
)
def test_what_does_not_fit(settings: str, names: str, message: str) -> None:
    with pytest.raises(UsageError, match=message.replace("[", r"\[")):
        values(settings, names)


REST = "nested.view.index=[0] nested.view.count=1 nested.view.scale=1"
TYPES |= {
    "p": PAIR,
    "body": BODY,
    "bodies": Pointer(BODY),
    "v": Pointer(FLOAT4),
    "view": VIEW,
    "nested": NESTED,
    "views": Pointer(VIEW),
    "rows": Pointer(Pointer(DOUBLE)),
}


def test_members_are_set_by_their_path() -> None:
    (p,) = values("p.a=0.3 p.b=2", "p")
    assert p == {"a": 0.3, "b": 2.0}
    assert values("p=[1,2]", "p") == [[1, 2]]
    (view,) = values("view.data=random:8 view.index=[0,1] view.count=2 view.scale=0.5", "view")
    assert isinstance(view, dict) and view["data"].shape == (8,) and view["index"].dtype == np.int32
    (nested,) = values(
        "nested.Pair.a=1 nested.Pair.b=2 nested.view.data=zeros:2 nested.view.index=[0] nested.view.count=1 "
        "nested.view.scale=1",
        "nested",
    )
    assert isinstance(nested, dict) and nested["Pair"] == {"a": 1, "b": 2} and nested["view"]["count"] == 1
    (body,) = values("body.alive=1 body.position=[1,2,3] body.id=4", "body")
    assert isinstance(body, dict) and (body["alive"], body["position"].tolist(), body["id"]) == (True, [1, 2, 3], 4)
    (inherited,) = values(f"nested.a=1 nested.b=2 nested.view.data=zeros:2 {REST}", "nested")
    assert isinstance(inherited, dict) and inherited["Pair"] == {"a": 1, "b": 2}


def test_arrays_of_objects_are_filled_number_by_number() -> None:
    (bodies,) = values("bodies=random:80", "bodies")
    assert isinstance(bodies, np.ndarray) and bodies.dtype == dtype_of(BODY) and bodies.shape == (80,)
    assert 0.2 <= bodies["position"].min() < bodies["position"].max() <= 1.2
    assert bodies["id"].min() >= 0 and 40 < bodies["id"].max() < 80
    assert set(np.unique(bodies["alive"])) == {False, True}
    (v,) = values("v=linspace:0:1:5", "v")
    assert isinstance(v, np.ndarray) and v["w"].tolist() == [0, 0.25, 0.5, 0.75, 1]
    (v,) = values("v=[[1,2,3,4],[5,6,7,8]]", "v")
    assert isinstance(v, np.ndarray) and v.dtype == np.float32 and v.shape == (2, 4)
    (bodies,) = values("bodies=[(1,[1,2,3],7)]", "bodies")
    assert isinstance(bodies, np.ndarray) and bodies["id"].tolist() == [7]


def test_tables_are_rows() -> None:
    (rows,) = values("rows=random:3x5", "rows")
    assert isinstance(rows, np.ndarray) and rows.shape == (3, 5)
    (rows,) = values("rows=[[1,2],[3]]", "rows")
    assert isinstance(rows, list) and [r.tolist() for r in rows] == [[1, 2], [3]]


@pytest.mark.parametrize(
    ("settings", "names", "message"),
    [
        ("p.a=1", "p", r"no value for 'p.b': give one with --set, such as --set p.b=1"),
        ("n=1", "n view", r"no value for 'view': give one with --set, such as --set view=1"),
        ("view.count=1", "view", r"no value for 'view.data', 'view.index', 'view.scale': .* view.data=random:64"),
        ("p.a=1 p.b=1 p.c=1", "p", r"--set p.c: p has no member 'c' that can be set"),
        ("p=[1,2] p.a=1", "p", r"--set p.a: p is set as a whole already"),
        ("x=zeros:1 x.y=1", "x", r"--set x.y: x is set as a whole already"),
        ("p=3", "p", r"--set p: a class takes a list of its numbers, not '3'; set its members as p.a=..."),
        ("p.a=z p.b=1", "p", r"--set p.a: 'z' is none of a number"),
        ("p.a=[1] p.b=1", "p", r"--set p.a: a scalar parameter takes a number"),
        ("bodies=[1,2]", "bodies", r"--set bodies: '\[1,2\]' is none of"),
        ("views=random:3", "views", r"--set views: objects that hold pointers cannot be made from the command line"),
    ],
)
def test_members_that_do_not_fit(settings: str, names: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        values(settings, names)


def test_variables_by_their_names_and_members() -> None:
    parameters = [Symbol("x", TYPES["x"], Role.PARAMETER, NOWHERE), Symbol("v", INT, Role.PARAMETER, NOWHERE)]
    variables = [
        GlobalVariable("ns::view", VIEW, "", False),
        GlobalVariable("table", Pointer(DOUBLE), "d", False),
        GlobalVariable("v", DOUBLE, "", False),
    ]
    settings = "x=ones:2 v=3 view.data=ones:4 ns::view.index=[1] view.count=1 view.scale=2 table=zeros:3 ::v=0.5"
    found = read_settings(parameters, variables, settings.split(), np.random.default_rng(1))
    assert found.arguments[1] == 3
    assert set(found.variables) == {"ns::view", "table", "v"}
    assert found.variables["ns::view"]["data"].tolist() == [1.0] * 4
    assert (found.variables["ns::view"]["scale"], found.variables["v"]) == (2.0, 0.5)
    for wrong, text in (("view.data=ones:4", "no value for 'ns::view.index'"), ("table=1 table=2", "given twice")):
        with pytest.raises(UsageError, match=text):
            read_settings(parameters, variables, ["x=ones:2", "v=3", *wrong.split()], np.random.default_rng(1))
