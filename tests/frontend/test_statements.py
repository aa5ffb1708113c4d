"""Statements: control flow, declarations, and the parts of a header that clang leaves out."""

from __future__ import annotations

import pytest

from tests.frontend.reading import body


def test_if_with_a_declaration_or_an_init_statement() -> None:
    source = """if (int q = i) out[0] = q; else out[1] = q;
  if (int q = i; q > 2) out[0] = 1;
  if (i = 3; b) out[0] = 1; else out[1] = 2;
  if (b) ; else { out[2] = 1; }"""
    assert (
        body(source)
        == """{
  let q: int = i
  if <bool>q {
    (out[0] = <double>q)
  } else {
    (out[1] = <double>q)
  }
}
{
  let q.1: int = i
  if (q.1 > 2) {
    (out[0] = 1.0)
  }
}
{
  (i = 3)
  if b {
    (out[0] = 1.0)
  } else {
    (out[1] = 2.0)
  }
}
if b {
} else {
  (out[2] = 1.0)
}""".splitlines()
    )


def test_if_constexpr_takes_its_branch() -> None:
    source = """if constexpr (sizeof(int) == 4) out[0] = 1; else asm("");
  if constexpr (sizeof(int) == 8) { asm(""); }"""
    assert body(source) == ["{", "  (out[0] = 1.0)", "}"]


FOR = {
    "for (int j = 0, m = 1; j < i; ++j, m *= 2) d += m;": (
        "let j: int = 0|let m: int = 1",
        "(j < i)",
        "(++j, (m *= 2))",
    ),
    "for (; i < 3; ++i) d += 1;": ("", "(i < 3)", "++i"),
    "for (i = 0; ; ++i) d += 1;": ("(i = 0)", "true", "++i"),
    "for (i = 0; i < 3; ) d += 1;": ("(i = 0)", "(i < 3)", "nothing"),
    "for (; ; ++i) d += 1;": ("", "true", "++i"),
    "for (; i < 3; ) d += 1;": ("", "(i < 3)", "nothing"),
    "for (b = false; ; ) d += 1;": ("(b = false)", "true", "nothing"),
    "for (; b = i < 3; ) d += 1;": ("", "(b = (i < 3))", "nothing"),
    "for (;;) d += 1;": ("", "true", "nothing"),
    "for (int j = (1, 2); /* ; */ j; j >>= 1) d += 1;": ("let j: int = (1, 2)", "<bool>j", "(j >>= 1)"),
    'for (const char *s = ";)"; i; --i) d += 1;': ('let s: const char * = ";)"', "<bool>i", "--i"),
}


@pytest.mark.parametrize("source", FOR)
def test_for_with_parts_missing(source: str) -> None:
    init, condition, step = FOR[source]
    lines = body(source)
    added = "(d += <double>m)" if " m " in source else "(d += 1.0)"
    expected = ["for {", *(f"    {part}" for part in init.split("|") if part)]
    expected += [f"  }} while {condition}", f"  step {step} {{", f"    {added}", "}"]
    assert lines == expected


@pytest.mark.parametrize(
    ("macro", "lines"),
    [
        ("for (int j = 0; j < i; ++j)", ["    let j: int = 0", "  } while (j < i)", "  step ++j {"]),
        ("for (int j = i; j--;)", ["    let j: int = i", "  } while <bool>j--", "  step nothing {"]),
        ("for (; i < 3; ++i)", ["  } while (i < 3)", "  step ++i {"]),
        ("for (;;)", ["  } while true", "  step nothing {"]),
    ],
)
def test_for_out_of_a_macro(macro: str, lines: list[str]) -> None:
    assert body("LOOP d += 1;", f"#define LOOP {macro}") == ["for {", *lines, "    (d += 1.0)", "}"]


def test_for_whose_parts_are_macros() -> None:
    before = "#define BEGIN int j = 0\n#define LESS j < i\n#define NEXT ++j\n#define NOTHING"
    assert body("for (BEGIN; LESS; NOTHING) { NEXT; }", before) == [
        "for {",
        "    let j: int = 0",
        "  } while (j < i)",
        "  step nothing {",
        "    ++j",
        "}",
    ]


def test_loops_with_declared_conditions() -> None:
    source = "while (int q = --i) { if (q == 3) continue; d += q; } for (; int q = i; --i) d += q;"
    assert (
        body(source)
        == """while true {
  let q: int = --i
  if !<bool>q {
    break
  }
  {
    if (q == 3) {
      continue
    }
    (d += <double>q)
  }
}
for {
  } while true
  step --i {
    let q.1: int = i
    if !<bool>q.1 {
      break
    }
    {
      (d += <double>q.1)
    }
}""".splitlines()
    )


def test_do_and_while() -> None:
    assert body("do d += 1; while (i--); while (b) { break; }") == [
        "do {",
        "  (d += 1.0)",
        "} while <bool>i--",
        "while b {",
        "  break",
        "}",
    ]


def test_switch_with_fall_through() -> None:
    before = "enum Mode { Off, On = 7 };\n#define THREE 3"
    source = """switch (c) {
  case Off: case 'a': d = 1; break;
  case THREE + 1: { d = 2; } d = 3;
  default: d = 4;
  case (int)2.5: ;
  case -1: return;
  }"""
    assert (
        body(source, before)
        == """switch <int>c {
0, 97:
  (d = 1.0)
  break
4:
  {
    (d = 2.0)
  }
  (d = 3.0)
default:
  (d = 4.0)
2:
-1:
  return
}""".splitlines()
    )


def test_switch_of_a_declared_condition_and_of_a_wide_type() -> None:
    source = "switch (long q = l) { case 1l << 40: d = q; } switch (u) { case 0xffffffff: d = 1; }"
    assert body(source) == [
        "{",
        "  let q: long = l",
        "  switch q {",
        "  1099511627776:",
        "    (d = <double>q)",
        "  }",
        "}",
        "switch u {",
        "4294967295:",
        "  (d = 1.0)",
        "}",
    ]


def test_what_has_no_effect_is_left_out() -> None:
    source = """static_assert(sizeof(int) == 4, ""); ; (void)d; using T = int; typedef float F; __builtin_assume(i > 0);
  [[maybe_unused]] double x = 1;
  #pragma unroll
  for (int j = 0; j < 3; ++j) { }
  if (i > 0) [[likely]] d = 1;"""
    assert body(source) == [
        "let x: double = 1.0",
        "for {",
        "    let j: int = 0",
        "  } while (j < 3)",
        "  step ++j {",
        "}",
        "if (i > 0) {",
        "  (d = 1.0)",
        "}",
    ]


def test_a_choice_between_effects_is_an_if() -> None:
    source = "b ? (void)(d = 1) : (void)(d = 2); assert(i > 0);"
    lines = body(source, "#include <cassert>")
    assert lines[:5] == ["if b {", "  (d = 1.0)", "} else {", "  (d = 2.0)", "}"]
    assert lines[5] == "if !(i > 0) {"
    assert lines[6].startswith('  __assert_fail("i > 0", "')
    assert lines[7:] == ["}"]


def test_printf_keeps_its_text() -> None:
    assert body(r'printf("%d \"%f\"\n", i, f);', "#include <cstdio>") == [r'printf("%d \"%f\"\n", i, <double>f)']


def test_shared_memory_keeps_its_space() -> None:
    assert body("__shared__ double tile[4][8]; extern __shared__ float dynamic[]; tile[0][1] = dynamic[i];") == [
        "let shared tile: double [4][8]",
        "let shared dynamic: float [0]",
        "(tile[0][1] = <double>dynamic[i])",
    ]
