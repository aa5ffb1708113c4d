"""The public contract as users meet it: the acceptance script, run as it is."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parent / "acceptance" / "acceptance.py"


def test_talk_on_host() -> None:
    done = subprocess.run([sys.executable, str(SCRIPT), "host", "talk"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1] == "6/6 cases right (host)"
