# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Finds Python and the MLIR and LLVM wheels next to it.

find_package(Python 3.10 REQUIRED COMPONENTS Interpreter Development.Module)

# The wheels unpack to <site-packages>/{mlir,llvm}. A build through pip has the
# directory on CMAKE_PREFIX_PATH already; a plain `cmake` run gets it here.
execute_process(
  COMMAND "${Python_EXECUTABLE}" -c
    "import sysconfig; print(sysconfig.get_path('purelib'), end='')"
  OUTPUT_VARIABLE PYPTO_SITE_PACKAGES
  COMMAND_ERROR_IS_FATAL ANY)
list(APPEND CMAKE_PREFIX_PATH "${PYPTO_SITE_PACKAGES}")

find_package(MLIR 22.1.8 EXACT REQUIRED CONFIG)
message(STATUS "MLIR: ${MLIR_DIR}")
message(STATUS "LLVM: ${LLVM_DIR}")
list(APPEND CMAKE_MODULE_PATH "${MLIR_CMAKE_DIR}" "${LLVM_CMAKE_DIR}")
include(TableGen)
include(AddLLVM)
include(AddMLIR)

# <site-packages>/mlir, where the stock Python package and its libraries are.
get_filename_component(PYPTO_MLIR_PREFIX "${MLIR_DIR}/../../.." ABSOLUTE)
get_filename_component(PYPTO_LLVM_PREFIX "${LLVM_DIR}/../../.." ABSOLUTE)
