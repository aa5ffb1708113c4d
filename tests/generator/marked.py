"""Random statements with what is marked as nondifferentiable: variables, arrays, members, functions and classes."""

from __future__ import annotations

from tests.generator.constructs import Lines, indented
from tests.generator.expressions import condition, squash, stored
from tests.generator.scope import Array, Scope, Variable

MARK = "CLADPY_NONDIFFERENTIABLE"
INCLUDED = "#include <cladpy/nondifferentiable.h>"
# What statements of this file name; a program has it where one does.
MARKED = f"""template <class T>
struct Half {{
  T free;
  {MARK} T fixed;
  __device__ T blend(T v) const {{ return T(0.5) * free + T(0.3) * fixed * v; }}
  __device__ T moved(T v) {{
    fixed = T(0.5) * fixed + T(0.3) * v;
    return T(0.5) * fixed++;
  }}
}};
template <class T>
struct {MARK} Whole {{
  T held;
  __device__ T get() const {{ return held; }}
}};
{MARK} __device__ double limited(double v) {{ return v > 0.4719283 ? 0.5 * v : sin(v); }}
__device__ double partly(double v, {MARK} double by) {{ return 0.5 * v * tanh(by); }}
"""


def marked_variable(scope: Scope) -> Lines:
    """A variable like any other, but for its derivative; what is copied of it, or made by lambdas, has none."""
    rng, type = scope.rng, scope.type()
    t, u = scope.fresh("v"), scope.fresh("v")
    lines = [f"{MARK} {type} {t} = {stored(scope, 2).text};"]
    form = rng.randrange(5)
    if form == 0:
        lines.append(f"{type} {u} = {rng.choice((f'{t}++', f'++{t}', f'{t}--', f'-{t}'))} * {type}(0.5);")
        lines.append(f"{t} *= 0.5;")
    elif form == 1:
        f, capture = scope.fresh("f"), rng.choice(("[&]", "[=]"))
        number = squash(scope, stored(scope, 1)).text
        lines.append(f"auto {f} = {capture}(double s) {{ return 0.5 * {t} * s; }};")
        lines.append(f"{type} {u} = {f}({number});")
    elif form == 2:
        lines.append(f"{type} {u} = {condition(scope)} ? {t} : {type}({stored(scope, 1).text});")
    elif form == 3:
        lines.append(f"{type} {u} = ({t} = {squash(scope, stored(scope, 1)).text}) * {type}(0.5);")
    else:
        lines.append(f"{type} {u} = {t};")
    scope.variables += [Variable(t, type), Variable(t, type), Variable(u, type)]
    return lines


def marked_array(scope: Scope) -> Lines:
    type, name = scope.type(), scope.fresh("a")
    given = ", ".join(f"{type}({stored(scope, 1).text})" for _ in range(3))
    scope.arrays += [Array(name, type, ("3",), True)] * 2
    return [f"{MARK} {type} {name}[3] = {{{given}}};"]


def marked_pointer(scope: Scope) -> Lines:
    flat = [a for a in scope.arrays if len(a.lengths) == 1]
    if not flat:
        return []
    a = scope.rng.choice(flat)
    p, const = scope.fresh("p"), "" if a.writable and scope.chance(0.5) else "const "
    scope.arrays.append(Array(p, a.type, a.lengths, not const, a.chosen))
    return [f"{MARK} {const}{a.type} *{p} = {a.name};"]


def marked_member(scope: Scope) -> Lines:
    """Objects of which a part is marked, or all."""
    rng, type = scope.rng, scope.type()
    o, v, w = scope.fresh("o"), scope.fresh("v"), scope.fresh("v")
    a, b = stored(scope, 1).text, stored(scope, 1).text
    number = squash(scope, stored(scope, 1)).text
    if rng.random() < 0.4:
        other = scope.fresh("o")
        lines = [f"Whole<{type}> {o} = {{{type}({a})}}, {other} = {{{type}({b})}};"]
        if rng.random() < 0.5:
            lines.append(f"{o} = {condition(scope)} ? {o} : {other};")
        lines.append(f"{type} {v} = {rng.choice((f'{o}.get()', f'{o}.held'))} * {number};")
        scope.variables += [Variable(v, type), Variable(f"{o}.held", type)]
        return lines
    lines = [f"{rng.choice(('', '', MARK + ' '))}Half<{type}> {o} = {{{type}({a}), {type}({b})}};"]
    p = scope.fresh("o")
    copied = rng.choice((f"Half<{type}> {p} = {o};", f"Half<{type}> &{p} = {o};", f"const Half<{type}> {p} = {o};"))
    lines += [f"{type} {v} = {rng.choice((f'{o}.blend', f'{o}.moved'))}({number});", copied]
    lines.append(f"{type} {w} = {p}.blend({number});")
    lines += [f"{o}.fixed *= 0.25;"]
    scope.variables += [Variable(n, type) for n in (v, w, f"{o}.free", f"{o}.fixed")]
    scope.variables.append(Variable(f"{p}.fixed", type, False))
    return lines


def marked_function(scope: Scope) -> Lines:
    v = scope.fresh("v")
    a, b = squash(scope, stored(scope, 2)).text, stored(scope, 1).text
    scope.variables.append(Variable(v, "double"))
    return [f"double {v} = {scope.rng.choice((f'limited({a})', f'partly({a}, {b})', f'{b} * 0.5 * limited({a})'))};"]


def marked_loop(scope: Scope) -> Lines:
    """A marked variable that a loop carries."""
    if scope.loops >= 3:
        return []
    t, k, type = scope.fresh("v"), scope.fresh("k"), scope.type()
    inner = scope.inner(breakable=True, continuable=True, loops=scope.loops + 1)
    inner.integers.append(k)
    inner.variables += [Variable(t, type)] * 2
    body = [f"{t} = 0.5 * {t} + 0.4 * {squash(inner, stored(inner, 1)).text};", *scope.statements(inner, 2)]
    lines = [f"{MARK} {type} {t} = {stored(scope, 1).text};", f"for (int {k} = 0; {k} < 3; ++{k}) {{"]
    scope.variables.append(Variable(t, type))
    return [*lines, *indented(body), "}"]


MARKS = (
    marked_variable, marked_variable, marked_variable, marked_array, marked_pointer, marked_member, marked_member,
    marked_function, marked_loop,
)  # fmt: skip
