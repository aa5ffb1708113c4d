"""What is emitted for Kokkos: the program of the request that asked for it, as text."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import cladpy
from cladpy.cli.options import target_of
from cladpy.diagnostics import UsageError
from cladpy.emit.embedded import copies
from cladpy.frontend.kokkos import is_for_kokkos, unknown_name, without_kokkos
from cladpy.source import Source
from tests.kokkos.test_numbers import FOLDER

SUMS = FOLDER / "programs" / "sums.cpp"
LAYOUTS = FOLDER / "programs" / "layouts.cpp"


def test_what_stands_in_the_file() -> None:
    """It includes the original and Kokkos; the loops are Kokkos' own, and nothing is cladpy's."""
    gradient = cladpy.gradient(SUMS, "norm", "v")
    code = gradient.code
    assert gradient.backend == "kokkos"
    assert '#include "sums.cpp"' in code
    assert "#include <cladpy" not in code
    assert "cladpy::" not in code
    assert "norm_grad(const Kokkos::View<double *> &v, Kokkos::View<double *> &_d_v, double _d_return = 1) {" in code
    loops = code[code.index("norm_grad_loops {") : code.index("}  // namespace norm_grad_loops")]
    primal, reverse = loops.split("inline void ")[1:]
    assert 'Kokkos::parallel_reduce("sum_range", Kokkos::RangePolicy<Kokkos::DefaultExecutionSpace>' in primal
    assert 'Kokkos::parallel_for("sum_range_pullback_4_5", ' in reverse
    assert "_d_functor_v[i2] += _r * functor_v_i;" in reverse  # no iteration meets another there
    assert "atomic" not in loops


@pytest.mark.parametrize(
    ("function", "atomically"),
    [("pairs", []), ("components", []), ("neighbours", ["_d_functor_a"]), ("raw", ["_d_functor_a"])],
)
def test_different_subscripts_are_different_elements(function: str, atomically: list[str]) -> None:
    """Whatever the strides are; but not where a pointer leads to an element by a row, or by the whole view."""
    code = cladpy.gradient(LAYOUTS, function).code
    assert sorted(set(re.findall(r"atomic_add\(&(\w+)\[", code))) == atomically
    assert ("* (long)1;" in code) == (function in ("components", "raw"))  # what the type says of a stride is a constant


def test_iterations_have_memory_for_what_they_keep() -> None:
    """As much as the one that keeps most, of which a loop is asked before."""
    code = cladpy.gradient(LAYOUTS, "smoothed_rows", "a").code
    asked, reverse = code[code.index('_slots", Kokkos::MD') :].split("memory_of_tapes<")[:2]
    assert "Kokkos::Max<long>(_most)" in asked
    assert "_tape.push" not in asked
    assert re.search(r"iteration_tape _tape\(_tapes, \(\(_i - _begin\) \* \(last1 - \w+\) \+ _j\)\);", reverse)


@pytest.mark.parametrize(("ranges", "end"), [("TeamThread", ", w"), ("ThreadVector", ""), ("TeamVector", "")])
def test_ranges_of_several_indices_in_a_team(ranges: str, end: str) -> None:
    """They are loops in the iteration; Kokkos has them from 4 on."""
    sum, loop = (", double &s", "reduce") if end else ("", "for")
    text = f"""#include <Kokkos_Core.hpp>
    using Policy = Kokkos::TeamPolicy<>;
    void run(const Kokkos::View<double ***> &a, const Kokkos::View<double *> &x) {{
      const int n = a.extent(1), m = a.extent(2);
      Kokkos::parallel_for(Policy(a.extent(0), Kokkos::AUTO), KOKKOS_LAMBDA(const Policy::member_type &team) {{
        const int i = team.league_rank();
        double w = 0;
        const Kokkos::{ranges}MDRange<Kokkos::Rank<2>, Policy::member_type> all(team, n, m);
        Kokkos::parallel_{loop}(all, [&](int j, int k{sum}) {{
          {"s += a(i, j, k) * a(i, j, k)" if end else "a(i, j, k) = a(i, j, k) * a(i, j, k)"};
        }}{end});
        x(i) = w;
      }});
    }}"""
    code = cladpy.gradient(text, "run").code
    loops = code[code.index("for_range_pullback") : code.index("inline void run_grad(")]
    assert len(re.findall(r"\bfor \(long \w+ = ", loops)) >= 2
    assert "atomic_add" not in loops


@pytest.mark.parametrize("function", ["steps", "both", "chosen"])
def test_mirrors_that_are_copied(function: str) -> None:
    """They are memory of their own; what says when they are the same as their views is not left in the gradient."""
    code = cladpy.gradient(FOLDER / "programs" / "mirrors.cpp", function).code
    assert "_loops::" in code
    assert "mirrors(" not in code


@pytest.mark.parametrize(
    "option", [{"checkpoint": "binomial:1M"}, {"trace_nonfinite": True}, {"namespace": "mine"}, {"inline": True}]
)
def test_options_of_other_targets(option: dict[str, object]) -> None:
    with pytest.raises(UsageError, match="not to be had for the target 'kokkos' yet"):
        cladpy.gradient(SUMS, "norm", "v", **option)  # type: ignore[arg-type]


def test_variables_have_no_adjoints() -> None:
    text = """#include <Kokkos_Core.hpp>
    double scale = 2;
    double run(const Kokkos::View<double *> &x) { return scale * x(0); }
    """
    with pytest.raises(UsageError, match="the adjoint of 'scale', a variable, is not emitted for Kokkos yet"):
        cladpy.gradient(text, "run", "x, scale")


def test_which_programs_are_for_kokkos(tmp_path: Path) -> None:
    """What includes a header of it, also by another file, which need not be there."""
    beside = '#include "missing.hpp"\n#include "deep.hpp"\n'
    (tmp_path / "deep.hpp").write_text('#include "main.cpp"\n')
    main = tmp_path / "main.cpp"
    main.write_text(beside)
    assert not is_for_kokkos(Source.load(main))
    assert target_of(None, "auto", Source.load(main)) == "cuda"
    (tmp_path / "deep.hpp").write_text("#include <Kokkos_Core.hpp>\n")
    assert is_for_kokkos(Source.load(main))
    assert target_of(None, None, Source.load(main)) == "kokkos"
    assert target_of("host", None, Source.load(main)) == "host"
    assert not is_for_kokkos(Source("text", beside, None))


def test_installations_are_not_read(tmp_path: Path) -> None:
    (tmp_path / "Kokkos_Core.hpp").write_text("#error")
    assert without_kokkos([str(tmp_path), "/elsewhere"]) == ("/elsewhere",)


@pytest.mark.parametrize(
    ("error", "name"),
    [
        ("no template named 'TeamPolicy' in namespace 'Kokkos'; did you mean x?", "Kokkos::TeamPolicy"),
        ("no member named 'layout' in 'Kokkos::View<double *>'", "Kokkos::View::layout"),
        ("no member named 'team_size' in 'Kokkos::cladpy_kokkos::TeamMember'", "Kokkos::TeamMember::team_size"),
        ("no member named 'size' in 'Grid'", None),
    ],
)
def test_names_that_are_not_known(error: str, name: str | None) -> None:
    assert unknown_name(error) == name


def test_copies_are_what_is_named(tmp_path: Path) -> None:
    """With what that names, as it is where no macro is defined; an earlier file comes before a later one."""
    (tmp_path / "own.h").write_text("inline int three() {\n  return 3;\n}\n")
    (tmp_path / "library.h").write_text(
        """#pragma once
namespace cladpy {
#if defined(A) && !defined(B)
__host__ __device__ inline int one() { return 10; }
#else
// One.
__host__ __device__ inline int one() { return two(); }
#endif
#ifdef A
inline int two() { return 20; }
#endif
#ifndef A
template <class T>
inline int two() {
  return three() + 1;
}
#endif
#if !defined(A) || defined(B)
struct pair {
  int one, two;
};
#endif
inline int three() { return 30; }
#define UNUSED(x) \\
  inline int x() { return 0; }
UNUSED(four)
}  // namespace cladpy
"""
    )
    found = copies("cladpy::one() + cladpy::none()", [tmp_path / "own.h", tmp_path / "library.h"])
    assert found == "\n\n".join(
        [
            "inline int three() {\n  return 3;\n}",
            "// One.\nKOKKOS_INLINE_FUNCTION int one() { return two(); }",
            "template <class T>\ninline int two() {\n  return three() + 1;\n}",
        ]
    )
    assert copies("cladpy::pair", [tmp_path / "library.h"]) == "struct pair {\n  int one, two;\n};"
