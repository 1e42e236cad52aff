# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Language level, compiler and linker flags of the whole project.

set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

if(PYPTO_USE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(PYPTO_CCACHE ccache)
  mark_as_advanced(PYPTO_CCACHE)
  if(PYPTO_CCACHE)
    set(CMAKE_C_COMPILER_LAUNCHER "${PYPTO_CCACHE}")
    set(CMAKE_CXX_COMPILER_LAUNCHER "${PYPTO_CCACHE}")
  endif()
endif()

include(CheckLinkerFlag)
if(PYPTO_USE_LLD AND NOT APPLE)
  check_linker_flag(CXX "-fuse-ld=lld" PYPTO_HAVE_LLD)
  if(PYPTO_HAVE_LLD)
    add_link_options(-fuse-ld=lld)
  endif()
endif()

include_directories(
  "${PROJECT_SOURCE_DIR}/dialect" "${PROJECT_BINARY_DIR}/dialect"
  "${PROJECT_SOURCE_DIR}/lib" "${PROJECT_BINARY_DIR}/lib")
include_directories(SYSTEM ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
separate_arguments(PYPTO_LLVM_DEFINITIONS NATIVE_COMMAND "${LLVM_DEFINITIONS}")
add_definitions(${PYPTO_LLVM_DEFINITIONS})

# The wheels are assertion builds: NDEBUG would change the layout of LLVM
# classes (llvm::Statistic, hash tables, …) and corrupt the heap without any
# link error. It comes last, after the flags of the build type.
if(LLVM_ENABLE_ASSERTIONS)
  add_compile_options(-UNDEBUG)
endif()
add_compile_options(
  -Wall -Wextra -Wno-unused-parameter
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-comment>
  # GCC warns about correct code in LLVM's headers.
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized>
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-dangling-reference>
  -ffunction-sections -fdata-sections)
if(PYPTO_WERROR)
  add_compile_options(-Werror)
endif()

# As LLVM: no RTTI (MLIR is built without, so typeinfo of its classes does not
# exist) and no exceptions. The nanobind file alone is compiled with both.
set(PYPTO_CXX_FLAGS $<$<COMPILE_LANGUAGE:CXX>:-fno-rtti>
                    $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions>)

set(PYPTO_SANITIZER_RUNTIME "")
if(PYPTO_SANITIZE)
  # The vptr check needs RTTI.
  set(PYPTO_SANITIZE_FLAGS -fsanitize=address,undefined -fno-sanitize=vptr
      -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_compile_options(${PYPTO_SANITIZE_FLAGS})
  add_link_options(${PYPTO_SANITIZE_FLAGS})
  # A sanitized extension or plugin in an ordinary host process needs the
  # runtime loaded first, with the C++ library whose `throw` it intercepts.
  foreach(library libasan.so libstdc++.so)
    execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=${library}
      OUTPUT_VARIABLE file OUTPUT_STRIP_TRAILING_WHITESPACE)
    list(APPEND PYPTO_SANITIZER_RUNTIME "${file}")
  endforeach()
  string(REPLACE ";" ":" PYPTO_SANITIZER_RUNTIME "${PYPTO_SANITIZER_RUNTIME}")
endif()
