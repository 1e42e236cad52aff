# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The project's own build functions.
#
# All C++ of the project goes into OBJECT libraries, compiled once and linked
# three ways: into static tools, into a plugin without any MLIR library on its
# link line (the host provides the symbols) and into the Python extension (on
# the stock package's libMLIRPythonCAPI.so).

# Every generated header; every library waits for it.
add_custom_target(pypto-headers)
# All that a test run needs.
add_custom_target(pypto-all ALL)

# Object libraries, in order, and the MLIR archives that they need.
define_property(GLOBAL PROPERTY PYPTO_LIBRARIES BRIEF_DOCS "object libraries"
  FULL_DOCS "object libraries of the product")
define_property(GLOBAL PROPERTY PYPTO_MLIR_LIBS BRIEF_DOCS "MLIR archives"
  FULL_DOCS "MLIR archives the object libraries need in a static link")

# pypto_tablegen(<target> <file.td>
#                <output> <tblgen option>… [, <output> <option>…]…)
# Runs mlir-tblgen on a file of the current directory; the outputs appear in the
# same place below the build directory, so `#include "Graph/GraphOps.h.inc"`.
function(pypto_tablegen target td)
  set(LLVM_TARGET_DEFINITIONS "${td}")
  set(TABLEGEN_OUTPUT)
  set(group)
  foreach(arg IN LISTS ARGN ITEMS ",")
    if(arg STREQUAL "," AND group)
      mlir_tablegen(${group})
      set(group)
    elseif(NOT arg STREQUAL ",")
      list(APPEND group "${arg}")
    endif()
  endforeach()
  add_custom_target(${target} DEPENDS ${TABLEGEN_OUTPUT})
  add_dependencies(pypto-headers ${target})
endfunction()

# pypto_add_library(<name> [TESTING] <sources>… [MLIR_LIBS <archives>…])
# An OBJECT library of the product. A TESTING library is linked into the
# developer tools only. Without sources it does nothing.
function(pypto_add_library name)
  cmake_parse_arguments(ARG "TESTING" "" "MLIR_LIBS" ${ARGN})
  if(NOT ARG_UNPARSED_ARGUMENTS)
    return()
  endif()
  add_library(${name} OBJECT ${ARG_UNPARSED_ARGUMENTS})
  add_dependencies(${name} pypto-headers)
  target_compile_options(${name} PRIVATE ${PYPTO_CXX_FLAGS})
  set_property(GLOBAL APPEND PROPERTY PYPTO_MLIR_LIBS ${ARG_MLIR_LIBS})
  if(ARG_TESTING)
    set_property(GLOBAL APPEND PROPERTY PYPTO_TESTING_LIBRARIES ${name})
  else()
    set_property(GLOBAL APPEND PROPERTY PYPTO_LIBRARIES ${name})
  endif()
endfunction()

# pypto_library_objects(<out> [TESTING] [EXCLUDE <library>…])
# The objects of all libraries, for a target that combines them.
function(pypto_library_objects out)
  cmake_parse_arguments(ARG "TESTING" "" "EXCLUDE" ${ARGN})
  get_property(libraries GLOBAL PROPERTY PYPTO_LIBRARIES)
  if(ARG_TESTING)
    get_property(testing GLOBAL PROPERTY PYPTO_TESTING_LIBRARIES)
    list(APPEND libraries ${testing})
  endif()
  set(objects)
  foreach(library IN LISTS libraries)
    if(NOT library IN_LIST ARG_EXCLUDE)
      list(APPEND objects $<TARGET_OBJECTS:${library}>)
    endif()
  endforeach()
  set(${out} ${objects} PARENT_SCOPE)
endfunction()

# pypto_static_closure(<out> <MLIR or LLVM library>…)
# The archives behind the given libraries and everything they depend on. The
# exported MLIR targets depend on `LLVM`, the shared library; a static link
# needs the component archives in its place.
function(pypto_static_closure out)
  set(llvm_components LLVMSupport LLVMCore LLVMBitReader LLVMBitWriter
    LLVMBinaryFormat LLVMTargetParser LLVMRemarks LLVMDemangle
    LLVMFrontendOpenMP LLVMAsmParser)
  set(todo ${ARGN} ${llvm_components})
  set(seen)
  set(archives)
  while(todo)
    list(POP_FRONT todo library)
    if(library IN_LIST seen OR NOT TARGET ${library} OR library STREQUAL "LLVM")
      continue()
    endif()
    list(APPEND seen ${library})
    get_target_property(type ${library} TYPE)
    if(type STREQUAL "STATIC_LIBRARY")
      list(APPEND archives $<TARGET_FILE:${library}>)
    endif()
    get_target_property(dependencies ${library} INTERFACE_LINK_LIBRARIES)
    if(dependencies)
      foreach(dependency IN LISTS dependencies)
        string(REGEX REPLACE "^\\$<LINK_ONLY:(.*)>$" "\\1" dependency
               "${dependency}")
        list(APPEND todo ${dependency})
      endforeach()
    endif()
  endwhile()
  set(${out} ${archives} PARENT_SCOPE)
endfunction()

# pypto_add_tool(<name> [TESTING] [EXPORTS] <sources>… [MLIR_LIBS <archives>…])
# A statically linked executable with all of the product in it, installed on
# PATH. EXPORTS makes its symbols visible to plugins that it loads.
function(pypto_add_tool name)
  cmake_parse_arguments(ARG "TESTING;EXPORTS" "" "MLIR_LIBS" ${ARGN})
  if(ARG_TESTING)
    pypto_library_objects(objects TESTING EXCLUDE PyptoGraphCAPI)
  else()
    pypto_library_objects(objects EXCLUDE PyptoGraphCAPI)
  endif()
  get_property(mlir_libs GLOBAL PROPERTY PYPTO_MLIR_LIBS)
  pypto_static_closure(archives ${ARG_MLIR_LIBS} ${mlir_libs})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS} ${objects})
  add_dependencies(${name} pypto-headers)
  add_dependencies(pypto-all ${name})
  target_compile_options(${name} PRIVATE ${PYPTO_CXX_FLAGS})
  if(APPLE)
    target_link_libraries(${name} PRIVATE ${archives} ${archives})
    target_link_options(${name} PRIVATE LINKER:-dead_strip)
  else()
    target_link_libraries(${name} PRIVATE
      -Wl,--start-group ${archives} -Wl,--end-group pthread dl rt)
    target_link_options(${name} PRIVATE LINKER:--gc-sections)
  endif()
  set_target_properties(${name} PROPERTIES ENABLE_EXPORTS ${ARG_EXPORTS})
  # A wheel's `scripts` directory becomes the bin directory of the environment.
  if(SKBUILD)
    install(TARGETS ${name} RUNTIME DESTINATION "${SKBUILD_SCRIPTS_DIR}")
  else()
    install(TARGETS ${name} RUNTIME DESTINATION bin)
  endif()
endfunction()
