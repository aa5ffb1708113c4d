"""Kernels whose values are chains: each is made of the one before, or of two, which it names more than once."""

from __future__ import annotations

from collections.abc import Sequence

_HEAD = """  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;"""


def _kernel(body: Sequence[str], before: str = "") -> str:
    return "\n".join(
        [
            *([before] if before else []),
            "__global__ void kernel(const double *x, double *y, int n) {",
            _HEAD,
            *body,
            "}",
            "",
        ]
    )


def squarings(depth: int) -> str:
    """Each step names the one before twice."""
    body = ["  double a0 = x[i];", *(f"  double a{k + 1} = a{k} * a{k} + 0.1;" for k in range(depth))]
    return _kernel([*body, f"  y[i] = a{depth};"])


_COMPLEX = """struct C { double r, i; };
__device__ inline C operator+(C a, C b) { return {a.r + b.r, a.i + b.i}; }
__device__ inline C operator-(C a, C b) { return {a.r - b.r, a.i - b.i}; }
__device__ inline C operator*(C a, C b) { return {a.r * b.r - a.i * b.i, a.r * b.i + a.i * b.r}; }
__device__ inline C operator*(double a, C b) { return {a * b.r, a * b.i}; }
__device__ inline C operator/(C a, C b) {
  double s = 1.0 / (b.r * b.r + b.i * b.i);
  return {s * (a.r * b.r + a.i * b.i), s * (a.i * b.r - a.r * b.i)};
}"""


def products(depth: int) -> str:
    """Complex multiplications by operators of a class, which are inlined."""
    body = ["  C z = {x[i], 0.1}, w = z;", *(f"  w = w * {'w' if k % 2 else 'z'};" for k in range(depth))]
    return _kernel([*body, "  y[i] = w.r + w.i;"], _COMPLEX)


def polynomials(depth: int) -> str:
    """Polynomials by Horner's rule, each at the value of the one before."""
    body = ["  double t0 = x[i];"]
    for k in range(max(1, depth // 5)):
        body.append(f"  double p{k} = 0.1;")
        body += [f"  p{k} = p{k} * t{k} + {0.1 * (j + 1):.1f};" for j in range(5)]
        body.append(f"  double t{k + 1} = p{k} * t{k};")
    return _kernel([*body, f"  y[i] = t{max(1, depth // 5)};"])


def integers(depth: int) -> str:
    """Numbers of elements that are computed from each other, each of which is read."""
    body = ["  int j0 = i;", "  double s = 0.0;"]
    for k in range(depth):
        body += [f"  int j{k + 1} = (j{k} * j{k} + {k + 1}) % n;", f"  s += x[j{k + 1}] * x[j{k}];"]
    return _kernel([*body, "  y[i] = s;"])


_FADDEEVA = """
__device__ inline C expansion(C z) {
  C s = {0.0, 0.0};
  C q = z * z;
@TERMS@
  return s;
}
__device__ inline C rational(C z) {
  C i = {0.0, 1.0}, l = {5.4, 0.0};
  C p = (l + i * z) / (l - i * z), s = {0.1, 0.0};
@POWERS@
  C d = l - i * z;
  return 2.0 * s / (d * d) + C{0.5641895835477563, 0.0} / d;
}
__device__ inline C fast(C z) { return fabs(z.r) + fabs(z.i) > 8.0 ? expansion(z) : rational(z); }"""


def poles(count: int) -> str:
    """Cross sections as sums over poles, each by a fast Faddeeva function in complex arithmetic, as multipole codes
    have them; everything is inlined."""
    terms = "\n".join(f"  s = s + C{{0.0, {0.3 / k:.3f}}} * z / (q - C{{{0.27 * k:.3f}, 0.0}});" for k in range(1, 4))
    powers = "\n".join(f"  s = s * p + C{{{0.9 / k:.3f}, 0.0}};" for k in range(2, 10))
    body = ["  C e = {x[i], 0.2}, s = {0.0, 0.0};"]
    for k in range(count):
        body += [f"  C w{k} = fast(e * C{{{1 + 0.1 * k:.1f}, 0.3}});", f"  s = s + w{k} * e;", "  e = e + 0.01 * s;"]
    return _kernel(
        [*body, "  y[i] = s.r * s.r + s.i;"], _COMPLEX + _FADDEEVA.replace("@TERMS@", terms).replace("@POWERS@", powers)
    )
