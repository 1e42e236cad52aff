# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`mlir.ir`, at the place where the generated bindings look for it."""

from mlir.ir import *  # noqa: F403
from mlir.ir import register_attribute_builder  # noqa: F401
