"""Where iterations that threads run at once may meet at an element, what they add there is atomic; where they cannot,
it is not."""

from __future__ import annotations

import pytest

from cladpy.options import Options
from cladpy.pipeline import differentiate
from cladpy.source import Source

# Bodies of a loop over i, and whether the elements of x that an iteration reads are proved to be its own.
OWN = (
    "y[i] = x[2 * i] * x[2 * i + 1];",
    "for (int j = 0; j < m; ++j) y[i] += x[j * n + i] * x[j * n + i];",
    "for (int j = 0; j < 4; ++j) y[i] += x[4 * i + j];",
    "int k = at[i]; y[k] = sin(x[k]);",
)
TOGETHER = (
    "y[i] = x[i / 2] + x[i & 7];",
    "y[i] = x[2 * i] * x[2 * i + 2];",
    "int k = (int)w[i]; y[i] = x[k + i];",
    "int k = (int)i * w[i] > 1 ? i : 0; y[i] = x[k];",
    "for (int j = 0; j <= m; ++j) y[i] += x[i * m + j];",
    "int k = at[i]; double v = sin(x[k]); if (v > 0.5) y[k] = v * v;",
    "int k = i; while (at[k] > 0) { k = at[k]; y[i] += x[k]; }",
    "int k = at[i];\n#pragma omp atomic\ny[k] += sin(x[k]);",
)


def reverse_of(body: str) -> str:
    text = (
        "#include <math.h>\nvoid f(const double *x, double *y, const double *w, const int *at, int n, int m) {\n"
        f"#pragma omp parallel for\n  for (int i = 0; i < n; ++i) {{ {body} }}\n}}\n"
    )
    code = differentiate(Source("f.cpp", text, None), "f", "x, y", Options.make(), "host").code
    return code[code.index("reverse sweep") :]


@pytest.mark.parametrize("body", OWN)
def test_own(body: str) -> None:
    code = reverse_of(body)
    assert "#pragma omp parallel for" in code
    assert "team_add(" not in code


@pytest.mark.parametrize("body", TOGETHER)
def test_together(body: str) -> None:
    code = reverse_of(body)
    assert "#pragma omp parallel for" in code
    assert "team_add(&_d_x" in code
    assert "_d_x[" not in code.replace("team_add(&_d_x", "")
