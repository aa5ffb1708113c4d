"""Functions of CUDA C++ as operators of PyTorch's: `cladpy.torch.op`, and extensions as they are: `cladpy.torch.adopt`.
docs/frameworks.md tells what they do."""

from cladpy.frameworks.adopted import Adopted, adopt
from cladpy.frameworks.replaced import Replaced, replace
from cladpy.frameworks.torch import Operator, op

__all__ = ["Adopted", "Operator", "Replaced", "adopt", "op", "replace"]
