"""Whether a program's values depend on an order of evaluation that C++ leaves open.

`effects.py` finds what an expression reads and writes, `sequencing.py` which parts of an expression C++ does not put in
order. Where two of these touch one place and one writes it, the compilers that build the original choose: what follows
is not differentiated. `shared.py` asks the same of the iterations of loops that the threads of OpenMP share.
"""

from cladpy.order.by_one import by_one
from cladpy.order.regions import settled
from cladpy.order.sequencing import in_order
from cladpy.order.shared import apart

__all__ = ["apart", "by_one", "in_order", "settled"]
