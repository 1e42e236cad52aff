# RUN: %pytest %s
# UNSUPPORTED: sanitize
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A crash points the user at this project, not at LLVM."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest


def catches_segfaults(pid: int) -> bool:
    """Whether the process has installed its handler yet."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("SigCgt:"):
            return bool(int(line.split()[1], 16) >> (signal.SIGSEGV - 1) & 1)
    return False


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_bug_report_message():
    process = subprocess.Popen(
        ["pypto-opt", "-"], stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    deadline = time.monotonic() + 20
    while not catches_segfaults(process.pid):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    process.send_signal(signal.SIGSEGV)
    _, errors = process.communicate(timeout=60)
    assert process.returncode != 0
    assert "bug of pypto-graph" in errors
    assert "llvm-project/issues" not in errors
