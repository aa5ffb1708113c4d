"""What is differentiated in words.cu."""

from __future__ import annotations

from tests.kernels.case import Case, N, X, Y

CASES = (Case("words", "words_of_integers", "x, y", (X, Y, N)),)
