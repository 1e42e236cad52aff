# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""``exit_code.py CODE COMMAND…``: fails unless the command ends with that code."""

import subprocess
import sys

sys.exit(subprocess.run(sys.argv[2:]).returncode != int(sys.argv[1]))
