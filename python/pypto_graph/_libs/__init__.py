# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiled files: the extension and the plugin for a stock `mlir-opt`."""
