"""Arguments that are objects with vectors, device pointers and further objects: dicts stand for them."""

from tests.kernels.making import Make, members, permutation, real, shaped
from tests.programs.case import Program


def material() -> Make:
    return members(gamma=1.4, table=real(3))


def domain(n: int, steps: int) -> Make:
    return members(
        numElem=n,
        cycle=0,
        x=real(n),
        v=real(n),
        force=real(n),
        next=permutation(n),
        mass=real(n),
        dtcourant=0.3,
        deltatime=0.2,
        viscosity=real(2),
        gas=material(),
        wall=material(),
        history=real(steps),
        m_time=0.1,
        m_scale=0.7,
        m_probes=real(2),
    )


CASES = (
    Program("domains", "hydro::run", "domain", (domain(40, 3), 3)),
    Program("domains", "hydro::energy", "domain, gas, other", (domain(5, 4), material(), domain(3, 2))),
    Program("domains", "hydro::drift", "cloud", (members(m_particles=shaped(4, 2), scratch=real(4), m_drag=0.3), 2)),
)
