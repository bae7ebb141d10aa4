# SPDX-License-Identifier: Apache-2.0
# The large headers of others, read once for each library instead of once for each source: SYCL's alone costs five seconds a
# source. Not worth it where few sources need them, for reading what was precompiled costs a second or two as well.
# Sources include what they use all the same: sanitizer builds, clang-tidy and other compilers do without.
include_guard(GLOBAL)
set(default OFF)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT XEFORGE_SANITIZE)
  set(default ON)
endif()
option(XEFORGE_PRECOMPILED_HEADERS "Precompile the large headers of SYCL and GoogleTest" ${default})

# xeforge_precompile(<target> <header>...): headers as in target_precompile_headers.
function(xeforge_precompile target)
  if(XEFORGE_PRECOMPILED_HEADERS AND ARGN)
    target_precompile_headers(${target} PRIVATE ${ARGN})
    target_compile_options(${target} PRIVATE -fpch-preprocess) # ccache looks there for what was precompiled
  endif()
endfunction()

# xeforge_precompile_like(<target> <other>): uses what <other> precompiled; both need the same options.
function(xeforge_precompile_like target other)
  if(XEFORGE_PRECOMPILED_HEADERS)
    target_precompile_headers(${target} REUSE_FROM ${other})
    target_compile_options(${target} PRIVATE -fpch-preprocess)
  endif()
endfunction()
