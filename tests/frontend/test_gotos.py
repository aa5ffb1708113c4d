"""`goto` is read as leaving a block for what is behind it, and as a loop that begins again."""

from __future__ import annotations

import pytest

from tests.frontend.reading import body, refusal

REFUSED = "error: goto is not supported here"


def test_to_the_end_of_a_block() -> None:
    assert body("if (d > 1) goto end; d = 2; end: d += 3;") == [
        "let gone: int = 0",
        "switch 0 {",
        "default:",
        "  if (d > 1.0) {",
        "    (gone = 1)",
        "    break",
        "  }",
        "  (d = 2.0)",
        "}",
        "(d += 3.0)",
    ]


def test_back() -> None:
    assert body("double w; again: w = d * 2; d = w; if (d < 9) goto again; d = w;") == [
        "let w: double",
        "let gone: int = 0",
        "do {",
        "  (gone = 0)",
        "  switch 0 {",
        "  default:",
        "    (w = (d * 2.0))",
        "    (d = w)",
        "    if (d < 9.0) {",
        "      (gone = 1)",
        "      break",
        "    }",
        "  }",
        "} while (gone == 1)",
        "(d = w)",
    ]


def test_what_is_declared_without_a_value_is_known_behind_the_block() -> None:
    lines = body("if (d > 1) goto end; double w; w = d; end: w = 3; d = w;")
    assert lines[:2] == ["let w: double", "let gone: int = 0"]


def test_what_has_a_value_is_in_the_loop_with_all_that_names_it() -> None:
    lines = body("again: double w = d; if (w < 9) goto again; d = w;")
    assert lines[-3:] == ["    (d = w)", "  }", "} while (gone == 1)"]


@pytest.mark.parametrize(
    "statements",
    [
        "if (d > 1) goto in; { d = 2; in: d += 3; }",
        "if (d > 1) goto in; again: d *= 2; in: d += 3; if (d < 9) goto again;",
        "{ d = 2; in: d += 3; } if (d < 9) goto in;",
        "if (d > 1) goto in; while (d < 9) { d += 1; in: d *= 2; }",
    ],
)
def test_into_another_block_is_refused(statements: str) -> None:
    code = f"__global__ void k(double *o) {{\n  double d = *o;\n  {statements}\n  *o = d;\n}}\n"
    assert REFUSED in refusal(code)
    assert "[CP0101]" in refusal(code)
    assert "^~~~" in refusal(code)


def test_a_label_alone_does_nothing() -> None:
    assert body("d = 2; unused: d += 3;") == ["(d = 2.0)", "(d += 3.0)"]
