"""Gradients of standard operations, as CUDA programmers write them, against PyTorch's in double precision.

PyTorch shares nothing with cladpy: neither rules, nor conventions, nor the reading of a program. A program
`programs/NAME.cu` has its operations beside it in `NAME.py`: each is a function of PyTorch's, shapes, kinds of input,
and the kernels that compute it. What PyTorch gives stands in `stored/NAME.json`, so that no test needs PyTorch:

    python -m tests.torch_reference --write                     PyTorch's gradients, computed anew (the extra `torch`)
    python -m tests.torch_reference [--backend cuda] [--only TEXT]     the kernels' gradients against them, on a device

What is asked of a gradient is in `judge.py`, how PyTorch is asked in `reference.py`, what is wrong still in `known.py`.
"""
