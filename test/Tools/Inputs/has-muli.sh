#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Interesting, which mlir-reduce spells 1, is a module that multiplies.
if grep -q 'arith.muli' "$1"; then exit 1; fi
exit 0
