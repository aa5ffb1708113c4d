"""The same computations as loops in C++, whose gradients by Enzyme are timed where `enzyme_ad` is installed.

A loop has the kernel's parameters by their names: arrays, and numbers that are known when it is compiled. Enzyme's
gradient runs on one core, whatever the others do.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

_STENCIL = "for (int j = 1; j < n - 1; j++) for (int i = 1; i < n - 1; i++) {"
_AROUND = "u[j * n + i - 1] + u[j * n + i + 1] + u[(j - 1) * n + i] + u[(j + 1) * n + i]"
_REC = "for (int i = 0; i < n; i++) { double s = x[i]; for (int j = 0; j < m; j++) s = s - 0.1 * s * s; out[i] = s; }"
LOOPS: dict[str, str] = {
    "gelu": "for (int i = 0; i < 4 * n; i++) "
    "y[i] = 0.5f * x[i] * (1.0f + tanhf(0.7978845608f * (x[i] + 0.044715f * x[i] * x[i] * x[i])));",
    "silu": "for (int i = 0; i < 4 * n; i++) y[i] = x[i] / (1.0f + expf(-x[i]));",
    "residual": "for (int i = 0; i < 4 * n; i++) y[i] = a[i] + b[i];",
    "square": "for (int i = 0; i < n; i++) y[i] = x[i] * x[i];",
    "elem": "for (int i = 0; i < n; i++) out[i] = exp(-x[i] * x[i]) * sin(x[i]) + x[i] * x[i] * x[i];",
    "mathy": "for (int i = 0; i < n; i++) y[i] = exp(x[i] * sin(x[i])) + tanh(x[i]) * log(x[i] + 2.0);",
    "bcast": "for (int i = 0; i < n; i++) y[i] = x[0] * x[i];",
    "scal": "for (int i = 0; i < n; i++) out[i] = (p[0] * x[i] + p[1]) * (p[0] * x[i] + p[1]);",
    "bs": """for (int i = 0; i < n; i++) {
    const float root = sqrtf(T[i]);
    const float d1 = (logf(S[i] / X[i]) + (R + 0.5f * Vol * Vol) * T[i]) / (Vol * root), d2 = d1 - Vol * root;
    const float n1 = 0.5f * (1.0f + erff(d1 * 0.70710678f)), n2 = 0.5f * (1.0f + erff(d2 * 0.70710678f));
    out[i] = S[i] * n1 - X[i] * expf(-R * T[i]) * n2;
  }""",
    "stencil": f"{_STENCIL} const double c = u[j * n + i]; v[j * n + i] = c + 0.1 * ({_AROUND} - 4 * c) * c; }}",
    "heat": """for (int j = 1; j < H - 1; j++) for (int i = 1; i < W - 1; i++) {
    const int c = j * W + i;
    out[c] = u[c] + 0.1 * (u[c - 1] + u[c + 1] + u[c - W] + u[c + W] - 4.0 * u[c]) + 0.01 * u[c] * u[c];
  }""",
    "lj": """for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int j = 0; j < n; j++) {
      const double dx = x[i] - x[j], dy = y[i] - y[j], dz = z[i] - z[j];
      const double r2 = dx * dx + dy * dy + dz * dz + 0.1, q = 1.0 / (r2 * r2 * r2);
      sum += q * q - q;
    }
    e[i] = sum;
  }""",
    "gemv": "for (int i = 0; i < n; i++) out[i] = 0; "
    "for (int j = 0; j < n; j++) for (int i = 0; i < n; i++) out[i] += A[j * n + i] * x[j];",
    "gemm4096": """for (int i = 0; i < n * n; i++) C[i] = 0;
  for (int i = 0; i < n; i++) for (int k = 0; k < n; k++) for (int j = 0; j < n; j++)
    C[i * n + j] += A[i * n + k] * B[k * n + j];""",
    "loopn": "for (int i = 0; i < size_of_y; i++) "
    "{ double v = x[i]; for (int k = 0; k < n; k++) v = 0.5 * v + 0.3 * sin(v); y[i] = v; }",
    "rec16": _REC,
    "rec64": _REC,
    "rec256": _REC,
    "rec256_16k": _REC,
    "blockred": "for (int k = 0; k < size_of_y; k++) "
    "{ double sum = 0; for (int t = 0; t < 256; t++) sum += x[k * 256 + t] * x[k * 256 + t]; y[k] = sum; }",
    "ctasync": "for (int k = 0; k < size_of_y; k += 1024) "
    "for (int t = 0; t < 1024; t++) y[k + t] = x[k + t] * x[k + 1023 - t];",
    "layer_norm": """for (int row = 0; row < rows; row++) {
    const float *in = x + row * columns;
    float sum = 0, squares = 0;
    for (int c = 0; c < columns; c++) sum += in[c];
    const float mean = sum / columns;
    for (int c = 0; c < columns; c++) squares += (in[c] - mean) * (in[c] - mean);
    const float scale = 1.0f / sqrtf(squares / columns + 1e-5f);
    for (int c = 0; c < columns; c++) y[row * columns + c] = (in[c] - mean) * scale * w[c] + b[c];
  }""",
    "softmax": """for (int row = 0; row < size_of_y / columns; row++) {
    const float *in = x + row * columns;
    float largest = in[0], sum = 0;
    for (int c = 0; c < columns; c++) largest = in[c] > largest ? in[c] : largest;
    for (int c = 0; c < columns; c++) sum += expf(in[c] - largest);
    for (int c = 0; c < columns; c++) y[row * columns + c] = expf(in[c] - largest) / sum;
  }""",
}
# Of the C library, whose headers Enzyme's compiler would have to find.
DECLARED = "".join(
    f'extern "C" double {name}(double);\nextern "C" float {name}f(float);\n'
    for name in ("exp", "log", "sin", "sqrt", "tanh", "erf")
)


def scalar(array: NDArray[Any]) -> str:
    return {"f4": "float", "f8": "double"}[array.dtype.str[1:]]


def body(name: str, values: Mapping[str, Any], output: str) -> str:
    """The loop, after the numbers that it has by name. `values`: the kernel's arguments."""
    text = f"  constexpr int size_of_{output} = {values[output].size};\n"
    for parameter, value in values.items():
        if not isinstance(value, np.ndarray):
            of = "float" if isinstance(value, np.floating) else "int"
            text += f"  constexpr {of} {parameter} = {value};\n"
    return f"{text}  {LOOPS[name]}\n"


def enzyme_gradient(name: str, values: Mapping[str, Any], output: str, inputs: list[str]) -> Callable[[], Any]:
    """What computes a gradient. Raises ImportError where there is no Enzyme."""
    import jax
    from enzyme_ad.jax import cpp_call

    jax.config.update("jax_enable_x64", True)
    import jax.numpy as jnp

    arrays = {parameter: values[parameter].ravel() for parameter in [output, *inputs]}
    tensors = [
        f"{'' if p == output else 'const '}enzyme::tensor<{scalar(a)}, {a.size}> &of_{p}" for p, a in arrays.items()
    ]
    pointers = "".join(
        f"  {'' if p == output else 'const '}{scalar(a)} *{p} = &of_{p}[0];\n" for p, a in arrays.items()
    )
    source = f"{DECLARED}void computed({', '.join(tensors)}) {{\n{pointers}{body(name, values, output)}}}\n"
    shape = jax.core.ShapedArray(arrays[output].shape, arrays[output].dtype)

    def computed(*given: Any) -> Any:
        return cpp_call(*given, out_shapes=[shape], source=source, fn="computed", argv=("-O3",))[0]

    given = [jnp.array(arrays[p]) for p in inputs]
    cotangent = jnp.ones(shape.shape, shape.dtype)
    gradient = jax.jit(lambda d, *of: jax.vjp(computed, *of)[1](d))
    jax.block_until_ready(gradient(cotangent, *given))
    return lambda: jax.block_until_ready(gradient(cotangent, *given))
