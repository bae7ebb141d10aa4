# SPDX-License-Identifier: Apache-2.0
# XEFORGE_AOT_ICPX: the kernels compiled ahead of time by icpx, one shared library per module (the same modules as at run
# time, see kernel_library.h). A library announces its kernels to SYCL when it is loaded; KernelLibrary finds them by name.
# The SYCL runtime must then be icpx's own: configure with -DXEFORGE_SYCL_ROOT=<oneAPI>/compiler/latest.
find_program(XEFORGE_ICPX icpx)
if(NOT XEFORGE_ICPX)
  message(FATAL_ERROR "XEFORGE_AOT_ICPX is on, but icpx was not found: load oneAPI's setvars.sh, or pass -DXEFORGE_ICPX=<path>")
endif()

set(aot_dg2 intel_gpu_acm_g10)
set(aot_xe2 intel_gpu_bmg_g21)
# module | device targets | headers in src/kernels/ladder/
set(aot_modules
  "sycl|${aot_dg2},${aot_xe2}|naive tiled_slm register_tiled vectorized"
  "smoke|${aot_dg2}|dpas_smoke slm_micro"
  "joint_matrix|${aot_dg2}|jm_*"
  "esimd|${aot_dg2}|esimd_*"
  "general|${aot_dg2}|-"
  "xe2_joint_matrix|${aot_xe2}|xe2_joint_matrix"
  "xe2_esimd|${aot_xe2}|xe2_esimd_*")
set(aot_depends "")
file(GLOB_RECURSE aot_depends CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/src/kernels/*.h")

foreach(row IN LISTS aot_modules)
  string(REPLACE "|" ";" fields "${row}")
  list(GET fields 0 module)
  list(GET fields 1 targets)
  list(GET fields 2 patterns)
  string(REPLACE " " ";" patterns "${patterns}")
  set(text "")
  foreach(pattern IN LISTS patterns)
    file(GLOB headers RELATIVE "${CMAKE_SOURCE_DIR}/src" CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/src/kernels/ladder/${pattern}.h")
    foreach(header IN LISTS headers)
      string(APPEND text "#include \"${header}\"\n")
    endforeach()
  endforeach()
  if(module STREQUAL "general")
    # No rungs: the general kernel and its prefetch forms (general.cpp, general_module()).
    set(text "#include \"kernels/general/general.h\"\nnamespace xeforge::kernels {\nXEFORGE_GENERAL_KERNELS(general, 0)\n")
    foreach(distance RANGE 1 8)
      string(APPEND text "XEFORGE_GENERAL_KERNELS(prefetch${distance}, ${distance})\n")
    endforeach()
    string(APPEND text "}\n")
  endif()
  set(source "${CMAKE_CURRENT_BINARY_DIR}/aot_${module}.cpp")
  file(GENERATE OUTPUT "${source}" CONTENT "${text}")
  set(library "${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/libxeforge_aot_${module}.so")
  add_custom_command(OUTPUT "${library}"
    COMMAND "${XEFORGE_ICPX}" -fsycl "-fsycl-targets=${targets}" -std=c++20 -O3 -w -fPIC -shared "-I${CMAKE_SOURCE_DIR}/src"
      "${source}" -o "${library}"
    DEPENDS "${source}" ${aot_depends}
    COMMENT "icpx: ${module} kernels for ${targets}"
    VERBATIM)
  add_custom_target(xeforge_aot_${module} DEPENDS "${library}")
  add_dependencies(xeforge_gemm xeforge_aot_${module})
  # Nothing in the program names anything in these libraries: they are needed all the same.
  target_link_libraries(xeforge_gemm PUBLIC "$<BUILD_INTERFACE:-Wl,--push-state,--no-as-needed,${library},--pop-state>")
  install(FILES "${library}" DESTINATION "${CMAKE_INSTALL_LIBDIR}")
endforeach()
target_compile_definitions(xeforge_gemm PRIVATE XEFORGE_AOT_ICPX)
