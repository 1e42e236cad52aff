# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The `graph` dialect."""

from __future__ import annotations

import pypto_graph  # noqa: F401  (registers the dialect)

from ._graph_enum_gen import *  # noqa: F403
from ._graph_ops_gen import *  # noqa: F403
from ._graph_ops_gen import _Dialect  # noqa: F401
