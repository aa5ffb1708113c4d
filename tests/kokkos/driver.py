"""C++ that compares gradients of programs for Kokkos with central differences.

A function's sum of its result and of what its views hold afterwards, each element with a weight, is differentiated by
each element that it is given. So it does not matter which views it reads, and which it writes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from cladpy.derivative import Derivative, Parameter
from cladpy.ir.types import Reference, Scalar, Struct, is_floating, spell

_HEAD = """\
#include <cstdio>
#include <cstdlib>
#include <vector>

// Views are filled with numbers that are not alike, indices with places in views.
template <class V>
void fill(const V &view, unsigned salt) {
  using T = std::remove_const_t<typename V::value_type>;
  for (std::size_t i = 0; i < view.span(); ++i) {
    const unsigned mixed = (static_cast<unsigned>(i) + 1) * 2654435761u + salt * 40503u;
    T *const at = const_cast<T *>(view.data()) + i;
    if constexpr (std::is_floating_point_v<T>) *at = T(0.3 + (mixed >> 8) % 1000 / 1000.0);
    else *at = T((mixed >> 8) % 5);
  }
}
template <class T, unsigned salt>
T weight(std::size_t i) { return T(0.5 + ((i * 7 + salt * 3) % 11) / 10.0); }

static int failures = 0;
static void compare(const char *what, std::size_t i, double found, double expected) {
  const double error = std::fabs(found - expected), size = std::fmax(1.0, std::fabs(expected));
  if (error <= 2e-6 * size) return;
  std::printf("%s[%zu]: %.12g, and differences say %.12g\\n", what, i, found, expected);
  ++failures;
}
"""


def driver(derivatives: Sequence[tuple[str, Derivative]]) -> str:
    """A program that includes the gradients, by the names of their files, compares each, and says what is wrong."""
    includes = [f'#include "{name}"' for name, _ in derivatives]
    tests = [_test(derivative) for _, derivative in derivatives]
    calls = [f"    test_{derivative.gradient_name}();" for _, derivative in derivatives]
    main = ["int main(int argc, char **argv) {", "  Kokkos::initialize(argc, argv);", "  {", *calls, "  }"]
    main += ["  Kokkos::finalize();", "  return failures != 0;", "}", ""]
    return "\n".join([*includes, _HEAD, *tests, *main])


def _test(derivative: Derivative) -> str:
    parameters, names = derivative.parameters, {a.parameter for a in derivative.adjoints}
    lines = [f"static void test_{derivative.gradient_name}() {{"]
    given = []
    for k, p in enumerate(parameters):
        made = f"a{k}"
        if _is_view(p):
            lines += [
                f"  using V{k} = {_class(p, False)};",
                f'  V{k} {made}("x"{_extents(p)});',
                f"  fill({made}, {k});",
            ]
        else:
            value = 0.7 + k if is_floating(p.type) else 3
            lines.append(f"  {spell(p.type)} {made} = {value};")
        given.append(made)
    call = f"{derivative.function_name}({', '.join(given)})"
    result = isinstance(derivative.result, Scalar)
    lines.append("  auto loss = [&] {")
    views = [k for k in names if _is_view(parameters[k])]
    lines += [f'    V{k} k{k}("k"{_extents(parameters[k])}); Kokkos::deep_copy(k{k}, a{k});' for k in views]
    lines.append(f"    double sum = {call};" if result else f"    double sum = 0; {call};")
    lines.append("    Kokkos::fence();")
    for k in views:
        weighted = f"sum += weight<double, {k}>(i) * a{k}.data()[i]"
        lines.append(f"    for (std::size_t i = 0; i < a{k}.span(); ++i) {weighted};")
    lines += [f"    Kokkos::deep_copy(a{k}, k{k});" for k in views]
    lines += ["    return sum;", "  };"]
    adjoints = []
    for k in sorted(names):
        if k in views:
            lines.append(f'  V{k} d{k}("d"{_extents(parameters[k])});')
            lines.append(f"  for (std::size_t i = 0; i < d{k}.span(); ++i) d{k}.data()[i] = weight<double, {k}>(i);")
            adjoints.append(f"d{k}")
        else:
            lines.append(f"  double d{k} = 0;")
            adjoints.append(f"&d{k}")
    lines += [f'  V{k} b{k}("b"{_extents(parameters[k])}); Kokkos::deep_copy(b{k}, a{k});' for k in views]
    lines.append(f"  {derivative.gradient_name}({', '.join([*given, *adjoints])});")
    lines.append("  Kokkos::fence();")
    name = derivative.function_name
    for k in views:
        lines.append(f"  for (std::size_t i = 0; i < a{k}.span(); ++i) {{")
        lines.append(
            f'    if (a{k}.data()[i] != b{k}.data()[i]) compare("{name}: left in {parameters[k].name}", i, 1, 0);'
        )
        lines += _difference(f"a{k}.data()[i]", f"d{k}.data()[i]", f"{name}: {parameters[k].name}", "i")
        lines.append("  }")
    for k in sorted(names.difference(views)):
        lines += ["  {", *_difference(f"a{k}", f"d{k}", f"{name}: {parameters[k].name}", "0"), "  }"]
    return "\n".join([*lines, "}", ""])


def _difference(place: str, found: str, what: str, index: str) -> list[str]:
    return [
        f"    const double was = {place}, step = 1e-5;",
        f"    {place} = was + step; const double more = loss();",
        f"    {place} = was - step; const double less = loss();",
        f"    {place} = was;",
        f'    compare("{what}", {index}, {found}, (more - less) / (2 * step));',
    ]


def _bare(p: Parameter) -> Struct | None:
    type = p.type.referee if isinstance(p.type, Reference) else p.type
    return type if isinstance(type, Struct) else None


def _is_view(p: Parameter) -> bool:
    return _bare(p) is not None


def _class(p: Parameter, const: bool) -> str:
    struct = _bare(p)
    assert struct is not None
    return struct.spelling if const else struct.spelling.replace("<const ", "<")


def _extents(p: Parameter) -> str:
    struct = _bare(p)
    assert struct is not None
    stars = re.sub(r"[^*]", "", struct.spelling.partition(",")[0])
    return "".join(f", {n}" for n in (7, 5, 4, 3)[: len(stars)])


def sources(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.cpp"))
