"""What the tests of all behaviours share."""

from __future__ import annotations

import pytest

from tests.made import Made
from tests.oracle import Judged, parts_of
from tests.peers.program import Program


@pytest.fixture(scope="module")
def made(request: pytest.FixtureRequest) -> Made[Judged]:
    """The gradients of a module's programs, compiled together."""
    return Made(request, Program.judged, parts_of)
