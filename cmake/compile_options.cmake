# SPDX-License-Identifier: Apache-2.0
# Flags are set for the whole tree, so that no target can forget them. xeforge_options carries what depends on the
# place of the sources.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)

# Line tables are what a report of a crash needs; full debug information doubles the build.
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g1 -DNDEBUG")

# For the few sources whose loops are worth unrolling and vectorising.
set(XEFORGE_HOT "$<$<NOT:$<CONFIG:Debug>>:-O3>")
if(XEFORGE_SANITIZE)
  set(XEFORGE_HOT "")
endif()

find_program(XEFORGE_CCACHE ccache)
if(XEFORGE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Precompiled headers (precompiled_headers.cmake) are looked for in ccache only when it is told not to mind macros and
  # times that they might hold.
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env "CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime"
    "${XEFORGE_CCACHE}")
endif()

add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Woverloaded-virtual)
if(XEFORGE_WERROR)
  add_compile_options(-Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14)
  # GCC 12 and 13 report impossible sizes inside libstdc++ at -O2 and above (GCC bugs 105329, 105651, 107852).
  add_compile_options(-Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread -Wno-array-bounds)
endif()
if(XEFORGE_SANITIZE)
  # -O1 comes behind -O2: instrumented code gains little from the rest, and takes twice as long to compile.
  add_compile_options(-O1 -fsanitize=${XEFORGE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${XEFORGE_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Instrumentation hides values from the flow analysis behind the first warning, which then guesses. The second one
    # says that the thread sanitizer does not see fences: it may miss races ordered by them, it invents none here.
    add_compile_options(-Wno-maybe-uninitialized -Wno-tsan)
  endif()
endif()
if(XEFORGE_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "XEFORGE_FUZZ needs clang: use the preset 'fuzz' (setup/setup.sh --dev installs it)")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

find_package(Threads REQUIRED)
add_library(xeforge_options INTERFACE)
target_compile_features(xeforge_options INTERFACE cxx_std_20)
target_include_directories(xeforge_options INTERFACE
  $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/src>
  $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/xeforge/rooms>)
target_link_libraries(xeforge_options INTERFACE Threads::Threads)
add_library(xeforge::options ALIAS xeforge_options)
