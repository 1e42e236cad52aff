# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Python classes of the dialects' operations, types and attributes."""
