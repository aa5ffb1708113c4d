"""Random statements about local objects of numbers, which functions are given as arrays of these: functions that call
themselves, and one whose derivative the program has."""

from __future__ import annotations

from tests.generator.constructs import Lines
from tests.generator.expressions import condition, small_integer, squash, stored
from tests.generator.scope import Array, Scope, Variable

# What statements of this file name; a program has it where one does.
NUMBERS = """template <class T>
struct Four {
  T x, y, z, w;
  __device__ T *begin() { return &x; }
  __device__ const T *begin() const { return &x; }
};
template <class T>
__device__ T descended(T *p, int n, T v) {
  if (n <= 0) return T(0.5) * v;
  p[n % 4] = T(0.6) * p[n % 4] + T(0.3) * sin(v);
  T below = descended(p, n - 1, tanh(v * p[(n + 1) % 4]));
  p[(n + 2) % 4] *= T(0.7);
  return T(0.5) * below + T(0.3) * p[n % 4];
}
template <class T>
__device__ T summed(const T *p, int n) {
  return n == 0 ? T(0) : T(0.3) * p[n - 1] * p[0] + T(0.5) * summed(p, n - 1);
}
"""
CUSTOM = """__device__ double turned(double *p, int n, double v) {
  for (int k = 0; k < n; ++k) p[k] = 0.5 * p[k] + 0.4 * v * p[k] / (1 + v * v);
  return 0.3 * p[0] * v;
}
namespace cladpy { namespace custom_derivatives {
__device__ inline void turned_pullback(double *p, int n, double v, double d, double *d_p, double *d_v) {
  const double by = 0.5 + 0.4 * v / (1 + v * v), d_by = 0.4 * (1 - v * v) / ((1 + v * v) * (1 + v * v));
  *d_v += 0.3 * d * by * p[0];
  d_p[0] += 0.3 * d * v;
  for (int k = 0; k < n; ++k) {
    *d_v += d_p[k] * d_by * p[k];
    d_p[k] *= by;
  }
}
}}
"""


def _declared(scope: Scope, type: str) -> tuple[Lines, str, list[str]]:
    """An object, and what it is as an array."""
    name = scope.fresh("o")
    given = ", ".join(f"{type}({stored(scope, 1).text})" for _ in range(4))
    return [f"Four<{type}> {name} = {{{given}}};"], name, [f"(&{name}.x)", f"(({type} *)&{name})", f"{name}.begin()"]


def as_array(scope: Scope) -> Lines:
    """An object whose members are variables, and elements of an array, to all that comes."""
    type = scope.type()
    lines, name, arrays = _declared(scope, type)
    scope.variables += [Variable(f"{name}.{m}", type) for m in "xyzw"]
    scope.arrays += [Array(scope.rng.choice(arrays), type, ("4",), True)] * 2
    return lines


def given_as_array(scope: Scope) -> Lines:
    """An object that functions are given as an array."""
    rng, type = scope.rng, scope.type()
    lines, name, arrays = _declared(scope, type)
    scope.variables += [Variable(f"{name}.{m}", type) for m in "xyzw"]
    for _ in range(rng.randint(1, 3)):
        a, v = rng.choice(arrays), scope.fresh("v")
        number = squash(scope, stored(scope, 2)).text
        depth = rng.choice(("3", f"{small_integer(scope)} % 4"))
        calls = [f"descended<{type}>({a}, {depth}, {number})", f"summed<{type}>({a}, 1 + {depth})"]
        if type == "double":
            calls += [f"turned({a}, {rng.choice(('4', '2'))}, {number})"] * 2
            calls.append(f"turned(&{name}.y, 3, {number})")
        call = rng.choice(calls)
        form = rng.randrange(4)
        if form == 0:
            lines.append(f"if ({condition(scope)}) {call};")
        elif form == 1:
            m = rng.choice("xyzw")
            lines += [f"{type} {v} = {call};", f"{name}.{m} = 0.5 * {name}.{m} + 0.3 * {v};"]
            scope.variables.append(Variable(v, type))
        else:
            lines.append(f"{type} {v} = {call};")
            scope.variables.append(Variable(v, type))
    return lines


AS_NUMBERS = (as_array, given_as_array, given_as_array)
