# SPDX-License-Identifier: Apache-2.0
# The libraries of others, each as one imported target. Also installed, as a part of the exported package.
# Uses XEFORGE_SYCL_ROOT, XEFORGE_IGA_ROOT and XEFORGE_LEVEL_ZERO_INCLUDE.
include_guard(GLOBAL)

# xeforge_imported(NAME LIBRARY INCLUDE): a shared library with headers whose warnings are not ours.
function(xeforge_imported name library include)
  if(TARGET ${name})
    return()
  endif()
  add_library(${name} UNKNOWN IMPORTED GLOBAL)
  set_target_properties(${name} PROPERTIES IMPORTED_LOCATION "${library}")
  target_include_directories(${name} SYSTEM INTERFACE "${include}")
endfunction()

# Paths with a library directory of their own get into the run path of what links them.
file(GLOB iga_libraries "${XEFORGE_IGA_ROOT}/lib/libiga64.so")
if(NOT iga_libraries OR NOT EXISTS "${XEFORGE_IGA_ROOT}/include/iga/kv.h")
  message(FATAL_ERROR "IGA is not complete in ${XEFORGE_IGA_ROOT} (lib/libiga64.so, include/iga/kv.h): run 'make setup'")
endif()
list(GET iga_libraries 0 iga_library)
xeforge_imported(xeforge::iga "${iga_library}" "${XEFORGE_IGA_ROOT}/include")

if(NOT EXISTS "${XEFORGE_SYCL_ROOT}/lib/libsycl.so")
  message(FATAL_ERROR "there is no SYCL runtime in ${XEFORGE_SYCL_ROOT}: run 'make setup'")
endif()
xeforge_imported(xeforge::sycl "${XEFORGE_SYCL_ROOT}/lib/libsycl.so" "${XEFORGE_SYCL_ROOT}/include")
# The run path of the program has to reach the libraries behind libsycl too (libur_loader, libumf, ...).
set_property(TARGET xeforge::sycl PROPERTY INTERFACE_LINK_OPTIONS "LINKER:-rpath-link,${XEFORGE_SYCL_ROOT}/lib")

if(NOT TARGET xeforge::level_zero_headers)
  add_library(xeforge::level_zero_headers INTERFACE IMPORTED GLOBAL)
  target_include_directories(xeforge::level_zero_headers SYSTEM INTERFACE "${XEFORGE_LEVEL_ZERO_INCLUDE}")
endif()

find_package(Threads REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(TBB REQUIRED)
find_package(OpenBLAS REQUIRED)

# Debian's yaml-cpp 0.7 names its target without a namespace; newer ones the other way.
if(NOT TARGET yaml-cpp::yaml-cpp)
  set_target_properties(yaml-cpp PROPERTIES IMPORTED_GLOBAL TRUE)
  add_library(yaml-cpp::yaml-cpp ALIAS yaml-cpp)
endif()

list(GET OpenBLAS_LIBRARIES 0 openblas_library)
xeforge_imported(xeforge::openblas "${openblas_library}" "${OpenBLAS_INCLUDE_DIRS}")

find_path(XEFORGE_ELF_INCLUDE gelf.h REQUIRED)
find_library(XEFORGE_ELF_LIBRARY elf REQUIRED)
xeforge_imported(xeforge::elf "${XEFORGE_ELF_LIBRARY}" "${XEFORGE_ELF_INCLUDE}")
find_path(XEFORGE_DW_INCLUDE elfutils/libdw.h REQUIRED)
find_library(XEFORGE_DW_LIBRARY dw REQUIRED)
xeforge_imported(xeforge::dw "${XEFORGE_DW_LIBRARY}" "${XEFORGE_DW_INCLUDE}")
target_link_libraries(xeforge::dw INTERFACE xeforge::elf)
