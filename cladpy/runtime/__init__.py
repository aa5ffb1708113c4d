"""Stage 8: runs derivatives: checks arguments, compiles on first use, launches on the host or a GPU.

Takes a `Derivative`; `Gradient` is what `cladpy.gradient` returns. Raises LaunchError and ArgumentTypeError for a call
that does not fit, before anything is launched, and BackendError for what goes wrong on a device.
"""

from __future__ import annotations

from cladpy.runtime.backends import Availability, availability, select_backend
from cladpy.runtime.gradient import Gradient, Primal
from cladpy.runtime.order import host_order

__all__ = ["Availability", "Gradient", "Primal", "availability", "host_order", "select_backend"]
