"""Random kernels and host programs: each seed's gradient against the oracle in three thread orders."""

from __future__ import annotations

import pytest

from tests.generator import generate, generate_block, generate_program
from tests.oracle import check_random

# Longer runs are a command of their own: python -m tests.generator.
# What is left out is refused: recursion that is given rows of a local array (CP0220), and closures that name shared
# arrays (CP0199).
SEEDS = [seed for seed in range(71) if seed != 54]
BLOCK_SEEDS = [seed for seed in range(22) if seed not in (8, 19)]
PROGRAM_SEEDS = range(10)
LOOKED_AT = range(120)  # for what occurs in them


@pytest.mark.parametrize("seed", SEEDS)
def test_gradient_of_random_kernel(seed: int) -> None:
    report = check_random(generate(seed), seed)
    assert report.ok, report.text()


@pytest.mark.parametrize("seed", BLOCK_SEEDS)
def test_gradient_of_random_block(seed: int) -> None:
    report = check_random(generate_block(seed), seed)
    assert report.ok, report.text()


@pytest.mark.parametrize("seed", PROGRAM_SEEDS)
def test_gradient_of_random_program(seed: int) -> None:
    report = check_random(generate_program(seed), seed)
    assert report.ok, report.text()


def test_a_seed_gives_one_program() -> None:
    assert generate_program(11).text == generate_program(11).text
    assert generate_program(11).text != generate_program(12).text
    assert generate_block(11).text == generate_block(11).text
    assert generate_block(11).text != generate_block(12).text
    assert generate(11).text == generate(11).text
    assert generate(11).text != generate(12).text


def test_every_construct_occurs() -> None:
    text = "\n".join(generate(seed).text for seed in LOOKED_AT)
    for construct in (
        "switch (", "default:", "while (", "do {", "for (", "continue;", "break;", "return;", "atomicAdd(", "<<= 1",
        "__device__ void", "__device__ double", "__device__ float", "&", "(int)(", "static_cast<float>", "? ", "++",
        "fmax(", "sqrtf(", "tanh(", "unsigned ", "__constant__ ", "static __device__ const ", "DAMP(", "SWAP(", "HALF(",
        "size_t ", "char ", "} while (0);", "(*", ")[3]", ") *= ", "threadIdx.y", "y1[i] ",
        "__device__ double r", "__device__ void r", " > 0) r", "_n - 1 : ",
        "folded<", "settle<", "Span<", ".from(", "[&](", "[=](", "make_", "[-((", "i += gridDim.x * blockDim.x",
    ):  # fmt: skip
        assert construct in text, construct


def test_every_construct_of_blocks_occurs() -> None:
    text = "\n".join(generate_block(seed).text for seed in LOOKED_AT)
    for construct in (
        "__syncthreads();", "__syncthreads_or(", "__syncthreads_and(", "__syncthreads_count(", "__syncwarp(", "return;",
        "__shfl_xor_sync(", "__shfl_up_sync(", "__shfl_down_sync(", "__shfl_sync(", "__ballot_sync(", "__any_sync(",
        "extern __shared__ ", "__shared__ double", "__shared__ float", "__shared__ Class", "][8];", "block_sum(",
        "atomicAdd(&sum", "work + blockIdx.x", "gridDim.x", "SWAP(", "threadIdx.y", "if (i >= n) return;", "__ffs(",
    ):  # fmt: skip
        assert construct in text, construct


def test_every_construct_of_programs_occurs() -> None:
    text = "\n".join(generate_program(seed).text for seed in LOOKED_AT)
    for construct in (
        "template <class T, int K>", "__shared__ real", "atomicAdd(", "struct F", "Pair pair", ".flip();", "std::swap(",
        "cudaMemcpyDeviceToDevice", "cudaMemcpyHostToHost", "cudaMemcpyAsync(", "cudaMemcpy2D(", "cudaMemset2D(",
        "memmove(", "std::copy(", "std::accumulate(", "std::inner_product(", "cudaMallocHost(", "std::vector<real>",
        "new real[", "cudaFree(e", "do {", "break;", "continue;", "[&](", "[=](", " ? d", "+ n / 2, n / 2);",
        "static void h", "static double h", "typedef float real;",
    ):  # fmt: skip
        assert construct in text, construct
