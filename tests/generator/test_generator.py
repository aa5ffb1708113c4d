"""Random kernels: each seed's gradient against the oracle in three thread orders."""

from __future__ import annotations

import pytest

from tests.generator import generate
from tests.oracle import assert_gradient

SEEDS = range(200)


@pytest.mark.parametrize("seed", SEEDS)
def test_gradient_of_random_kernel(seed: int) -> None:
    program = generate(seed)
    assert_gradient(
        program.text,
        program.function,
        program.args,
        program.grid,
        program.block,
        program.values,
        seed=seed,
        differences=False,  # a step may cross a branch
    )


def test_a_seed_gives_one_program() -> None:
    assert generate(11).text == generate(11).text
    assert generate(11).text != generate(12).text


def test_every_construct_occurs() -> None:
    text = "\n".join(generate(seed).text for seed in SEEDS)
    for construct in (
        "switch (", "default:", "while (", "do {", "for (", "continue;", "break;", "return;", "atomicAdd(", "<<= 1",
        "__device__ void", "__device__ double", "__device__ float", "&", "(int)(", "static_cast<float>", "? ", "++",
        "fmax(", "sqrtf(", "tanh(", "unsigned ", "__constant__ ", "static __device__ const ", "DAMP(", "SWAP(", "HALF(",
        "size_t ", "char ", "} while (0);", "(*", ")[3]", ") *= ", "threadIdx.y", "y1[i] ",
    ):  # fmt: skip
        assert construct in text, construct
