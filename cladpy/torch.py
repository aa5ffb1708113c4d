"""Functions of CUDA C++ as operators of PyTorch's: `cladpy.torch.op`. docs/frameworks.md tells what they do."""

from cladpy.frameworks.torch import Operator, op

__all__ = ["Operator", "op"]
