"""The camera's pose: the README's first program, the example, and the gradient against differences in doubles."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import cladpy
from cladpy.check.gradient_check import check
from examples.splatting.scene import knot, moved, twist
from tests.packaging.snippets import ROOT, blocks, run

SPLAT = ROOT / "examples" / "splatting" / "splat.cu"


def test_the_readme_begins_with_it(tmp_path: Path) -> None:
    first = blocks(ROOT / "README.md", "python")[0]
    assert len(first.splitlines()) <= 25
    misfit, distance = run(ROOT / "README.md", tmp_path).split()[:2]
    assert float(misfit) < 1e-5
    assert float(distance) < 5e-3


def test_gradient_by_the_camera() -> None:
    size, n = 20, 60
    scene = (n, *(np.float64(array) for array in knot(n)))
    gradient = cladpy.gradient(SPLAT, "misfit", "view", backend="host", defines={"REAL": "double"})
    photo, image = np.zeros((2, size * size, 3))
    view = np.float64(moved(np.eye(3, 4), [0.5, 0.3, 0.0, 0.1, 0.0, 3.5]))
    report = check(gradient, None, None, (*scene, view, size, size, photo, image))
    assert report.ok, report.text()

    def misfit(turn: np.ndarray) -> float:
        angle = np.linalg.norm(turn[:3]) + 1e-30
        x, y, z = turn[:3] / angle
        cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
        rotation = np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross
        other = np.concatenate([view[:, :3] @ rotation, view[:, 3:] + turn[3:, None]], axis=1)
        return gradient.primal.execute(*scene, other, size, size, photo, image)

    d_view = np.zeros((3, 4))
    gradient.execute(*scene, view, size, size, photo, image, d_view)
    steps = 1e-6 * np.eye(6)
    wanted = [(misfit(step) - misfit(-step)) / 2e-6 for step in steps]
    np.testing.assert_allclose(twist(view, d_view), wanted, rtol=1e-5, atol=1e-8)
