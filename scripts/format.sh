#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Formats every source file of the project; with --check, says which are not
# formatted and fails.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

mapfile -t cxx < <(find dialect lib python -name '*.cpp' -o -name '*.h')
if [[ ${1:-} == --check ]]; then
  status=0
  ruff check . || status=1
  ruff format --check . || status=1
  clang-format --dry-run --Werror "${cxx[@]}" || status=1
  exit $status
fi
ruff check --fix .
ruff format .
clang-format -i "${cxx[@]}"
