# SPDX-License-Identifier: Apache-2.0
# Where SYCL, the offline compiler, IGA and the Level Zero headers are. Four places, from setup (deps.cmake) or from -D.
set(toolchain_variables XEFORGE_SYCL_ROOT XEFORGE_OCLOC XEFORGE_IGA_ROOT XEFORGE_LEVEL_ZERO_INCLUDE)

# A setup that ran again must lead to a new configuration.
set_property(DIRECTORY "${CMAKE_SOURCE_DIR}" APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${XEFORGE_DEPS}")
foreach(variable IN LISTS toolchain_variables)
  set(given_${variable} "${${variable}}")
endforeach()
include("${XEFORGE_DEPS}" OPTIONAL)
foreach(variable IN LISTS toolchain_variables)
  if(given_${variable})
    set(${variable} "${given_${variable}}")
  endif()
  if(NOT ${variable} OR NOT EXISTS "${${variable}}")
    message(FATAL_ERROR "${variable} is not there ('${${variable}}'; read from ${XEFORGE_DEPS}).\n"
      "Run 'make setup' in ${CMAKE_SOURCE_DIR} first, or pass -D${variable}=... .")
  endif()
endforeach()

# #include "xeforge/compiled_paths.h" for whoever links xeforge_compiled_paths.
configure_file("${CMAKE_SOURCE_DIR}/cmake/compiled_paths.h.in"
  "${CMAKE_BINARY_DIR}/generated/xeforge/compiled_paths.h" @ONLY)
add_library(xeforge_compiled_paths INTERFACE)
target_include_directories(xeforge_compiled_paths INTERFACE $<BUILD_INTERFACE:${CMAKE_BINARY_DIR}/generated>)
add_library(xeforge::compiled_paths ALIAS xeforge_compiled_paths)
