"""Functions of CUDA C++ as functions of JAX's arrays: `cladpy.jax.op`. docs/frameworks.md tells what they do."""

from cladpy.frameworks.jax import Operator, op

__all__ = ["Operator", "op"]
